# SPDX-License-Identifier: GPL-2.0
"""Build the statement tree of a function with accesses, which SmPL reports.

A statement inside another is its child; its first word gives its kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from hotcocci.c.conditionals import conditions, live
from hotcocci.c.expression import Expr
from hotcocci.c.parsing import parse
from hotcocci.c.source import DIRECTIVE, NAME, Source, Token, closing, split
from hotcocci.c.statements import ASSEMBLY, spans
from hotcocci.findings import Access, Facts

_WORDS = frozenset(
    "if for while do switch return goto break continue case default".split()
)
# A brace before more than a comment, such as another declaration: the rest is none of the function.
_END = re.compile(r"[ \t]*\}(?=[ \t]*(?:;|(?!while\b)[A-Za-z_]))")
# Statements that repeat others, macros with a body as well, and those that others may come before
LOOP_WORDS = ("for", "while", "do")
LOOPS = (*LOOP_WORDS, "macro")
LABELS = ("label", "case", "default")
# The kind of a declaration that is read as a statement
DECLARATION = "declaration"


@dataclass
class Statement:
    """One statement. ``kind`` is its first word, or block, label, macro, expression.

    ``declared`` is the last declaration of a block if its initializer contains an access; it
    is not among the ``children``.
    """

    kind: str
    start: int
    end: int
    parent: Statement | None = None
    children: list[Statement] = field(default_factory=list)
    declared: Statement | None = None

    def inside(self, start: int, end: int) -> bool:
        """Whether it is completely between two offsets."""
        return start <= self.start and self.end <= end


@dataclass(frozen=True)
class Function:
    """A function with accesses; ``body`` is its outermost block.

    ``source`` is its file, limited to the function.
    """

    source: Source
    name: str
    start: int
    body: Statement
    statements: tuple[Statement, ...]
    accesses: tuple[Access, ...]

    @property
    def blocks(self) -> list[Statement]:
        """Its blocks, outermost first; a switch is one."""
        inner = (s for s in self.statements if s.kind in ("block", "switch"))
        return [self.body, *inner]


def _kind(source: Source, start: int, end: int) -> str:
    tokens = source.code_between(start, end)
    if not tokens:
        return "empty"
    first = tokens[0]
    if first.text == "{":
        return "block"
    if first.text == ";":
        return "empty"
    if first.text in ASSEMBLY:
        return "asm"
    if first.text in _WORDS:
        return first.text
    if first.kind == NAME and len(tokens) > 1 and tokens[1].text == ":":
        return "label"
    return "expression"


def _limited(source: Source, first_line: int, end_line: int) -> Source:
    """The file limited to a function, starting after the preceding function or directive."""
    start = source.line_starts[first_line - 1]
    low = max(source.text.rfind("\n}", 0, start), source.text.rfind("\n#", 0, start), 0)
    high = source.line_starts[end_line] if end_line < len(source.line_starts) else None
    end = _END.match(source.text, source.line_starts[end_line - 1])
    return _part(source.file, source.text, low, end.end() if end else high)


@lru_cache(maxsize=32)
def _part(file: str, text: str, low: int, high: int | None) -> Source:
    """A part of a file, which one rule after the other reads."""
    return Source(file, text, low, high)


@lru_cache(maxsize=64)
def _spans(source: Source, start: int, end: int) -> list[tuple[int, int]] | None:
    """The offsets of each statement of a body; None if a macro or an #if hides a bracket."""
    code = live(source, source.code_between(start, end))
    # A line that is joined to the next for nothing
    tokens = [token for token in code if token.text != "\\"]
    others = [
        branch
        for condition in conditions(source.text)
        if start < condition.at < end
        for branch in condition.branches[1:]
    ]
    try:
        found = spans(source.text, tokens)
        # Of branches that begin in the middle of a statement, the first counts.
        while cut := [branch for branch in others if _cuts(source, found, branch.at)]:
            others = [branch for branch in others if branch not in cut]
            tokens = [
                token
                for token in tokens
                if not any(branch.at < token.start < branch.end for branch in cut)
            ]
            found = spans(source.text, tokens)
    except SyntaxError:
        return None
    return found


def _cuts(source: Source, found: list[tuple[int, int]], at: int) -> bool:
    """Whether an offset is within a statement, other than between those of a block or after a label."""
    around = max((each for each in found if each[0] < at < each[1]), default=None)
    if around is None:
        return False
    return _kind(source, *around) not in ("block", "switch", *LABELS)


