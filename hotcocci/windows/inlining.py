# SPDX-License-Identifier: GPL-2.0
"""Find calls with user access open whose definitions are known: UW06, UW07, UW11."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from hotcocci.c.constants import evaluate_least
from hotcocci.c.expression import Expr, Member, names, walk
from hotcocci.c.flow import Graph
from hotcocci.c.headers import arch_of, reachable
from hotcocci.c.parsing import parse_text
from hotcocci.c.source import Token, called
from hotcocci.c.syntax import Function, Statement, for_clauses
from hotcocci.c.text import size_of, size_of_declared, size_of_object
from hotcocci.tree.kernel import (
    CALLS,
    COPIES,
    OPENS,
    PRECEDENTED,
    may_sleep,
    uaccess_safe,
)
from hotcocci.windows.effects import definitions
from hotcocci.windows.events import ACCESSORS, accessor_of
from hotcocci.windows.helpers import INLINE, INLINED, OUT_OF_LINE, kind_of
from hotcocci.windows.outcome import OpenCall, Outcome, Violation
from hotcocci.windows.shape import is_constant, outside, read_body, steps

# Reported under other rules: UW10, UW22
_NAMED_OTHERWISE = frozenset({*OPENS, "access_ok"})
# After one of these, what follows in an expression may not run, or may be for the compiler only.
_BRANCHES = frozenset(
    "if for while do switch goto asm __asm__ ? && || sizeof typeof __typeof__ "
    "__builtin_choose_expr __builtin_constant_p _Generic".split()
)
_Tokens = tuple[Token, ...]
_LEAVING = frozenset({"break", "return", "goto", "continue"})
_DEPTH = 4


# The most bytes that compilers expand inline: eight stores on powerpc, of which gcc for a 64-bit
# kernel makes 64 bytes (expand_block_clear() in gcc/config/rs6000), and 256 bytes on arm64.
_POWERPC_BYTES = 64
_BYTES = 256
_CURRENT = {"current": "struct task_struct *"}


def violations(
    graph: Graph, outcome: Outcome, root: Path, file: str
) -> Iterator[Violation]:
    """Calls in windows to functions that are, or may be, out of line."""
    within = _in_arguments(graph)
    safe = uaccess_safe(root) | PRECEDENTED
    for call in sorted(outcome.open_calls, key=lambda c: (c.at, -c.begin)):
        kind = _kind(graph, call, root, file)
        if call.name in safe:
            continue
        name = _spelled(call.name)
        if kind in (INLINE, INLINED) and not _is_known(call.name):
            inner = always_calls(root, file, call.name)
            if inner is not None:
                rule, how = _said(inner)
                yield Violation(
                    rule, call.at, f"{name} calls {inner}(){how}", call.begin
                )
                continue
        if kind not in (INLINE, OUT_OF_LINE):
            continue
        if kind == INLINE and call.name not in _NAMED_OTHERWISE:
            yield Violation(
                "UW07",
                call.at,
                f"{name} is not __always_inline: the compiler may emit a call with user access open",
                call.begin,
            )
        elif call.at in within:
            yield Violation(
                "UW11",
                within[call.at],
                f"{name} in an argument is called inside the window",
                call.begin,
            )
        if (
            kind == OUT_OF_LINE
            and call.name not in _NAMED_OTHERWISE
            and not may_sleep(call.name)
        ):
            yield Violation(
                "UW06", call.at, f"{name} is called with user access open", call.begin
            )


def _said(inner: str) -> tuple[str, str]:
    """The rule that a helper violates by calling a function in a window, and why."""
    if inner in OPENS:
        return "UW10", ", which closes the window"
    if may_sleep(inner):
        return "UW09", ", which may sleep, with user access open"
    return "UW06", " with user access open"


def _is_known(name: str) -> bool:
    """Whether what a call does is known without its definition."""
    return name in _NAMED_OTHERWISE or name in COPIES


def _spelled(name: str) -> str:
    if not name:
        return "a function pointer"
    return name if name.endswith(")") else f"{name}()"


def _kind(graph: Graph, call: OpenCall, root: Path, file: str) -> str:
    if not call.name or may_sleep(call.name) or _is_variable(graph, call.name):
        return OUT_OF_LINE
    if call.name.startswith("guard("):
        return INLINED
    if call.name in COPIES:
        called = is_call(root, file, graph.function, call.last)
        return OUT_OF_LINE if called else INLINED
    if CALLS.fullmatch(call.name):
        return OUT_OF_LINE
    return kind_of(root, file, call.name)


def _is_variable(graph: Graph, name: str) -> bool:
    """Whether a function is called through a parameter or a local variable."""
    function = graph.function
    text = function.source.text[function.start : function.body.end]
    return (
        re.search(rf"\(\s*\*\s*(?:const\s+)?{re.escape(name)}\s*\)\s*\(", text)
        is not None
    )


def _in_arguments(graph: Graph) -> dict[int, int]:
    """The offset of each call in an access's arguments, with the offset of the access."""
    found = {}
    for part in graph.calls():
        if accessor_of(part) is not None:
            for inner in (p for a in part.arguments for p in walk(a)):
                if inner.callee:
                    found[inner.start] = part.start
    return found


