"""Search over the rules: Italian analysis, Whoosh's posting lists, ranking. All of Whoosh is here.

Whoosh keeps the index. For every stem it lists the entries, weighted over their fields (title,
words, questions, text…) as BM25F wants it. The lists are summed by hand: of a word and its
synonyms the best counts, not the sum (docs/adr/0006-own-italian-analyzer.md). What answers is a
passage of an entry, a sentence or the row of a table: it weighs in the ranking and is shown whole.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property, lru_cache
from heapq import nlargest
from math import log
from operator import itemgetter
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import msgspec

from rules_it.corpus import CELL, NUMBER, Corpus, CorpusError, RuleRef, read_compiled

TABLES = "search.bin"
WHOOSH = "whoosh"
WORD = re.compile(r"(?<!\w)[+−-]\d+|\d+(?:[.,]\d+)+|[^\W_]+#?")
REF_LIKE = re.compile(r"\d|\w[:._]\w|\w-\w+\.")
LONGEST_QUERY = 400
FEW = 25  # letters of a sentence that is not shown without the next
EXTRACT, LEAD = 320, 60  # letters shown of a passage at most, and of those before its first word

# How much a word weighs in each field, and how much the field's length matters (the b of BM25F).
FIELDS = {
    "number": (8.0, 0.0),
    "title": (8.0, 0.7),
    "words": (3.5, 0.4),
    "questions": (4.5, 0.5),
    "text": (2.2, 0.8),
    "heading": (2.2, 0.4),
    "examples": (1.1, 0.6),
}
K1 = 3.0
# How surely a word or a phrase means a concept: a synonym or an alias, of all titles or of one.
MEMBER, ALIAS, OWN_MEMBER, OWN_ALIAS = range(4)
SURE = (0.65, 0.45, 0.95, 0.5)
SURE_PHRASE = (1.0, 0.9, 1.3, 1.2)
PREFIX = 0.6
RERANKED, ENOUGH = 20, 300  # entries weighed again, entries to choose them from
COVERAGE = 0.3
LIKENESS = 0.8
WITHIN = 0.65  # how like a question is one that contains it
LINKED = 0.08  # an entry gains from the best that it is linked with
LEADING = 1.05  # … and more in the first, which mostly answers
GIVEN = 0.25  # what a word weighs in a passage that the title has said
AMONG = 0.7  # entries whose words score so much of the best have their passages weighed
PASSAGE = 0.35  # … and from saying in one passage what is asked
NEAR = 0.12  # … and from being about what the one who asks has before him
KNOWN = 0.1  # … and from being one that many others lead to
KINDS = {"meccanica": 1.08, "tabella": 1.04, "preparazione": 0.97, "componente": 0.95, "faq": 0.95,
         "casa": 0.9, "consiglio": 0.88}  # what decides stands before what explains  # fmt: skip
BELOW = 0.6  # a house ruling leads to a rule that it interprets and that scores so much of it
ASKED = 0.25  # … and an FAQ to one that it touches
PARTICULAR = 0.88  # … and a particular rule below the general one of its family
ENOUGH_SAID = 0.55  # what the best must score of the most that the words could bring
LONG = 5  # … less, where there are more words than these: people tell a story around a question
STRANGE = 3.0  # … where a word that no entry has weighs so many rare ones
SHORT = 5  # letters of a word which, mistyped, may be another one
MENDED = 0.5  # … and mistyped words, if all are, leave so much of the score
ANSWERS = 3  # entries of one title that answer, at the most
FIRST = 0.8  # the best of each title comes first, if it scores so much of the best of all


Phrases = dict[str, list[tuple[list[str], str, int]]]
"""First stem -> all stems of a phrase, the concept that it means, its kind."""


class Lexicon(msgspec.Struct):
    """What the analyzer knows of the words of the corpus and of the glossaries."""

    stop: set[str]
    apart: dict[str, str]  # word -> its own stem, where the stemmer would join it to others
    joined: dict[str, str]  # stem -> the stem it is one with
    words: dict[str, str]  # every known word -> its stem; sorted
    counts: list[int]  # how often each of them stands in the corpus
    accents: dict[str, str]  # word without its accents -> word
    strange: set[str]  # stems of words about other things than these games


Passage = tuple[int, int, int, int]
"""A sentence or row of a text: start, end; of a row also where its heading starts and ends, of
the beginning of a table -1 and where its rows start."""


class Tables(msgspec.Struct):
    """What the search knows beside the posting lists."""

    lexicon: Lexicon
    phrases: Phrases
    refs: list[RuleRef]  # by document number, as all that follows
    texts: list[str]  # without markup, on one line
    said: list[bytes]  # the words of each text that say something (_Said), packed until shown
    passages: list[list[Passage]]  # the sentences and rows of each text
    links: list[list[int]]  # the documents that each is linked with, either way
    under: dict[int, tuple[float, list[int]]]  # those that come after others which score so much
    questions: list[list[tuple[str, float]]]  # stems and concepts of each, and what they weigh
    worth: list[float]  # what each is worth before anything is asked: its kind, how well known


Token = tuple[int, int, str, str]  # a word of a text: start, end, how it is written, its stem
_Said = list[tuple[int, int, str]]  # the same of a text that is shown: start, end, stem


class Hit(msgspec.Struct, frozen=True):
    """An entry found. Spans are character ranges, in extract and title, of what was asked for;
    `answer` is the passage as it stands in the text, line by line."""

    ref: RuleRef
    score: float
    title: str
    extract: str
    spans: tuple[tuple[int, int], ...] = ()
    title_spans: tuple[tuple[int, int], ...] = ()
    answer: str = ""


class Results(msgspec.Struct, frozen=True):
    """The hits, best first; the query as corrected, if it was; a remark; how many of the hits
    answer, while the others may help too.

    Notes: `empty` no words; `common` only words that stand everywhere; `nothing` no entry has
    them; `number` there is no such rule, the nearest ones are shown.
    """

    hits: tuple[Hit, ...] = ()
    corrected: str = ""
    note: str = ""
    first: int = 0


def fold(word: str) -> str:
    """The word without accents."""
    if word.isascii():
        return word
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))


class Analyzer:
    """From text to stems: elisions, lost accents, stop words, exceptions, Snowball, folding."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.stem = lru_cache(20_000)(self._stem)
        self.word = lru_cache(20_000)(self._word)

    def tokens(self, text: str) -> list[Token]:
        """The words that say something. A stop word in capitals is an abbreviation and stays."""
        stop, found = self.lexicon.stop, []
        shouted = text.isupper() and " " in text.strip()
        plain = self._plain.get
        for match in WORD.finditer(text):
            raw = match.group()
            stem = plain(raw)
            if stem is not None:
                if stem:
                    found.append((*match.span(), raw, stem))
                continue
            word, stem = self.word(raw)
            if word in stop:
                if shouted or len(raw) == 1 or not raw.isupper():
                    continue
                word, stem = raw, self.stem(raw)
            start, end = match.span()
            if not raw[0].isalnum():  # +1 is said, and so is 1
                found.append((start + 1, end, raw[1:], raw[1:]))
            if len(raw) == 1 and text[end : end + 1] in ("'", "’") and text[end + 1 : end + 2]:
                continue
            found.append((start, end, word, stem))
        return found

    def _word(self, raw: str) -> tuple[str, str]:
        """A word as it is spelt in small letters, and its stem."""
        word = raw.lower()
        if word not in self.lexicon.words:
            word = self.spelled(word)
        return word, self.stem(word)

    @cached_property
    def _plain(self) -> dict[str, str]:
        """The stems of known words as most are written, in small letters; none for stop words."""
        plain = {word: stem for word, stem in self.lexicon.words.items() if len(word) > 1}
        return plain | dict.fromkeys((word for word in self.lexicon.stop if len(word) > 1), "")

    def stems(self, text: str) -> list[str]:
        """The stems of a text, in order."""
        return [stem for _, _, _, stem in self.tokens(text)]

    def spelled(self, word: str) -> str:
        """The word with the accent that it lost or got wrong."""
        if self.knows(word):
            return word
        return self.lexicon.accents.get(fold(word), word)

    def knows(self, word: str) -> bool:
        """Does the word stand in the corpus, in a glossary or among the stop words?"""
        return word in self.lexicon.words or word in self.lexicon.stop

    def _stem(self, word: str) -> str:
        known = self.lexicon.words.get(word)
        return self.compute(word) if known is None else known

    def compute(self, word: str) -> str:
        """The stem of a word, worked out."""
        lexicon = self.lexicon
        if word.isupper():
            return word  # an abbreviation that would be a stop word
        if word in lexicon.apart:
            return lexicon.apart[word]
        if not word[0].isalpha():
            return word.replace(",", ".").replace("−", "-")
        if word[-1] == "s" != word[-2:-1] and len(word) > 3 and word[:-1] in lexicon.words:
            return self.compute(word[:-1])  # an English plural
        stem = stemmer()(word)
        return fold(lexicon.joined.get(stem, stem))