def _body(source: Source) -> tuple[int, int] | None:
    """The offsets of the braces of the last body in the text.

    Only the end is reliable: for SYSCALL_DEFINE, the first line that SmPL reports is one of its own macro file.
    """
    tokens = source.code
    depth = 0
    for token in reversed(tokens):
        depth += (token.text == "}") - (token.text == "{")
        if depth == 0:
            return token.start, tokens[-1].end
    return None


def _is_cut(source: Source, body_start: int) -> bool:
    """Whether a text begins between the parameters before a body, after an #if."""
    texts = [t.text for t in source.code if t.start < body_start]
    return texts.count(")") > texts.count("(")


def _header(source: Source, body_start: int) -> int:
    """The start of the declaration before a body; an #if may be around some of its parameters."""
    depth = 0
    for token in reversed(source.tokens_between(0, body_start)):
        depth += (token.text == ")") - (token.text == "(")
        if token.kind == DIRECTIVE and depth <= 0 or token.text in (";", "}"):
            return source.code_between(token.end, body_start + 1)[0].start
    return source.code[0].start


def functions(source: Source, facts: Facts, at_least: int = 1) -> list[Function]:
    """All functions with enough accesses, with their statements.

    Left out are macro bodies, and functions in which a macro or an ``#ifdef`` hides a bracket.
    """
    grouped: dict[tuple[str, int], list[Access]] = {}
    for access in facts.accesses:
        grouped.setdefault((access.function, access.end_line), []).append(access)
    found = []
    for (name, end_line), accesses in grouped.items():
        if len(accesses) < at_least:
            continue
        ordered = sorted(accesses, key=lambda a: (a.line, a.column))
        first_line = ordered[0].line
        own = _limited(source, first_line, end_line)
        if not own.code or own.code[-1].text != "}":
            # A macro, whose body is no code
            continue
        place = _body(own)
        while own.low > 0 and (place is None or _is_cut(own, place[0])):
            # The text was cut inside the function: search further up.
            own = _limited(source, source.line_of(own.low), end_line)
            place = _body(own)
        if place is None:
            continue
        first, last = (source.line_of(edge) for edge in place)
        if not first <= first_line <= last:
            continue  # spatch names the element before a macro for accesses in its body.
        function = read_function(own, name, *place, ordered)
        if function is not None:
            found.append(function)
    return sorted(found, key=lambda f: f.start)


def read_function(
    source: Source, name: str, start: int, end: int, accesses: Sequence[Access]
) -> Function | None:
    """The function with a body between two offsets; None if a macro or an #if hides a bracket in it."""
    found = _spans(source, start, end)
    if found is None:
        return None
    body = Statement("block", start, end)
    statements = _nest(source, body, sorted(found, key=lambda r: (r[0], -r[1])))
    header = _header(source, start)
    function = Function(source, name, header, body, tuple(statements), tuple(accesses))
    _note_declared(function)
    return function


def _note_declared(function: Function) -> None:
    """Set ``declared`` of the blocks that have an access in a declaration."""
    source = function.source
    for access in function.accesses:
        offset = source.offset(access.line, access.column)
        block = innermost(function, offset)
        if block.kind == "block" and block.declared is None:
            block.declared = _last_declared(source, block, offset)


def _last_declared(source: Source, block: Statement, offset: int) -> Statement | None:
    """The last declaration of a block if it is that of one variable, set to what is at an offset."""
    if not block.children:
        return None
    first = block.children[0].start
    leading = [d for d in declarations(source, block) if d[-1].end <= first]
    last = leading[-1] if leading else ()
    words = [token.text for token in last]
    if "=" not in words or len(split(last, ",")) > 1:
        return None
    equals = words.index("=")
    if last[equals - 1].kind != NAME or not last[equals].start < offset < last[-1].end:
        return None
    return Statement(DECLARATION, last[0].start, last[-1].end, block)


def _nest(
    source: Source, body: Statement, ranges: list[tuple[int, int]]
) -> list[Statement]:
    stack = [body]
    statements = []
    for start, end in ranges:
        while stack[-1].end < end or stack[-1].end <= start:
            stack.pop()
        statement = Statement(_kind(source, start, end), start, end, stack[-1])
        stack[-1].children.append(statement)
        stack.append(statement)
        statements.append(statement)
    for statement in statements:
        if statement.kind == "expression" and statement.children:
            statement.kind = "macro"  # list_for_each_entry(...) S, scoped_guard(...) S
    return statements