@lru_cache(maxsize=4096)
def always_calls(root: Path, file: str, name: str, depth: int = _DEPTH) -> str | None:
    """A function that must not be in a window and an inline one calls on every path; None if none is known.

    It is out of line, may sleep or opens user access itself. Where the paths call different ones, it is that of the first. It must be so in every
    definition in sight.
    """

    def callee(inner: str) -> str | None:
        # Accessors are for windows, whatever this tree makes of them.
        if inner == name or inner in ACCESSORS or inner in COPIES:
            return None
        if inner in uaccess_safe(root):
            return None
        if may_sleep(inner) or inner in OPENS or CALLS.fullmatch(inner):
            return inner
        kind = kind_of(root, file, inner)
        if kind in (INLINE, INLINED):
            return always_calls(root, file, inner, depth - 1)
        return inner if kind == OUT_OF_LINE else None

    bodies = definitions(root, file, name) if depth else ()
    found = [
        _Paths(read, callee).through([read.body]) if read is not None else None
        for read in (read_body(body) for _, body in bodies)
    ]
    return found[0] if found and None not in found else None


class _Paths:
    """The paths through a body, with what ``callee`` says of the functions called on each."""

    def __init__(self, read: Function, callee: Callable[[str], str | None]) -> None:
        self._read = read
        self._callee = callee

    def through(
        self, statements: Sequence[Statement], after: str | None = None
    ) -> str | None:
        """The words for a function called on the first path; None if one path has none.

        ``after`` is the same of what follows the statements.
        """
        for statement in reversed(statements):
            after = self._from(statement, after)
        return after

    def _from(self, statement: Statement, after: str | None) -> str | None:
        inner = steps(self._read, statement)
        own = outside(self._read, statement, inner)
        # What a directive removes is not known.
        if statement.kind in ("asm", "switch") or own and own[0].text == "#":
            return None
        if statement.kind in ("block", "label", "do"):
            return self.through(inner, after)
        parts = [own]
        if statement.kind in ("if", "for", "while"):
            # The third clause is not for each path.
            parts = for_clauses(self._read.source, statement)[:2]
        found = next(filter(None, map(self._expression, parts)), None)
        if found is not None or statement.kind in _LEAVING:
            return found
        if not inner or statement.kind == "macro":
            return self.through(inner, after)
        # A loop may run no iteration, or be left in one.
        other = self.through(inner[1:], after)
        return self.through(inner[:1], after) if other is not None else None

    def _expression(self, tokens: _Tokens) -> str | None:
        """The words for a function that is called whatever way an expression takes."""
        words = [token.text for token in tokens]
        end = next((i for i, w in enumerate(words) if w in _BRANCHES), len(words))
        said = (self._callee(token.text) for token in called(tokens[:end]))
        return next((found for found in said if found is not None), None)


def is_call(root: Path, file: str, function: Function, size: Expr | None) -> bool:
    """Whether a string function becomes a call, as its last argument, the size, tells.

    A constant size that cannot be computed is taken for a small one.
    """
    if size is None or not is_constant(size):
        return True
    text = function.source.of(size)
    known = evaluate_least(
        root, file, text, lambda o: _measured(root, file, function, o)
    )
    most = _POWERPC_BYTES if arch_of(file) == "powerpc" else _BYTES
    return known is not None and known > most


def _measured(root: Path, file: str, function: Function, operand: str) -> int | None:
    """The size of the operand of a sizeof; None if unknown."""
    known = size_of(root, file, operand)
    if known is not None:
        return known
    expr = parse_text(operand)
    variables = _CURRENT | _declared(function, names(expr))
    known = size_of_object(root, file, expr, variables)
    if known is None and isinstance(expr, Member):
        return _size_of_group(root, file, expr.field)
    return known


def _size_of_group(root: Path, file: str, name: str) -> int | None:
    """The size of the one struct_group() of that name in sight (include/linux/stddef.h)."""
    group = re.compile(rf"\bstruct_group\(\s*{re.escape(name)}\s*,([^()]*)\)")
    found = [
        body
        for header in reachable(root, file)
        if "struct_group(" in header.text
        for body in group.findall(header.text)
    ]
    if len(found) != 1:
        return None
    return size_of_declared(root, file, f"struct {{ {found[0]} }} group")


def _declared(function: Function, wanted: frozenset[str]) -> dict[str, str]:
    """The types of those names that a function declares as a structure or a pointer to one, once."""
    text = function.source.text[function.start : function.body.end]
    found = {}
    for name in wanted:
        declared = rf"\b((?:struct|union)\s+\w+)\s*(\*?)\s*{re.escape(name)}\s*[,;=)]"
        types = set(re.findall(declared, text))
        if len(types) == 1:
            found[name] = " ".join(types.pop()).strip()
    return found