@cache
def stemmer() -> Callable[[str], str]:
    """Whoosh's Italian Snowball stemmer, imported when a new word comes."""
    from whoosh.lang.snowball.italian import ItalianStemmer

    stem: Callable[[str], str] = ItalianStemmer().stem
    return stem


class Speller:
    """Known words near a mistyped one."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon

    @cached_property
    def words(self) -> list[str]:
        """All known words, sorted."""
        return list(self.lexicon.words)

    @cached_property
    def counts(self) -> dict[str, int]:
        """How often each known word stands in the corpus."""
        return dict(zip(self.lexicon.words, self.lexicon.counts, strict=True))

    def correct(self, word: str) -> str:
        """The likeliest word meant, or nothing. Two slips are forgiven in eight letters."""
        if len(word) < 4 or not word.isalpha():
            return ""
        best = max(self._one_slip(word), default=(0.0, ""))[1] or self._split(word)
        if not best and len(word) >= 8:
            best = max(self._two_slips(word), default=(0, ""))[1]
        return best

    def english(self, word: str) -> str:
        """The known English word of which this is a form: `firing` -> `fire`."""
        for ending in ("ing", "ed", "es", "er", "s"):
            base = word.removesuffix(ending)
            if base != word and len(base) > 2:
                for known in (base, base + "e", base[:-1]):
                    if known in self.lexicon.words:
                        return known
        return ""

    def starting(self, prefix: str, most: int = 10) -> list[str]:
        """The commonest known words that begin so."""
        first = bisect_left(self.words, prefix)
        found = self.words[first : bisect_left(self.words, prefix + "\uffff")]
        return sorted(found, key=self.counts.__getitem__, reverse=True)[:most]

    def _one_slip(self, word: str) -> Iterator[tuple[float, str]]:
        """Known words one letter added, lost, changed or swapped away, with their likelihood."""
        counts, stop = self.counts, self.lexicon.stop
        cuts = [(word[:i], word[i:]) for i in range(len(word) + 1)]
        slips: dict[str, float] = {}
        for a, b in cuts:
            doubled = 4.0 if a[-1:] == b[:1] else 1.0
            first = 1.0 if a else 0.2
            slips[a + b[1:]] = first * doubled
            slips[a + b[1:2] + b[:1] + b[2:]] = first * 4.0
            for letter in "abcdefghijklmnopqrstuvwxyzàèéìòù":
                slips[a + letter + b[1:]] = first
                slips[a + letter + b] = first * (4.0 if letter in (a[-1:], b[:1]) else 1.0)
        for slip, weight in slips.items():
            if slip in counts or slip in stop:
                yield weight * counts.get(slip, 50), slip

    def _two_slips(self, word: str) -> Iterator[tuple[int, str]]:
        first = bisect_left(self.words, word[0])
        letters = set(word)
        for other in self.words[first : bisect_left(self.words, word[0] + "\uffff")]:
            if abs(len(other) - len(word)) <= 2 and len(letters ^ set(other)) <= 4:
                away = distance(word, other)
                if away <= 2:
                    yield self.counts[other] * (3 - away), other

    def _split(self, word: str) -> str:
        counts = self.counts
        halves = ((word[:i], word[i:]) for i in range(4, len(word) - 3))
        known = (
            (min(counts[a], counts[b]), f"{a} {b}") for a, b in halves if {a, b} <= counts.keys()
        )
        return max(known, default=(0, ""))[1]


def distance(a: str, b: str) -> int:
    """Damerau-Levenshtein: letters added, lost, changed or swapped with their neighbour."""
    before: list[int] = []
    above = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            best = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                best = min(best, before[j - 2] + 1)
            row.append(best)
        before, above = above, row
    return above[-1]


class Phrase(NamedTuple):
    """Words i to j of a text mean a concept; the kind says how surely."""

    i: int
    j: int
    concept: str
    kind: int


def phrases_in(stems: list[str], known: Phrases) -> Iterator[Phrase]:
    """The glossary's words and phrases in a run of stems."""
    for i, stem in enumerate(stems):
        for phrase, concept, kind in known.get(stem, ()):
            j = i + len(phrase)
            if j == i + 1 or stems[i:j] == phrase:
                yield Phrase(i, j, concept, kind)


