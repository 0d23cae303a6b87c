# Everything a person or CI runs. `make run` and `make test` need only Python 3.11-3.15 and make.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
IS_SUPPORTED := import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 15))
ANOTHER := per esempio «make $(or $(MAKECMDGOALS),run) PYTHON=python3.13»
MISSING = $(PYTHON) manca o non parte: installa un Python da 3.11 a 3.15, o indica dove lo hai, $(ANOTHER).
UNSUPPORTED = Prontuario vuole un Python da 3.11 a 3.15, e $(PYTHON) è $$($(PYTHON) -V 2>&1): indicane un altro, $(ANOTHER).
NO_VENV = A $(PYTHON) manca il modulo venv: installalo (su Debian e Ubuntu è $$($(PYTHON) -c '$(VENV_PACKAGE)')) e riprova.
VENV_PACKAGE := import sys; print("python%d.%d-venv" % sys.version_info[:2])

.PHONY: run test setup check slow web bench golden i18n clean

run: .venv/.run
	@$(BIN)/prontuario

test: .venv/.test
	$(BIN)/python -m pytest -n 2

setup: .venv/.dev

check: .venv/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@$(MAKE) --no-print-directory test
	$(BIN)/prontuario copertura

slow: .venv/.test
	$(BIN)/python -m pytest -n 2 -m slow

web: .venv/.test
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || { echo "Manca Chromium: installa il pacchetto «chromium» (Debian: apt install chromium)."; exit 1; }
	$(BIN)/python -m pytest -m web tests/web

bench: .venv/.bench
	$(BIN)/python -m tests.tools.bench

golden: .venv/.test
	$(BIN)/python -m tests.tools.golden

i18n: .venv/.dev
	$(BIN)/python -m tests.tools.catalogs

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis bench dist web-out

# A .venv whose Python is gone, has changed or is not supported is made again.
ifneq ($(shell $(BIN)/python -c 'import pip; $(IS_SUPPORTED)' 2>/dev/null && echo yes),yes)
.PHONY: .venv/bin/python
endif

.venv/bin/python:
	@$(PYTHON) -c '' 2>/dev/null || { echo "$(MISSING)" >&2; exit 1; }
	@$(PYTHON) -c '$(IS_SUPPORTED)' || { echo "$(UNSUPPORTED)" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "$(NO_VENV)" >&2; exit 1; }
	@test ! -e .venv || echo "Il Python di .venv non va più bene: rifaccio .venv con $(PYTHON)." >&2
	$(PYTHON) -m venv --clear .venv

.venv/.run: .venv/bin/python pyproject.toml
	$(PIP) install --editable .
	@touch $@

.venv/.test: .venv/bin/python pyproject.toml
	$(PIP) install --editable '.[test]'
	@touch .venv/.run $@

.venv/.bench: .venv/bin/python pyproject.toml
	$(PIP) install --editable '.[bench]'
	@touch .venv/.run .venv/.test $@

.venv/.dev: .venv/bin/python pyproject.toml
	$(PIP) install --editable '.[dev]'
	@touch .venv/.run .venv/.test $@
