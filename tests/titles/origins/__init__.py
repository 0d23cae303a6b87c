"""Where those numbers of a title come from that are no dice, no tallies and of no thing named.

One function for each kind of message and fact: it reckons the number anew from the table, the
printed data and the earlier steps of the action, and never looks at the fact itself.
"""

from __future__ import annotations

from collections.abc import Mapping

from tests.titles.numbers import Kind, Origin
from tests.titles.origins import aslsk, ddob, prova, toi, warfare

ORIGINS: Mapping[str, Mapping[Kind, Origin]] = {
    "aslsk": aslsk.ORIGINS,
    "ddob": ddob.ORIGINS,
    "prova": prova.ORIGINS,
    "toi": toi.ORIGINS,
    "warfare": warfare.ORIGINS,
}

OPEN: Mapping[str, Mapping[Kind, str]] = {}
"""Numbers whose origin a reader does not find yet, with the reason. It may only shrink."""
