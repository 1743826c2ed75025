# SPDX-License-Identifier: GPL-2.0
"""Function context for the rewrite decision."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from hotcocci.c.expression import Expr, Index, Member, Name
from hotcocci.c.flow import Graph
from hotcocci.c.flow_builder import build_graph
from hotcocci.c.model import integer
from hotcocci.c.source import NAME, Source, Token
from hotcocci.c.syntax import (
    Function,
    Statement,
    declarations,
)
from hotcocci.findings import Facts
from hotcocci.rewrite.options import Options

_CLEANUP_WORDS = frozenset({"__free", "__cleanup", "CLASS", "DEFINE_FREE"})
_GUARDS = frozenset({"guard", "scoped_guard", "scoped_cond_guard", "ACQUIRE"})


@dataclass(frozen=True)
class Context:
    """A function, its file and the options."""

    source: Source
    function: Function
    facts: Facts
    options: Options

    @property
    def body(self) -> Statement:
        """The function's outermost block."""
        return self.function.body

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """The function's tokens, header included."""
        return self.source.code_between(self.function.start, self.body.end)

    @cached_property
    def identifiers(self) -> frozenset[str]:
        """Every name used in the function, except fields: a new name must differ from all of them."""
        return frozenset(
            t.text
            for i, t in enumerate(self.tokens)
            if t.kind == NAME and (i == 0 or self.tokens[i - 1].text not in (".", "->"))
        )

    @cached_property
    def labels(self) -> dict[str, int]:
        """The function's labels and their offsets."""
        return {
            self.source.code_between(s.start, s.end)[0].text: s.start
            for s in self.function.statements
            if s.kind == "label"
        }

    @cached_property
    def local_types(self) -> dict[str, str]:
        """The local variables that SmPL saw in values, with their types."""
        first = self.source.line_of(self.function.start)
        last = self.source.line_of(self.body.end)
        return {t.text: t.target for t in self.facts.locals if first <= t.line <= last}

    @cached_property
    def declared(self) -> list[tuple[Token, ...]]:
        """Every declaration of the function, in source order."""
        blocks = [
            self.body,
            *(s for s in self.function.statements if s.kind in ("block", "switch")),
        ]
        found = [d for block in blocks for d in declarations(self.source, block)]
        return sorted(found, key=lambda d: d[0].start)

    @cached_property
    def declared_names(self) -> frozenset[str]:
        """The variables that the function declares in its body."""
        return frozenset(
            token.text
            for declaration in self.declared
            for token, after in zip(declaration, declaration[1:], strict=False)
            if token.kind == NAME and after.text in (",", ";", "=", "[")
        )

    @cached_property
    def static_names(self) -> frozenset[str]:
        """Names declared static: they outlive the call."""
        return frozenset(
            t.text
            for d in self.declared
            if d[0].text == "static"
            for t in d
            if t.kind == NAME
        )

    def mentions(self, name: str, start: int, end: int) -> list[Token]:
        """Every use of a name as a variable between two offsets."""
        tokens = self.source.code_between(start, end)
        return [
            t
            for i, t in enumerate(tokens)
            if t.text == name and (i == 0 or tokens[i - 1].text not in (".", "->"))
        ]

    def is_local(self, lvalue: Expr) -> bool:
        """Whether an lvalue is in a variable that dies with the function."""
        while isinstance(lvalue, (Member, Index)):
            if isinstance(lvalue, Member) and lvalue.operator == "->":
                return False
            if isinstance(lvalue, Index) and not self._is_array(lvalue.object):
                return False
            lvalue = lvalue.object
        return (
            isinstance(lvalue, Name)
            and (lvalue.text in self.local_types or lvalue.text in self.declared_names)
            and lvalue.text not in self.static_names
        )

    def _is_array(self, expr: Expr) -> bool:
        if isinstance(expr, Member):
            return expr.operator == "."
        return isinstance(expr, Name) and "[" in self.local_types.get(expr.text, "")

    @cached_property
    def graph(self) -> Graph:
        """The function's control flow."""
        return build_graph(self.function)

    @cached_property
    def unit(self) -> str:
        """What one level of the function is indented by: a tab, or as many blanks as its first line."""
        for child in self.body.children:
            indent = self.source.indent(child.start)
            if indent and child.kind != "label":
                return "\t" if "\t" in indent else indent
        return "\t"

    def declared_times(self, name: str) -> int:
        """How many local variables and parameters have a name; several are in nested blocks."""
        header = tuple(self.source.code_between(self.function.start, self.body.start))
        parameters = [
            t
            for t, after in zip(header, header[1:])
            if t.text == name and after.text in (",", ")", "[")
        ]
        return len(parameters) + sum(declares(d, name) for d in self.declared)

    def holds_errno(self, name: str) -> bool:
        """Whether a variable keeps -EFAULT: it is not declared as a narrow or unsigned type."""
        for declaration in self.declared:
            if declares(declaration, name):
                types = [integer(t.text) for t in declaration if t.text != name]
                return not any(
                    one is not None and (one.signed is not True or one.sizes[0] < 4)
                    for one in types
                )
        return True

    def repeated_ranges(self, offset: int) -> list[tuple[int, int]]:
        """Code that may run again after an offset: enclosing loops and backward jumps."""
        found = [
            (s.start, s.end)
            for s in self.function.statements
            if s.kind in ("for", "while", "do", "macro")
        ]
        for label, start in self.labels.items():
            back = [
                t.end
                for before, t in zip(self.tokens, self.tokens[1:])
                if before.text == "goto" and t.text in (label, "*") and t.start > start
            ]
            found += [(start, back[-1])] if back else []
        return [(start, end) for start, end in found if start < offset < end]

    @cached_property
    def cleanups(self) -> list[tuple[int, int]]:
        """The scopes of variables with a cleanup and of guards."""
        scopes = []
        for block in [
            self.body,
            *(s for s in self.function.statements if s.kind == "block"),
        ]:
            for declaration in declarations(self.source, block):
                if any(t.text in _CLEANUP_WORDS for t in declaration):
                    scopes.append((declaration[0].start, block.end))
            for child in block.children:
                word = self.source.code_between(child.start, child.end)[0].text
                if child.kind == "expression" and word in _GUARDS:
                    scopes.append((child.start, block.end))
        for statement in self.function.statements:
            word = self.source.code_between(statement.start, statement.end)[0].text
            if statement.kind == "macro" and (
                word in _GUARDS or word.startswith("scoped_")
            ):
                scopes.append((statement.start, statement.end))
        return sorted(scopes)

    def cleanups_at(self, offset: int) -> set[tuple[int, int]]:
        """The cleanups in scope at an offset."""
        return {c for c in self.cleanups if c[0] < offset < c[1]}


def declares(declaration: tuple[Token, ...], name: str) -> bool:
    """Whether a declaration declares a variable of that name."""
    return any(
        t.text == name and declaration[i + 1].text in ("=", ",", ";", "[")
        for i, t in enumerate(declaration[:-1])
    )