def innermost(function: Function, offset: int) -> Statement:
    """The smallest statement that contains an offset."""
    statement = function.body
    while True:
        for child in statement.children:
            if child.start <= offset < child.end:
                statement = child
                break
        else:
            return statement


def enclosing(statement: Statement) -> Iterator[Statement]:
    """The statements around one, innermost first."""
    while statement.parent is not None:
        statement = statement.parent
        yield statement


def following(statement: Statement) -> list[Statement]:
    """The statements after one in the block, or other statement, that it is in."""
    around = statement.parent.children if statement.parent is not None else []
    return [other for other in around if other.start > statement.start]


def block_of(statement: Statement) -> Statement:
    """The block that directly contains a statement.

    spatch does not report the braces of a switch as a statement, so a switch counts as its own block.
    """
    return next(s for s in enclosing(statement) if s.kind in ("block", "switch"))


def branch_of(statement: Statement) -> Statement | None:
    """The if or loop whose unbraced branch or body a statement is, or None."""
    parent = statement.parent
    if parent is not None and parent.kind in ("if", *LOOPS):
        return parent
    return None


def unlabelled(statement: Statement) -> Statement:
    """The statement after its labels and cases."""
    while statement.kind in LABELS and statement.children:
        statement = statement.children[0]
    return statement


def condition(source: Source, statement: Statement) -> Expr:
    """The expression in the parentheses of an if, while or switch.

    `Opaque` if an ``#ifdef`` leaves the parentheses unbalanced.
    """
    return _condition(source, statement.start, statement.end)


# Several rules, and several parts of one, ask for those of a function.
@lru_cache(maxsize=512)
def _condition(source: Source, start: int, end: int) -> Expr:
    tokens = source.code_between(start, end)
    last = closing(tokens, 1)
    return parse(source.text, tokens[2:last] if last is not None else ())


def expression(source: Source, statement: Statement) -> Expr:
    """The expression of an expression statement or of a return."""
    word = statement.kind == "return"
    return _expression(source, statement.start, statement.end, word)


@lru_cache(maxsize=512)
def _expression(source: Source, start: int, end: int, word: bool) -> Expr:
    return parse(source.text, source.code_between(start, end)[word:-1])


def initialization(source: Source, declaration: Statement) -> Expr:
    """The assignment that a declaration of one variable makes."""
    tokens = source.code_between(declaration.start, declaration.end)
    equals = next(i for i, token in enumerate(tokens) if token.text == "=")
    return parse(source.text, tokens[equals - 1 : -1])


def evaluated(source: Source, statement: Statement) -> Expr | None:
    """The expression that a statement evaluates first, if it has one of its own."""
    if statement.kind in ("if", "switch", "while"):
        return condition(source, statement)
    if statement.kind in ("expression", "return"):
        return expression(source, statement)
    return None


def for_clauses(source: Source, statement: Statement) -> list[tuple[Token, ...]]:
    """The three clauses in the parentheses of a for, empty where one is left out."""
    tokens = source.code_between(statement.start, statement.end)
    return (split(tokens[2 : closing(tokens, 1)], ";") + [(), (), ()])[:3]


def branches(statement: Statement) -> tuple[Statement, Statement | None]:
    """The branches of an if: when true, and when false (None without else)."""
    return statement.children[0], statement.children[1] if len(
        statement.children
    ) > 1 else None


def declarations(source: Source, block: Statement) -> list[tuple[Token, ...]]:
    """The declarations directly in a block, as one token list each."""
    found: list[tuple[Token, ...]] = []
    brace = block.start
    if block.kind == "switch":
        tokens = source.code_between(block.start, block.end)
        brace = next((t.start for t in tokens if t.text == "{"), brace)
    edges = [brace + 1]
    for child in block.children:
        edges += [child.start, child.end]
    edges.append(block.end - 1)
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        current: list[Token] = []
        depth = 0
        for token in live(source, source.code_between(start, end)):
            current.append(token)
            depth += (token.text in "([{") - (token.text in ")]}")
            if token.text == ";" and depth == 0:
                found.append(tuple(current))
                current = []
    return found
