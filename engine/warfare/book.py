"""The rulebook of this title: `rule("fuoco.passo3", N_("…"), …)` is a ruling of it."""

from __future__ import annotations

from engine.core.rules import Book

rule = Book("warfare")
