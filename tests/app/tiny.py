"""Two small books and a search without Whoosh: what the tests of the browser read."""

from __future__ import annotations

import re
from threading import Event

from rules_it.corpus import (
    Book,
    BookInfo,
    Chapter,
    Corpus,
    HouseRuling,
    Rule,
    RuleRef,
    Source,
    Term,
)
from rules_it.search import Hit, Results

LONG = "\n\n".join(f"Paragrafo {n} di una regola lunga." for n in range(40))
TABLE = """\
Il tiro decide.

{tabella: colpi}
| Tiro | Effetto |
| --- | --- |
| 1-3 | niente |
| 4-6 | un **colpo** |
"""


def rule(ref, title, text, kind="meccanica", section="", page="", **more):
    source = Source("R", section, "Fumo" if not section else "", page)
    return Rule(ref, title, kind, source, text, **more)


def ruling(ref, title, text, reason, about):
    return HouseRuling(ref, title, text, reason, (about,))


def corpus():
    """`ddob` has numbers, `toi` has none; both have a rule that the other's words find too."""
    ddob = Book(
        BookInfo("ddob", "D-Day at Omaha Beach", "DDOB", "terza", {"R": "Regolamento"}, True),
        (
            Chapter(
                "6. Fuoco tedesco",
                (
                    rule("ddob:6", "Il fuoco tedesco", "Pesca una carta.", section="6", page="10"),
                    rule(
                        "ddob:6.3",
                        "Risolvere il fuoco",
                        "Ogni posizione spara. Vedi 6.31 e [[ddob:7.1|il movimento]]. "
                        "{#fumo}Il fumo non ferma il fuoco; il fumo resta.",
                        section="6.3",
                        page="11",
                        see=("ddob:6.31",),
                        examples=("Una posizione sola spara una volta.",),
                        questions=("Chi spara?",),
                    ),
                    rule("ddob:6.31", "Limite dei colpi", TABLE, "tabella", "6.31", "12"),
                    rule(
                        "ddob:6.32",
                        "Quanti colpi con il fumo?",
                        "Gli stessi.",
                        "faq",
                        "6.32",
                        about=("ddob:6.31",),
                    ),
                ),
            ),
            Chapter(
                "7. Azioni",
                (
                    rule("ddob:7.1", "Muovere", LONG, section="7.1", page="14"),
                    rule("ddob:7.2", "Squadra", "Chi agisce.", "definizione", "7.2"),
                ),
            ),
        ),
        (ruling("ddob:casa.01", "Chi sceglie", "Scegli tu.", "Il libro tace.", "ddob:6.3"),),
        (Term("posizione", explanation="Dove sta il nemico.", definition=RuleRef("ddob:6")),),
    )
    toi = Book(
        BookInfo("toi", "Tide of Iron", "TOI", "2007", {"R": "Regolamento"}, False),
        (
            Chapter(
                "Ostacoli",
                (
                    rule(
                        "toi:fumo", "Fumo", "Il fumo dimezza.", page="47", provenance="ricostruito"
                    ),
                    rule("toi:bosco", "Bosco", "Il bosco copre.", page="48"),
                ),
            ),
        ),
    )
    return Corpus([toi, ddob])


class TinyIndex:
    """Finds words as they stand, best title first; `fumoo` is a typing error."""

    def __init__(self, corpus):
        self.corpus = corpus

    def marker(self, query):
        return lambda text: [m.span() for m in re.finditer(re.escape(query), text, re.IGNORECASE)]

    def search(self, query, *, titles=(), kinds=(), limit=10, typing=False, near=()):
        if not query.strip("?! "):
            return Results(note="empty")
        if query == "fumoo":
            return Results(self.search("fumo", limit=limit).hits, "fumo")
        hits = []
        for ref, entry in self.corpus.entries.items():
            slug, kind = ref.partition(":")[0], getattr(entry, "kind", "casa")
            if (titles and slug not in titles) or (kinds and kind not in kinds):
                continue
            text = self.corpus.plain(ref)
            words = query.lower()
            if words in f"{entry.title} {text}".lower():
                at = text.lower().find(words)
                spans = ((at, at + len(words)),) if at >= 0 else ()
                score = 2.0 if words in entry.title.lower() else 1.0
                hits.append(Hit(ref, score, entry.title, text[:160], spans))
        hits.sort(key=lambda hit: -hit.score)
        return Results(tuple(hits[:limit]), "", "" if hits else "nothing")


class TinyLibrary:
    """A library that is open already, or whose index takes its time."""

    def __init__(self, slow=False):
        self.corpus = corpus()
        self.index = None if slow else TinyIndex(self.corpus)
        self.built = Event()

    def open_corpus(self, *, alone=False):
        return self.corpus

    def open_index(self, progress=None, patience=None):
        if self.index is None:
            if patience is not None:
                return None
            if progress is not None:
                progress(1, 2)
            assert self.built.wait(10)
            self.index = TinyIndex(self.corpus)
        return self.index