Terms = tuple[tuple[str, float], ...]  # what may stand for a word of the query, with weights
Scores = dict[int, float]  # by document number
_AskedTerms = dict[str, list[tuple[int, float]]]  # which word it may stand for, what it then weighs


class _Query(NamedTuple):
    slots: tuple[Terms, ...]
    phrases: tuple[Phrase, ...]
    corrected: str
    said: bool  # was there any word but stop words?
    mended: float  # words put right; a short one may have been another word, and counts twice


class Index:
    """An open index. Threads may share it."""

    def __init__(self, corpus: Corpus, tables: Tables, reader: Any) -> None:
        self.corpus = corpus
        self.tables = tables
        self.analyzer = Analyzer(tables.lexicon)
        self.speller = Speller(tables.lexicon)
        self._reader = reader
        self._lock = Lock()
        self._places = {ref: doc for doc, ref in enumerate(tables.refs)}
        self._answer = lru_cache(512)(self._search)
        self._term = lru_cache(4096)(self._term_scores)
        self._slot = lru_cache(2048)(self._slot_scores)
        self._only = lru_cache(64)(self._documents)
        self._questions = lru_cache(2048)(self._question_bags)
        self._words = lru_cache(2048)(self._words_shown)

    @classmethod
    def open(cls, folder: Path, corpus: Corpus | None = None) -> Index:
        """The index in a folder made by `rules_it.build`, which nobody else may write to."""
        from whoosh.index import IndexError as NoIndex
        from whoosh.index import open_dir

        _mend_reader()
        tables = read_compiled(folder / TABLES, Tables)
        try:
            reader = open_dir(str(folder / WHOOSH), readonly=True, schema=schema()).reader()
        except (OSError, NoIndex) as error:
            raise CorpusError(f"{folder}: {error}") from error
        return cls(corpus or Corpus.load(folder), tables, reader)

    def search(
        self,
        query: str,
        *,
        titles: Iterable[str] = (),
        kinds: Iterable[str] = (),
        limit: int = 10,
        typing: bool = False,
        near: Iterable[RuleRef] = (),
    ) -> Results:
        """The entries that answer a query, best first; in more than one title the best of each
        before the others. `typing`: the last word may be unfinished.

        `kinds` are the `tipo` of rules, and `casa` for house rulings; `near` are entries about
        what the one who asks has before him.
        """
        text = unicodedata.normalize("NFC", query)[:LONGEST_QUERY]
        typing = typing and text[-1:].isalpha()
        words = " ".join(text.split())
        asked = _Asked(words, frozenset(titles), frozenset(kinds), limit, typing, frozenset(near))
        return self._answer(asked)

    def marker(self, query: str) -> Callable[[str], tuple[tuple[int, int], ...]]:
        """What finds, in any text, the words that a search for the query marks: inflected, and
        said otherwise. The last word may be unfinished."""
        text = " ".join(unicodedata.normalize("NFC", query)[:LONGEST_QUERY].split())
        named, rest = self.corpus.named(text)
        shown = self._shown(self._read(rest if named and rest else text, text[-1:].isalpha()))
        return lambda words: _spans(_marks(said(self.analyzer, words), shown))

    def meanings(self, text: str, title: str) -> tuple[frozenset[str], ...]:
        """For each word of a text that says something in a title, the stems and concepts that it
        may stand for: two words that share one speak of the same."""
        query = self._read(text, False)
        found = []
        for place, terms in enumerate(query.slots):
            named = {phrase.concept for phrase in query.phrases if phrase.i <= place < phrase.j}
            meant = {term for term, _ in terms} | named
            scopes = ("", title)
            found.append(frozenset(t for t in meant if "§" not in t or t.split("§")[0] in scopes))
        return tuple(found)

    def _search(self, asked: _Asked) -> Results:
        text, titles, kinds, limit, typing, near = asked
        named, rest = self.corpus.named(text)
        if rest and named and not titles:
            titles = frozenset(named)
        query = self._read(rest or text, typing)
        allowed = self._only(titles, kinds)
        shown = self._shown(query)
        found = self._rank(query, shown, allowed, limit, near)
        if not NUMBER.fullmatch(text) and not self._is_sure(query, found):
            found = {}
        ordered, first = self._ordered(found, titles)
        ranked = {self.tables.refs[doc]: score for doc, score in ordered}
        refs, note = self._by_ref(text, allowed, ranked) if REF_LIKE.search(text) else ([], "")
        scores = {ref: 1000.0 - place for place, ref in enumerate(refs)} | {
            ref: score for ref, score in ranked.items() if ref not in refs
        }
        best = {self.tables.refs[doc]: one.best for doc, one in found.items()}
        hits = tuple(
            self._hit(ref, score, shown, best.get(ref) or self._best(self._places[ref], shown, ()))
            for ref, score in list(scores.items())[: max(limit, 0)]
        )
        if not hits and not note:
            note = "nothing" if query.said else "common" if WORD.search(text) else "empty"
        return Results(hits, query.corrected, note, len(refs) or min(first, len(hits)))

    # --- reading the query ------------------------------------------------------------------

    def _by_ref(
        self, text: str, allowed: set[int] | None, ranked: dict[RuleRef, float]
    ) -> tuple[list[RuleRef], str]:
        """The entry that the query names and its children, or the nearest to a wrong number."""
        corpus = self.corpus
        refs, note = [*corpus.candidates(text), *corpus.below(text)], ""
        if not refs:  # a number among words, which say which book is meant
            slugs = " ".join(corpus.named(text)[0])
            found = (corpus.candidates(f"{slugs} {number}") for number in NUMBER.findall(text))
            refs = sorted((r for refs in found for r in refs), key=lambda r: -ranked.get(r, 0.0))
        if not refs and NUMBER.fullmatch(corpus.locator(text)):
            refs, note = list(corpus.nearest(text)), "number"
        if allowed is not None:
            refs = [ref for ref in refs if self._places[ref] in allowed]
        return refs, note if refs else ""

    def _read(self, text: str, typing: bool) -> _Query:
        """Words, and what may stand for each; mistyped words are put right."""
        tokens = self._tokens(text)
        stems: list[str] = []
        own: list[Terms] = []
        mended: list[tuple[int, int, str]] = []
        for start, end, word, stem in tokens:
            begun = self._begun(word, stem) if typing and end == len(text) else ()
            found = [stem] if not begun or self.analyzer.knows(word) else []
            strange = self.tables.lexicon.strange
            is_known = word.isupper() or self.analyzer.knows(word) or stem in strange
            if not is_known and len(self._term(stem)) < 2:  # a stem may meet another's by chance
                right = "" if begun else self.speller.english(word)
                if not right and not begun:
                    right = self.speller.correct(word)
                    mended += [(start, end, right)] if right else []
                found = self.analyzer.stems(right)
            stems += found or [stem]
            own += [((one, 1.0), *begun) for one in found] or [begun]
        phrases = list(phrases_in(stems, self.tables.phrases))
        slots = []
        for place, terms in enumerate(own):
            alone = [(p.concept, SURE[p.kind]) for p in phrases if (p.i, p.j) == (place, place + 1)]
            slots.append((*terms, *sorted(alone, key=lambda meant: -meant[1])))
        unlike = [end - start for start, end, right in mended if self.analyzer.stems(right)]
        doubtful = sum([1.0 if letters > SHORT else 2.0 for letters in unlike])
        longer = tuple(phrase for phrase in phrases if phrase.j > phrase.i + 1)
        return _Query(tuple(slots), longer, _mend(text, mended), bool(tokens), doubtful)

    def _tokens(self, text: str) -> list[Token]:
        """The words of a query; in a short one `ce` may be the abbreviation CE."""
        words = text.split()
        if len(words) > 3:
            return self.analyzer.tokens(text)
        ends = (0, len(words) - 1)  # between other words it joins them: "danni ai veicoli"
        stop = self.tables.lexicon.stop
        raised = " ".join(
            [w.upper() if n in ends and w in stop else w for n, w in enumerate(words)]
        )
        return [t for t in self.analyzer.tokens(raised) if not t[2].isupper() or self._term(t[3])]

    def _begun(self, prefix: str, own: str) -> Terms:
        """The words that an unfinished word may become."""
        words = self.speller.starting(prefix) if len(prefix) > 1 else []
        stems = {self.analyzer.stem(word) for word in words} - {own}
        return tuple((stem, PREFIX) for stem in sorted(stems))

    # --- scores -----------------------------------------------------------------------------

    def _rank(
        self,
        query: _Query,
        shown: _Shown,
        allowed: set[int] | None,
        limit: int,
        near: frozenset[RuleRef],
    ) -> dict[int, _Found]:
        """What the best entries score, each with the passage that answers best."""
        parts = [_inside(self._slot(terms), allowed) for terms in query.slots]
        fewest, *others = sorted(parts, key=len) or [{}]
        totals = dict(fewest)
        for part in others:  # what stands everywhere only adds to the rest
            if len(part) > len(totals) > ENOUGH:
                totals = {doc: score + part.get(doc, 0.0) for doc, score in totals.items()}
            else:
                for doc, score in part.items():
                    totals[doc] = totals.get(doc, 0.0) + score
        for phrase in query.phrases:
            sure = SURE_PHRASE[phrase.kind]
            for doc, score in _inside(self._term(phrase.concept), allowed).items():
                said = sum(part.get(doc, 0.0) for part in parts[phrase.i : phrase.j])
                totals[doc] = totals.get(doc, 0.0) + max(0.0, score * sure - said / 2)
        top = nlargest(max(RERANKED, limit), totals.items(), key=itemgetter(1))
        weights = [self._rarity(terms[0][0]) if terms else 0.0 for terms in query.slots]
        pairs = list(zip(weights, query.slots, parts, strict=True))
        asked: _AskedTerms = {}
        for place, terms in enumerate(query.slots):
            for term, sure in terms:
                asked.setdefault(term, []).append((place, weights[place] * sure))
        whole = sum(weights) or 1.0
        own: dict[int, float] = {}
        passages: dict[int, _Best] = {}
        for doc, score in top:
            bonus = self._bonus(doc, pairs, asked) * (1 + NEAR * (self.tables.refs[doc] in near))
            bonus *= self.tables.worth[doc]
            if score >= AMONG * top[0][1]:
                passages[doc] = best = self._best(doc, shown, weights)
                bonus *= 1 + PASSAGE * (best.weight / whole) ** 2
            own[doc] = score * bonus
        found = {}
        for doc, score in own.items():
            linked = max([own.get(other, 0.0) for other in self.tables.links[doc]], default=0.0)
            found[doc] = _Found(score + LINKED * linked, passages.get(doc))
        return found

    def _is_sure(self, query: _Query, found: dict[int, _Found]) -> bool:
        """Whether the best answers what was asked, and not just a word of it."""
        strange, known = self.tables.lexicon.strange, set[int]()
        most = 0.0
        for phrase in query.phrases:
            known |= set(range(phrase.i, phrase.j)) if self._term(phrase.concept) else set()
            most = max(most, self._rarity(phrase.concept) if known else 0.0)
        for place, terms in enumerate(query.slots):
            is_said = bool(self._slot(terms)) and terms[0][0] not in strange
            if is_said:
                most += self._least_rarity(terms)
            elif place not in known:
                most += STRANGE * self._rarity("")
        doubt = min(1.0, (1 - MENDED) * query.mended / max(1, len(query.slots)))
        best = max([one.score for one in found.values()], default=0.0)
        enough = ENOUGH_SAID * min(1.0, LONG / max(1, len(query.slots)))
        return best * (1 - doubt) >= enough * most

    def _ordered(
        self, found: dict[int, _Found], titles: frozenset[str]
    ) -> tuple[list[tuple[int, float]], int]:
        """Best first, and how many of them answer: in one title those that score near the best; in
        more than one the best of each, before all others. A house ruling or FAQ stands below the
        rule that it touches, and lifts it."""
        scores = {doc: one.score for doc, one in found.items()}
        for doc in sorted(scores.keys() & self.tables.under.keys()):
            share, others = self.tables.under[doc]
            above, rule = max([(scores.get(o, 0.0), -o) for o in others], default=(0.0, 0))
            if above > share * scores[doc]:
                if share < PARTICULAR:  # who asks what it answers asks about the rule
                    scores[-rule] = above = max(above, scores[doc])
                scores[doc] = min(scores[doc], above * 0.999)
        ordered = sorted(scores.items(), key=lambda scored: (-scored[1], scored[0]))
        near = [one for one in ordered if one[1] >= FIRST * ordered[0][1]]
        if len(titles) == 1:
            return ordered, min(len(near), ANSWERS)
        best: dict[str, tuple[int, float]] = {}
        for doc, score in near:
            best.setdefault(self.tables.refs[doc].partition(":")[0], (doc, score))
        first = list(best.values())
        return [*first, *(one for one in ordered if one not in first)], len(first)

    def _best(self, doc: int, shown: _Shown, weights: Sequence[float]) -> _Best:
        """The passage of an entry that says most of what was asked, together with its title and,
        for a row, its heading; the first of equals."""
        title, text = self._words(self.tables.refs[doc])
        marks, given = _marks(text, shown), {place for _, _, place in _marks(title, shown)}
        passages = self.tables.passages[doc]
        chosen, at = passages[0] if passages else (0, 0, 0, 0), 0
        best = most = self._weigh(given, given, weights)
        whole = sum([weights[place] for place in given]) if weights else 0.0
        headings: dict[int, set[int]] = {}
        for number, passage in enumerate(passages):
            start, end, head, head_end = passage
            while at < len(marks) and marks[at][0] < start:
                at += 1
            said, last, mark = set(), head_end if head < 0 else end, at
            while mark < len(marks) and marks[mark][0] < last:
                said.add(marks[mark][2])
                mark += 1
            if not said:
                continue
            if head > 0 or (head == 0 and head_end):
                if head not in headings:
                    headings[head] = {n for s, _, n in marks if head <= s < head_end}
                said |= headings[head]
            weight = self._weigh(said, given, weights)
            if weight > most and (number + 1 == len(passages) or passages[number + 1][0] >= end):
                most = weight  # of one sentence, item or row: a list says more by being long
                whole = sum([weights[place] for place in given | said]) if weights else 0.0
            if weight * (LEADING if number == 0 else 1.0) > best:
                chosen, best = passage, weight * (LEADING if number == 0 else 1.0)
        return _Best(whole, chosen, marks)

    @staticmethod
    def _weigh(said: set[int], given: set[int], weights: Sequence[float]) -> float:
        """What words of the query weigh in a passage; less where the title says them anyway."""
        return sum(
            [(weights[n] if weights else 1.0) * (GIVEN if n in given else 1.0) for n in said]
        )

    def _bonus(
        self, doc: int, words: Sequence[tuple[float, Terms, Scores]], asked: _AskedTerms
    ) -> float:
        """More for covering the whole query, more for being asked so in the rule's questions."""
        whole = sum([weight for weight, _, _ in words]) or 1.0
        covered = sum([weight for weight, _, scores in words if doc in scores])
        like, wanted = 0.0, frozenset(asked)
        for bag, size in self._questions(doc):
            shared: dict[int, float] = {}
            for term in bag & wanted:
                for place, said in asked[term]:
                    if said > shared.get(place, 0.0):
                        shared[place] = said
            both = sum(shared.values())
            alike = 2 * both / (whole + size)
            if len(shared) > 1:  # a short question may stand whole in a long one
                alike = max(alike, WITHIN * min(1.0, both / size))
            if alike > like:
                like = alike
        return (1 - COVERAGE * (1 - covered / whole)) * (1 + LIKENESS * like**3)

    def _slot_scores(self, terms: Terms) -> Scores:
        if not terms:
            return {}
        (first, sure), *others = terms
        best = {doc: score * sure for doc, score in self._term(first).items()}
        for term, weight in others:
            for doc, score in self._term(term).items():
                if score * weight > best.get(doc, 0.0):
                    best[doc] = score * weight
        return best

    def _term_scores(self, term: str) -> Scores:
        """BM25F of one stem or concept."""
        found = self._postings("all", term)
        rare = rarity(len(found), len(self.tables.refs))
        return {doc: rare * weight / (K1 + weight) for doc, weight in found}

    def _least_rarity(self, terms: Terms) -> float:
        """What the commonest that may stand for a word weighs."""
        return min(self._rarity(term) for term, _ in terms if self._term(term))

    def _rarity(self, term: str) -> float:
        return rarity(len(self._term(term)), len(self.tables.refs))

    def _postings(self, field: str, term: str) -> list[tuple[int, float]]:
        """The documents that hold a term, and its weight in each."""
        from whoosh.reading import TermNotFound

        found = []
        with self._lock:  # matchers of one reader share a file and its position
            try:
                matcher = self._reader.postings(field, term)
            except TermNotFound:
                return []
            is_active, document, weight = matcher.is_active, matcher.id, matcher.weight
            follow = matcher.next
            while is_active():
                found.append((document(), weight()))
                follow()
        return found

    def _documents(self, titles: frozenset[str], kinds: frozenset[str]) -> set[int] | None:
        """The documents that the filters leave; None for all."""
        left: set[int] | None = None
        for field, values in (("book", titles), ("kind", kinds)):
            if values:
                found = {doc for value in values for doc, _ in self._postings(field, value)}
                left = found if left is None else left & found
        return left

    def _question_bags(self, doc: int) -> list[tuple[frozenset[str], float]]:
        return [(frozenset(bag.split()), size) for bag, size in self.tables.questions[doc]]

    # --- what is shown ------------------------------------------------------------------------

    @cached_property
    def _names(self) -> dict[str, list[list[str]]]:
        """How texts say each concept."""
        found: dict[str, list[list[str]]] = {}
        for phrases in self.tables.phrases.values():
            for phrase, concept, kind in phrases:
                if kind in (MEMBER, OWN_MEMBER):
                    found.setdefault(concept, []).append(phrase)
        return found

    def _shown(self, query: _Query) -> _Shown:
        """What to mark in titles and texts, by first stem: phrases, and the word they answer."""
        meant = [(t, place) for place, terms in enumerate(query.slots) for t, _ in terms]
        meant += [(phrase.concept, phrase.i) for phrase in query.phrases]
        found: _Shown = {}
        for term, place in meant:
            for phrase in self._names.get(term, ([term],)):
                found.setdefault(phrase[0], []).append((phrase, place))
        return found

    def _hit(self, ref: RuleRef, score: float, shown: _Shown, best: _Best) -> Hit:
        title, text = self.corpus.entries[ref].title, self.tables.texts[self._places[ref]]
        in_title = tuple([mark[:2] for mark in _marks(self._words(ref)[0], shown)])
        start, end, head, head_end = best.passage
        row = with_heading(text[start:end], text[head:head_end] if head >= 0 else "")
        if row:
            marks = _marks(said(self.analyzer, row), shown)
            return Hit(ref, score, title, row, _spans(marks), in_title, text[start:end])
        answer = self._lines(ref, start, end)
        first, last = _window(best.marks, text, start, end)
        before, after = "…" if first > start else "", "…" if last < end else ""
        shift = len(before) - first
        inside = [(s + shift, e + shift, n) for s, e, n in best.marks if first <= s and e <= last]
        extract = before + text[first:last] + after
        return Hit(ref, score, title, extract, _spans(inside), in_title, answer)

    def _lines(self, ref: RuleRef, start: int, end: int) -> str:
        """A passage as it stands in the text: what introduces items or rows and each of them on a
        line of its own."""
        place = self._places[ref]
        text, passages = self.tables.texts[place], self.tables.passages[place]
        after = bisect_left(passages, (start + 1,))
        if after == len(passages) or passages[after][0] >= end:
            return text[start:end]
        inside = [(a, head) for a, b, head, _ in passages[after:] if b <= end]
        cuts = [start, *sorted({at for pair in inside for at in pair if at > start})]
        return "\n".join(text[a:b].rstrip() for a, b in zip(cuts, [*cuts[1:], end], strict=True))

    def _words_shown(self, ref: RuleRef) -> tuple[_Said, _Said]:
        title = said(self.analyzer, self.corpus.entries[ref].title)
        return title, _UNPACK(self.tables.said[self._places[ref]])


