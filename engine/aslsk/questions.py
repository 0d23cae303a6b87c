"""Odds worth knowing before a decision: fire, rally, To Hit, close combat (3.2.3, 3.1.f, 3.8).

Refs: 2.0.ift, 3.1.e, 3.1.f, 3.2.1.declare, 3.2.2, 3.2.4, 3.8.odds.
"""

from __future__ import annotations

from engine.aslsk.book import rule
from engine.aslsk.sight import LOS_ASKED, is_los_free
from engine.aslsk.state import MAP, State
from engine.core.decisions import Decision
from engine.core.rules import Command, Ruling
from engine.core.text import N_, Msg, msg
from engine.core.title import Question

FIRE = (
    "at which hex does {unit} fire?",
    "who fires at the movers in {hex}?",
    "who joins the attack on {hex}?",
    "who directs the fire on {hex}?",
    "how does {unit} attack {hex}?",
)
RALLY = ("who tries to rally?", "who tries Self Rally?")
CLOSE = ("who else?", "whom does {unit} attack?")
DEFAULTS = ("b:fuoco", "b:nessuno", "b:attacca", "b:tieni", "b:evita", "b:passa")
MOST = 12


def questions(state: State, decision: Decision) -> tuple[Question, ...]:
    """The questions of a decision; `state` is the asker's belief."""
    asked = decision.ruling.msg.id
    if asked in RALLY:
        ids = [o.id for o in decision.options if o.id.startswith("u:")]
        text = N_("rally of {option}")
    elif asked in FIRE:
        ids = [o.id for o in decision.options if o.id not in ("b:passa",)]
        text = N_("attack: {option}")
        if not is_los_free(state):
            text = N_("attack, if LOS is clear: {option}")
    elif asked in CLOSE:
        ids = [o.id for o in decision.options]
        text = N_("CC: {option}")
    else:
        return ()
    return tuple(
        Question(
            msg(text, option=one, hex=str(decision.ruling.msg.facts.get("hex", one[2:]))),
            (Command(decision.side, one),),
            read,
            assume,
        )
        for one in ids[:MOST]
    )


def assume(decision: Decision) -> tuple[str, Ruling] | None:
    """Decisions on the way: LOS, nobody joins, nobody directs, the ROF is kept."""
    ids = [o.id for o in decision.options]
    facts = decision.ruling
    if facts.msg.id == LOS_ASKED:
        return ids[0], rule("3.2.1.declare", N_("LOS is not checked yet: taken for clear"))
    if facts.msg.id in ("who fires?", "who moves?", "who routs?", "who advances?"):
        return None
    for wanted in DEFAULTS:
        if wanted in ids:
            locators = tuple(ref[6:] for ref in facts.refs)
            return wanted, rule(locators, N_("taken for granted: {option}"), option=wanted)
    return None


def read(before: State, after: State) -> Msg:
    """What came of it, in numbers."""
    dead = reduced = broken = pinned = rallied = tanks = jammed = 0
    for name, old in before.units.items():
        new = after.units[name]
        if old.place == MAP and new.place != MAP:
            dead += 1
            continue
        reduced += old.type != new.type or (new.wounded and not old.wounded)
        broken += new.broken and not old.broken
        pinned += new.pinned and not old.pinned
        rallied += old.broken and not new.broken
    for name, was in before.vehicles.items():
        now = after.vehicles[name]
        tanks += now.wreck and not was.wreck
        broken += (bool(now.shock) and not was.shock) or (bool(now.stun) and not was.stun)
    for name, had in before.weapons.items():
        jammed += after.weapons[name].broken and not had.broken
    return msg(
        N_("{dead} lost, {reduced} reduced, {broken} broken, {pinned} pinned, {rallied} rallied"),
        dead=dead,
        reduced=int(reduced),
        broken=int(broken),
        pinned=int(pinned),
        rallied=int(rallied),
        tanks=int(tanks),
        jammed=int(jammed),
    )
