"""Dice from chains of hashes: what they prove, and where they end."""

from __future__ import annotations

import random

import msgspec
import pytest

from engine.core.ctx import RollRequest
from engine.core.dice import D6
from engine.core.rules import Command, Draw, Roll, RuleRef, Ruling
from engine.core.text import Msg
from engine.game import Game
from engine.saves import chains
from engine.saves.chains import Chain, ChainedChance, before, new_secret
from engine.saves.lines import FORMAT, Header, Ledger, Post, SaveError
from engine.saves.reading import Record
from engine.saves.replaying import chance_of, replay
from engine.titles import TITLES

SECRETS = {"us": "1" * 64, "de": "2" * 64}
PLAYERS = {"us": "umano", "de": "posta"}


def ledger(side: str = "us", is_open: bool = True) -> Ledger:
    """Both sides have committed; the first link of the first is open."""
    pledges = [(who, Chain(secret).commitment) for who, secret in SECRETS.items()]
    if is_open:
        pledges.append(("us", str(Chain(SECRETS["us"]).link(1))))
    return Ledger(("us", "de"), tuple(pledges), secret=SECRETS[side])


def head(side: str = "us") -> Header:
    players = {who: "umano" if who == side else "posta" for who in PLAYERS}
    return Header(FORMAT, "toi", TITLES["toi"].info.revision, "toi-s1", "", {}, players,
                  post=Post("aa", side))  # fmt: skip


def answer(game: Game, rng: random.Random) -> bool:
    """Give any answer; False if none is asked."""
    decision = game.position.decision
    if decision is not None:
        game.answer(decision.options[rng.randrange(len(decision.options))].id)
    return decision is not None


def played(known: Ledger | None = None, rolls: int = 8) -> Game:
    """A game in which the program of the first side has rolled so often."""
    game = Game(TITLES["toi"], "toi-s1", chance_of(head(), known or ledger()))
    rng = random.Random(1)
    while sum(isinstance(entry, Roll) for entry in game.entries) < rolls:
        assert answer(game, rng)
    return game


def test_each_link_leads_to_the_one_before_and_the_first_to_the_commitment():
    chain = Chain(new_secret())
    links = [chain.link(number) for number in range(1, 5)]
    assert [before(link) for link in links] == [chain.commitment, *links[:3]]
    assert chain.link(chains.LENGTH) is not None
    assert chain.link(chains.LENGTH + 1) is None


def test_the_other_side_finds_all_dice_honest_and_cannot_foretell_the_next():
    game = played()
    record = Record(head("de"), game.entries, {}, ledger=ledger("de"))
    assert replay(record, TITLES).forged == ()
    spent = {e.source for e in game.entries if not isinstance(e, Command)}
    following = Chain(SECRETS["us"]).link(len(spent) + 2)
    assert f"us:{following}" not in spent


def test_every_entry_of_chance_opens_a_link_of_who_gave_it():
    chance = [e for e in played().entries if isinstance(e, Roll | Draw)]
    assert len(chance) > 5
    assert all(e.source.startswith("us:") for e in chance)


@pytest.mark.parametrize("what", ["face", "link", "source", "swap"])
def test_dice_that_were_touched_are_named(what):
    entries = list(played().entries)
    rolls = [place for place, entry in enumerate(entries) if isinstance(entry, Roll)]
    place, later = rolls[2], rolls[3]
    roll = entries[place]
    if what == "face":
        faces = (roll.faces[0] % 6 + 1, *roll.faces[1:])
        entries[place] = Roll(roll.dice, faces, roll.source)
    elif what == "link":
        last = "0" if roll.source[-1] != "0" else "1"
        entries[place] = msgspec.structs.replace(roll, source=roll.source[:-1] + last)
    elif what == "source":
        entries[place] = msgspec.structs.replace(roll, source="")
    else:
        entries[place] = msgspec.structs.replace(roll, source=entries[later].source)
    loaded = replay(Record(head("de"), tuple(entries), {}, ledger=ledger("de")), TITLES)
    assert loaded.forged[:1] == (place + 1,) or loaded.divergence is not None


def test_dice_depend_on_what_the_others_committed_to():
    (first, theirs, opening), other = ledger().pledges, Chain("3" * 64).commitment
    changed = Ledger(("us", "de"), (first, (theirs[0], other), opening), secret=SECRETS["us"])
    request = RollRequest(D6 * 20, sum, Ruling((RuleRef("toi:1"),), Msg("dice")))
    rolls = [ChainedChance(known, "us").roll(request, 0) for known in (ledger(), changed)]
    assert rolls[0].source == rolls[1].source
    assert rolls[0].faces != rolls[1].faces


def test_before_the_first_link_the_dice_wait():
    game = Game(TITLES["toi"], "toi-s1", ChainedChance(ledger(is_open=False), "us"))
    rng = random.Random(1)
    while answer(game, rng):
        pass
    assert game.position.request is not None
    assert not any(isinstance(entry, Roll | Draw) for entry in game.entries)


def test_at_the_end_of_a_chain_the_game_waits_and_nothing_is_lost(monkeypatch):
    monkeypatch.setattr(chains, "LENGTH", 4)
    game = Game(TITLES["toi"], "toi-s1", chance_of(head(), ledger()))
    rng = random.Random(1)
    while answer(game, rng):
        pass
    assert game.position.request is not None
    assert sum(isinstance(entry, Roll | Draw) for entry in game.entries) == 3
    again = replay(Record(head(), game.entries, {}, ledger=ledger()), TITLES)
    assert again.game.entries == game.entries
    assert again.forged == ()


def test_the_dice_of_one_side_do_not_play_for_another():
    with pytest.raises(SaveError, match="side that plays here"):
        chance_of(head("de"), ledger("us"))
    swapped = msgspec.structs.replace(head(), players={"us": "posta", "de": "umano"})
    with pytest.raises(SaveError, match="side that plays here"):
        chance_of(swapped, ledger("us"))