_UNPACK = msgspec.msgpack.Decoder(_Said).decode


def said(analyzer: Analyzer, text: str) -> _Said:
    """The words of a text that say something, as much as showing them needs."""
    return [(start, end, stem) for start, end, _, stem in analyzer.tokens(text)]


_Shown = dict[str, list[tuple[list[str], int]]]
_Mark = tuple[int, int, int]  # start, end, which word of the query


class _Asked(NamedTuple):
    text: str
    titles: frozenset[str]
    kinds: frozenset[str]
    limit: int
    typing: bool
    near: frozenset[RuleRef]


class _Best(NamedTuple):
    """The passage of an entry that answers best, what it says of the query, all marks."""

    weight: float
    passage: Passage
    marks: list[_Mark]


class _Found(NamedTuple):
    score: float
    best: _Best | None  # of those that may come first


def rarity(found_in: int, documents: int) -> float:
    """What a term weighs that stands in so many documents."""
    return log(1 + (documents - found_in + 0.5) / (found_in + 0.5))


def _inside(scores: Scores, allowed: set[int] | None) -> Scores:
    if allowed is None:
        return scores
    return {doc: score for doc, score in scores.items() if doc in allowed}


def _marks(words: _Said, shown: _Shown) -> list[_Mark]:
    """The words to mark in a text, in order."""
    found: dict[int, _Mark] = {}
    for i, word in [(i, word) for i, word in enumerate(words) if word[2] in shown]:
        start, end, stem = word
        for phrase, place in shown[stem]:
            if len(phrase) == 1:
                found[start] = (start, end, place)
            elif [one[2] for one in words[i : i + len(phrase)]] == phrase:
                for first, last, _ in words[i : i + len(phrase)]:
                    found[first] = (first, last, place)
    return sorted(found.values())


