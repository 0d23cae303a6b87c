"""The numbers of the reference title."""

from __future__ import annotations

from collections.abc import Mapping

from tests.titles.numbers import Kind, Origin
from tests.titles.origins.common import successes

ORIGINS: Mapping[Kind, Origin] = {("{n} hits", "n"): successes(5)}
