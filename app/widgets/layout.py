"""Sets the page of a rule into lines of a given width, with its links and found words marked.

Links and matches are numbers in the meta of their style, so that a wrapped line still knows them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from textual.content import Content
from textual.style import Style

from app.rules.page import Cell, Page, Part, Run, Section
from app.shell.i18n import _

BOXED = {"casa", "faq", "errata", "note", "examples", "reason"}
"""Sections set off from the text by a bar at their left."""

LONGEST_CELL = 8
"""Words of a table of numbers and short marks, which are not broken."""

Marker = Callable[[str], Iterable[tuple[int, int]]]
"""Finds in a text the words that somebody searched the books for."""

BAR, BULLET, COLUMN, RULE, CROSS = "▎ ", "• ", " │ ", "─", "─┼─"


class Target(NamedTuple):
    """Where a link leads, and what it says of it."""

    ref: str
    hint: str


class Layout:
    """A page set in lines. `style` gives the style of a name of the style sheet."""

    def __init__(
        self,
        page: Page,
        width: int,
        style: Callable[[str], Style],
        find: str = "",
        sought: Marker | None = None,
    ) -> None:
        self.lines: list[Content] = []
        self.links: list[Target] = []
        self.matches = 0
        self._width = width
        self._style = style
        self._find = fold(find)
        self._sought = sought
        self._set(page)

    def line_of(self, key: str, number: int) -> int | None:
        """The first line that holds a link or a match."""
        return next(self._lines_with(key, number), None)

    def cited(self, height: int) -> tuple[int, int] | None:
        """The lines from the first to the last that are to be seen of what is cited: with the head
        over a cell, where both fit."""
        first = self.line_of("cited", 0)
        if first is None:
            return None
        last = first
        for line in self._lines_with("cited", 0):
            last = line if line <= max(last + 1, first + height - 3) else last
        heads = [line for line in self._lines_with("head", 0) if first - height < line < first]
        return min([first, *heads[-1:]] if last - (heads or [0])[-1] < height else [first]), last

    def _lines_with(self, key: str, number: int) -> Iterator[int]:
        return (n for n, line in enumerate(self.lines) if any(spans_of(line, key, number)))

    def links_on(self, first: int, last: int) -> Iterator[int]:
        """The links on some lines."""
        for line in self.lines[first:last]:
            for span in line.spans:
                if isinstance(span.style, Style) and "link" in span.style.meta:
                    yield span.style.meta["link"]

    # The page, from top to bottom

    def _set(self, page: Page) -> None:
        self._ends(self._text(page.title, "title"), self._text(page.source, "source"))
        self._ends(self._text(page.path[-1], "dim"), self._text(page.kind, "dim"))
        self._put(self._text(RULE * self._width, "rule"))
        for section in page.sections:
            self._section(section)
        self._put(self._text(RULE * self._width, "rule"))
        before = [self._run(Run("◂ " + _("Previous"), "link", page.before))] if page.before else []
        after = [self._run(Run(_("Next") + " ▸", "link", page.after))] if page.after else []
        self._ends(Content("").join(before), Content("").join(after))

    def _section(self, section: Section) -> None:
        bar = self._text(BAR, section.kind) if section.kind in BOXED else Content("")
        if section.heading:
            self._heading(section, bar)
        for number, part in enumerate(section.parts):
            if number:
                self._put(bar)
            self._part(part, bar)
        self._put()

    def _heading(self, section: Section, bar: Content) -> None:
        name = section.kind if section.kind in BOXED | {"warning", "engine"} else "heading"
        if section.ref:
            words = self._run(Run(f"{section.heading} ▸", name, section.ref))
        else:
            words = self._text(section.heading, name)
        self._flow(words, bar, bar)

    def _part(self, part: Part, bar: Content) -> None:
        if part.kind == "table":
            self._table(part, bar)
            return
        for number, row in enumerate(part.rows, start=1):
            mark = {"bullets": BULLET, "numbers": f"{number}. "}.get(part.kind, "")
            first = bar + self._text(mark, "mark")
            self._flow(self._cell(row[0]), first, bar + Content(" " * len(mark)))

    def _table(self, part: Part, bar: Content) -> None:
        columns = max(len(row) for row in part.rows)
        rows = [[self._found(self._cell(cell)) for cell in row] for row in part.rows]
        for cells in rows:
            cells += [Content("")] * (columns - len(cells))
        rows[0] = [cell.stylize_before(self._style("header")) for cell in rows[0]]
        for number, chosen in enumerate(_spans(rows, self._width - bar.cell_length)):
            if number:
                self._put(bar)
            self._grid([[row[n] for n in chosen] for row in rows], bar)

    def _grid(self, rows: list[list[Content]], bar: Content) -> None:
        """Columns that fit beside each other."""
        columns, room = len(rows[0]), self._width - bar.cell_length
        widths = column_widths(rows, room - len(COLUMN) * (columns - 1))
        column, cross = COLUMN, CROSS
        if sum(widths) < sum(column_widths(rows)):  # no air before any broken line
            column, cross = COLUMN.strip(), CROSS.strip(RULE)
            widths = column_widths(rows, room - (columns - 1))
        wrapped = [[cell.wrap(w) for cell, w in zip(row, widths, strict=True)] for row in rows]
        is_tall = any(len(cell) > 1 for row in wrapped[1:] for cell in row)
        ruler = cross.join(RULE * width for width in widths)
        between = self._text(column, "grid")
        for number, tall in enumerate(wrapped):
            for line in _lines_of(tall, widths):
                self._put(bar + between.join(line))
            if number == 0 or (is_tall and number < len(wrapped) - 1):
                self._put(bar + self._text(ruler, "grid" if number else "rule"))

    # Words into lines

    def _text(self, words: str, name: str) -> Content:
        return Content.styled(words, self._style(name)) if words else Content("")

    def _run(self, run: Run) -> Content:
        style = self._style(run.style) if run.style else Style()
        if run.is_cited:
            style += self._style("cited") + Style.from_meta({"cited": 0})
        if run.is_head:
            style += self._style("head") + Style.from_meta({"head": 0})
        if run.ref:
            style += Style.from_meta({"link": len(self.links)})
            self.links.append(Target(run.ref, run.hint))
        return Content.styled(run.text, style)

    def _cell(self, cell: Cell) -> Content:
        return Content("").join(self._run(run) for run in cell)

    def _flow(self, words: Content, first: Content, rest: Content) -> None:
        """Wrapped words, the first line after one margin and the others after another."""
        for number, line in enumerate(self._found(words).wrap(self._width - first.cell_length)):
            self._put((rest if number else first) + line)

    def _ends(self, left: Content, right: Content) -> None:
        """Words at both ends of a line; on two lines where they do not fit."""
        room = self._width - left.cell_length - right.cell_length
        if room < 2:
            self._flow(left, Content(""), Content(""))
            self._flow(right, Content(""), Content(""))
        else:
            self._put(self._found(left) + Content(" " * room) + self._found(right))

    def _put(self, line: Content | None = None) -> None:
        self.lines.append(line if line is not None else Content(""))

    def _found(self, words: Content) -> Content:
        """The words, with what was searched for marked, and over it what is looked for."""
        lit = list(spans_of(words, "cited", 0))
        for start, end in self._sought(words.plain) if self._sought is not None else ():
            name = "sought-lit" if any(s <= start < e for s, e in lit) else "sought"
            style = self._style(name) + Style.from_meta({"sought": 0})
            words = words.stylize(style, start, end)
        folded = fold(words.plain)
        at = folded.find(self._find) if self._find else -1
        while at >= 0:
            style = self._style("match") + Style.from_meta({"match": self.matches})
            words = words.stylize(style, at, at + len(self._find))
            self.matches += 1
            at = folded.find(self._find, at + len(self._find))
        return words


def spans_of(line: Content, key: str, number: int) -> Iterator[tuple[int, int]]:
    """Where a line shows a link or a match."""
    for span in line.spans:
        if isinstance(span.style, Style) and span.style.meta.get(key) == number:
            yield span.start, span.end


def column_widths(rows: Iterable[Iterable[Content]], room: int | None = None) -> list[int]:
    """The width of each column of a table: natural if it fits, else the widest give way."""
    columns = list(zip(*rows, strict=True))
    widths = [max(1, *(cell.cell_length for cell in column)) for column in columns]
    words = [
        max((len(word) for cell in column for word in cell.plain.split()), default=1)
        for column in columns
    ]
    while room is not None and sum(widths) > max(room, len(widths)):
        slack = [width - word for width, word in zip(widths, words, strict=True)]
        give = slack if max(slack) > 0 else widths
        # the widest among those that may still shrink without breaking a word
        index = max(range(len(widths)), key=lambda n: (give[n] > 0, widths[n]))
        widths[index] -= 1
    return widths


def _spans(rows: list[list[Content]], room: int) -> Iterator[list[int]]:
    """The columns of a table, in as many parts as it needs so that no short word is broken; each
    part begins with the first column."""
    words = [
        max((len(word) for cell in column for word in cell.plain.split()), default=1)
        for column in zip(*rows, strict=True)
    ]
    if max(words) > LONGEST_CELL or sum(words) + len(words) - 1 <= room:
        yield list(range(len(words)))
        return
    part = [0]
    for column in range(1, len(words)):
        needed = sum(words[n] + 1 for n in (*part, column)) - 1
        if len(part) > 1 and needed > room:
            yield part
            part = [0]
        part.append(column)
    yield part


def _lines_of(tall: list[list[Content]], widths: list[int]) -> Iterator[list[Content]]:
    """The lines of a row of a table, each cell as wide as its column."""
    for n in range(max(len(cell) for cell in tall)):
        line = (cell[n] if n < len(cell) else Content("") for cell in tall)
        yield [_fill(cell, width) for cell, width in zip(line, widths, strict=True)]


def _fill(cell: Content, width: int) -> Content:
    cell = cell.rstrip()
    return cell.pad_right(width - cell.cell_length)


def fold(words: str) -> str:
    """Small letters without accents, one for one."""
    return "".join(unicodedata.normalize("NFD", letter)[0] for letter in words.lower())