def _spans(marks: Iterable[_Mark]) -> tuple[tuple[int, int], ...]:
    return tuple([(start, end) for start, end, _ in marks])


def _window(marks: Sequence[_Mark], text: str, start: int, end: int) -> tuple[int, int]:
    """What is shown of a passage: all of it, or of a long one the stretch with most of the marks,
    cut between words."""
    if end - start <= EXTRACT:
        return start, end
    inside = [mark for mark in marks if start <= mark[0] < end]

    def shown(first: int) -> int:
        last = first + EXTRACT - LEAD
        return len({word for s, e, word in inside if first <= s and e <= last})

    first = max((mark[0] for mark in inside), key=shown, default=start)
    first = start if first - start <= LEAD else text.rfind(" ", start, first - LEAD // 2) + 1
    last = first + EXTRACT
    return (first, end) if last >= end else (first, text.rfind(" ", first, last))


SENTENCE = re.compile(r"(?<=[\w)»%½×]{2})[.!?][»)]?\s+(?=[A-ZÀ-Ý«(\d])")


def passages_of(text: str) -> list[Passage]:
    """The sentences, items and rows of a plain text, line by line. The first of several rows is
    their heading, and stands for itself only where nothing else does. What introduces items or
    rows stands with as many of them as can be shown, and is the heading of each item."""
    found: list[Passage] = []
    lines: list[tuple[int, int, str]] = []
    for line in text.split("\n"):
        start = lines[-1][1] + 1 if lines else 0
        lines.append((start, start + len(line), line.rstrip()))
    heading, columns = (0, 0), 0
    items, intro, line_before = 0, (0, 0), ""
    for number, (start, end, line) in enumerate(lines):
        cells = line.count(CELL)
        if cells and cells != columns:
            if not line_before.endswith(":"):
                found.append(table_from(lines, number, number))
            heading, columns = (start, end), cells
        elif cells:
            found.append((start, end, *heading))
        elif items:
            found.append((start, end, *intro))
        else:
            columns = 0
            found += [(start + a, start + b, 0, 0) for a, b in sentences_of(line)]
        items = max(0, items - 1)
        if line.endswith(":") and not cells and not items:
            first = found.pop()[0] if found else start
            if number + 1 < len(lines) and CELL in lines[number + 1][2]:
                found.append((first, *table_from(lines, number, number + 1)[1:]))
            else:
                items, intro = below_of(lines[number + 1 :]), (first, end)
                found.append((first, fitting(lines[number : number + 1 + items], first), 0, 0))
        line_before = line
    return [(a, a + len(text[a:b].rstrip()), *rest) for a, b, *rest in found]  # type: ignore[misc]


_Lines = Sequence[tuple[int, int, str]]  # where each starts and ends


def table_from(lines: _Lines, first: int, heading: int) -> Passage:
    """A table with its heading, or what introduces it, as far as it can be shown; only what
    stands before its rows tells what it is about."""
    rows = next((n for n, at in enumerate(lines[heading:]) if CELL not in at[2]), len(lines))
    start = lines[first][0]
    return start, fitting(lines[first : heading + rows], start), -1, lines[heading][1]


def below_of(lines: _Lines) -> int:
    """How many lines are the items of what introduces them: up to a full stop."""
    last = next((n for n, (*_, line) in enumerate(lines) if not line.endswith(";")), len(lines) - 1)
    return min(len(lines), last + 1)


def fitting(lines: _Lines, first: int) -> int:
    """Where the last line ends that can be shown with the first, or the second in any case."""
    fit = [end for _, end, _ in lines if end - first <= EXTRACT]
    return max(fit or [lines[:2][-1][1]])


def sentences_of(line: str) -> Iterator[tuple[int, int]]:
    """Where the sentences of a line start and end. A question stands with its answer, and a few
    words with what follows them."""
    at = 0
    for match in SENTENCE.finditer(line):
        if line[match.start()] != "?" and match.end() - at >= FEW:
            yield at, match.end()
            at = match.end()
    if at < len(line):
        yield at, len(line)


def with_heading(row: str, heading: str) -> str:
    """A row of a table in words: what stands in each column; an item after what introduces it;
    nothing for a sentence."""
    names, values = heading.split(CELL), row.split(CELL)
    if heading.endswith(":") and len(names) == 1:
        return f"{heading} {row}"
    if not heading or len(names) != len(values):
        return ""
    small = [n[:1].lower() + n[1:] if n[1:2].islower() else n for n in names]
    cells = [f"{name} {value}" for name, value in zip(small[1:], values[1:], strict=True)]
    return f"{values[0]}: {CELL.join(cells)}"


def _mend(text: str, mended: Sequence[tuple[int, int, str]]) -> str:
    """The text with words replaced, or nothing when there are none."""
    for start, end, right in reversed(mended):
        text = text[:start] + right + text[end:]
    return text if mended else ""


def _mend_reader() -> None:
    """Give Whoosh's reader the `cached_property` of functools.

    The package it takes its own from asks asyncio for a function that Python 3.14 warns of and
    3.16 lacks (docs/adr/0005-whoosh-fork.md).
    """
    from whoosh.reading import SegmentReader

    name = "deleted_docs_set"
    mended = cached_property(vars(SegmentReader)[name].func)
    mended.__set_name__(SegmentReader, name)
    setattr(SegmentReader, name, mended)


def schema() -> Any:
    """The fields of the index; `all` is given the terms of an entry with their weights."""
    from whoosh.fields import ID, KEYWORD, Schema

    return Schema(
        ref=ID(stored=True), book=ID(), kind=ID(), all=KEYWORD(scorable=True, analyzer=weighted)
    )


def writer(folder: Path) -> Any:
    """What writes the entries of a new index; its lists are not compressed, to be read faster."""
    from whoosh.codec.whoosh3 import W3Codec
    from whoosh.index import create_in

    (folder / WHOOSH).mkdir()
    return create_in(str(folder / WHOOSH), schema()).writer(codec=W3Codec(compression=0))


def weighted(value: str, **options: Any) -> Iterator[Any]:
    """Whoosh's analyzer of `all`: a term and its weight on each line."""
    from whoosh.analysis import Token

    token = Token(**options)
    for line in value.splitlines():
        token.text, _, weight = line.partition(" ")
        token.boost = float(weight)
        yield token
