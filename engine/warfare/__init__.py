"""Warfare: Modern tactical combat, as procedures that cite the book."""

from __future__ import annotations

from engine.warfare.title import TITLE

__all__ = ["TITLE"]
