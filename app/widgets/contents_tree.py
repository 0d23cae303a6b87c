"""The contents of the books: chapters and rules, opened as they are needed."""

from __future__ import annotations

from rich.text import Text
from textual.widgets import Tree
from textual.widgets.tree import TreeNode

from app.rules.page import number_of
from app.shell.i18n import _
from rules_it.corpus import Corpus, Node


class ContentsTree(Tree[Node]):
    """Books, chapters, rules. Each node holds a line of the contents."""

    DEFAULT_CSS = """
    ContentsTree { background: $surface; padding: 0 1; overflow-x: hidden; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__("", id=id)
        self.show_root = False
        self.guide_depth = 2
        self._corpus: Corpus | None = None
        self.root.expand()
        self.root.add_leaf(Text(_("Opening the books…"), "dim"))

    def explain(self) -> tuple[str, str]:
        """What F1 says here."""
        return _("Contents"), _(
            "The books as they are ordered. Space opens and closes a chapter, Enter opens a rule."
        )

    def fill(self, corpus: Corpus) -> None:
        """Show the books; their chapters are added when they are opened."""
        self._corpus = corpus
        self.clear()
        for slug, book in corpus.books.items():
            chapters = [*corpus.contents(slug)]
            if book.house:
                rulings = tuple(Node(ruling.title, ruling.id) for ruling in book.house)
                chapters.append(Node(_("House rulings"), None, rulings))
            self._add(self.root, Node(book.info.name, None, tuple(chapters)))
        self.root.expand()

    def reveal(self, ref: str) -> None:
        """Open the tree down to a rule and put the cursor there."""
        found = self._find(self.root, ref)
        if found is not None and found is not self.cursor_node:
            self.call_after_refresh(self._go, found)

    def _go(self, node: TreeNode[Node]) -> None:
        self.move_cursor(node)
        self.scroll_to_node(node, animate=False)

    def _find(self, parent: TreeNode[Node], ref: str) -> TreeNode[Node] | None:
        for child in parent.children:
            if child.data is None or not _holds(child.data, ref):
                continue
            if child.data.ref == ref:
                return child
            self._open(child)
            child.expand()
            return self._find(child, ref)
        return None

    def _add(self, parent: TreeNode[Node], node: Node) -> None:
        number = number_of(self._corpus, node.ref) if self._corpus and node.ref else ""
        words = Text.assemble((f"{number} " if number else "", "bold"), node.title)
        if node.children:
            parent.add(words, node)
        else:
            parent.add_leaf(words, node)

    def _open(self, node: TreeNode[Node]) -> None:
        """Add what stands below a node, once."""
        if node.data is not None and not node.children:
            for child in node.data.children:
                self._add(node, child)

    def on_tree_node_expanded(self, event: Tree.NodeExpanded[Node]) -> None:
        """Fill a chapter when it is opened."""
        self._open(event.node)


def _holds(node: Node, ref: str) -> bool:
    return node.ref == ref or any(_holds(child, ref) for child in node.children)
