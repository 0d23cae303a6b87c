"""Reference cards as a page to be printed: one file, no scripts, nothing fetched."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from app.rules.cards import SOURCES, Card, Table
from app.shell.i18n import _

STYLE = """
@page { size: A4; margin: 12mm; }
* { box-sizing: border-box; }
body { font: 10pt/1.3 "Liberation Sans", Arial, sans-serif; color: #111; margin: 2em auto;
  max-width: 60em; padding: 0 1em; }
h1 { font-size: 18pt; margin: 0 0 .3em; border-bottom: 2pt solid #444; }
h2 { font-size: 13pt; margin: 1.2em 0 .3em; background: #e9e4d4; padding: .15em .4em; }
h3 { font-size: 10.5pt; margin: .9em 0 .2em; }
small { font-weight: normal; font-style: italic; color: #555; }
table { border-collapse: collapse; width: 100%; }
th, td { border: .5pt solid #999; padding: .12em .4em; text-align: left; vertical-align: top; }
th { background: #f3efe2; }
td:first-child { font-weight: bold; }
tr { break-inside: avoid; }
thead { display: table-header-group; }
footer { margin-top: 2em; color: #555; font-size: 8.5pt; }
@media print {
  body { margin: 0; max-width: none; padding: 0; font-size: 8.5pt; }
  h1 { break-before: page; }
  h1:first-child { break-before: auto; }
  h2, h3 { break-after: avoid; }
  h2, th { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""


def page(titles: Sequence[tuple[str, Sequence[Card]]]) -> str:
    """A page with the cards of some titles, each under its name."""
    body = "\n".join(
        f"<h1>{escape(name)}</h1>\n" + "\n".join(_card(card) for card in cards)
        for name, cards in titles
    )
    heading = _("Reference cards") + ": " + ", ".join(name for name, _cards in titles)
    told = _("Made by Prontuario from the data that the program plays with.")
    return (
        f'<!DOCTYPE html>\n<html lang="it">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{escape(heading)}</title>\n<style>{STYLE}</style>\n</head>\n"
        f"<body>\n{body}\n<footer>{escape(told)}</footer>\n</body>\n</html>\n"
    )


def _card(card: Card) -> str:
    return f"<h2>{escape(card.name)}</h2>\n" + "\n".join(_table(table) for table in card.tables)


def _table(table: Table) -> str:
    source = (
        f" <small>{escape(_(SOURCES[table.source]))}</small>" if table.source in SOURCES else ""
    )
    heading = f"<h3>{escape(table.heading)}{source}</h3>\n" if table.heading else ""
    cells = "".join(f"<th>{escape(cell)}</th>" for cell in table.head)
    head = f"<thead><tr>{cells}</tr></thead>\n" if any(table.head) else ""
    rows = "\n".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row.cells) + "</tr>"
        for row in table.rows
    )
    return f"{heading}<table>\n{head}<tbody>\n{rows}\n</tbody>\n</table>"
