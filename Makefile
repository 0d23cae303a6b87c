# Everything a person or CI runs. `make run` and `make test` need only Python 3.11-3.13 and make.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

.PHONY: run test setup check slow bench golden i18n clean

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
	$(BIN)/python -m pytest -n 2
	$(BIN)/prontuario copertura

slow: .venv/.test
	$(BIN)/python -m pytest -n 2 -m slow

bench: .venv/.bench
	$(BIN)/python -m tests.tools.bench

golden: .venv/.test
	$(BIN)/python -m tests.tools.golden

i18n: .venv/.dev
	$(BIN)/python -m tests.tools.catalogs

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis bench dist

.venv/bin/python:
	$(PYTHON) -m venv .venv

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
