# SPDX-License-Identifier: GPL-2.0
"""Runs: accesses to one user object in one basic block; and loops with accesses, which one window may enclose.

A sequence is a list of statements that execute one after another: there is no label,
call, loop or nested block between them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

from hotcocci.c.conditionals import live
from hotcocci.c.expression import (
    Binary,
    Call,
    Expr,
    Index,
    Literal,
    Name,
    Postfix,
    SizeOf,
    Unary,
    assigned,
    assignment,
    calls,
    computed,
)
from hotcocci.c.parsing import parse, parse_range
from hotcocci.c.source import Part, Source
from hotcocci.c.syntax import (
    LOOP_WORDS,
    LOOPS,
    Function,
    Statement,
    for_clauses,
    innermost,
    unlabelled,
)
from hotcocci.findings import READ_WRITE
from hotcocci.rewrite.base import ELEMENT, is_constant
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.statements import (
    BARRIER,
    TEST,
    RunStatement,
    UserAccess,
    expressions_in,
    read_statement,
    user_access,
)


@dataclass(frozen=True)
class Split:
    """The code that separates two accesses through one base."""

    reason: str
    start: int
    end: int


@dataclass(frozen=True)
class Run:
    """Accesses through one base, and the sequence they are in.

    ``first`` and ``last`` index the run's own statements in ``sequence``. ``split`` is set if the accesses are not
    adjacent: there is a call or an access through another base in between.
    """

    function: Function
    accesses: tuple[UserAccess, ...]
    sequence: tuple[RunStatement, ...]
    first: int
    last: int
    split: Split | None = None

    @property
    def statements(self) -> tuple[RunStatement, ...]:
        """The statements from the first access to the last."""
        return self.sequence[self.first : self.last + 1]

    @property
    def direction(self) -> str:
        """The narrowest direction that covers every access (W3, W4)."""
        found = {a.direction for a in self.accesses}
        return READ_WRITE if len(found) > 1 else found.pop()

    def between(
        self, dropped: Collection[int] = ()
    ) -> Iterator[tuple[RunStatement, list[Expr]]]:
        """Its statements without accesses, except the ``dropped`` ones, with all expressions in them."""
        for index in range(self.first, self.last + 1):
            statement = self.sequence[index]
            if not statement.accesses and index not in dropped:
                yield statement, expressions_in(self.function.source, statement.syntax)

    @property
    def stores(self) -> Iterator[tuple[RunStatement, Expr]]:
        """The variables that its statements without accesses assign."""
        for statement, trees in self.between():
            yield from ((statement, e) for tree in trees for e in assigned(tree))

    def with_accesses(self, accesses: tuple[UserAccess, ...]) -> Run:
        """The run with other accesses in the places of its own."""
        same = {id(old): new for old, new in zip(self.accesses, accesses, strict=True)}
        sequence = tuple(
            replace(
                statement,
                accesses=tuple(same.get(id(a), a) for a in statement.accesses),
                operands=tuple(
                    replace(o, access=same.get(id(o.access), o.access))
                    for o in statement.operands
                ),
            )
            for statement in self.sequence
        )
        return replace(self, accesses=accesses, sequence=sequence)


def find_runs(context: Context, copies: Sequence[UserAccess] = ()) -> list[Run]:
    """Every run of two or more accesses in a function, in source order.

    ``copies`` are copies of the function that count as accesses.
    """
    accesses = [*accesses_of(context), *copies]
    runs = [
        run
        for sequence in sequences(context.function, accesses)
        for run in _group(context.function, sequence)
    ]
    return sorted(runs, key=lambda r: r.accesses[0].start)


def accesses_of(context: Context) -> list[UserAccess]:
    """The accesses of a function, except those in macros."""
    found = (user_access(context, access) for access in context.function.accesses)
    return [access for access in found if access is not None]


def by_statement(
    function: Function, accesses: Iterable[UserAccess]
) -> dict[int, tuple[UserAccess, ...]]:
    """Accesses, in source order, by the `id` of the statement they belong to (`owner`)."""
    owned: dict[int, tuple[UserAccess, ...]] = {}
    for access in sorted(accesses, key=lambda access: access.start):
        own = id(owner(function, access.start))
        owned[own] = (*owned.get(own, ()), access)
    return owned


def owner(function: Function, offset: int) -> Statement:
    """The statement of a block that contains an access, or the declaration.

    ``if (!err) err = A;`` belongs to the block that the if is in.
    """
    statement = innermost(function, offset)
    declared = statement.declared
    if declared is not None and declared.start <= offset < declared.end:
        return declared
    parent = statement.parent
    if parent is not None and parent.kind == "block" and len(parent.children) == 1:
        wrapped = parent.parent
        if wrapped is not None and wrapped.kind == "if" and len(wrapped.children) == 1:
            parent = wrapped
    if statement.kind == "expression" and parent is not None and parent.kind == "if":
        return parent if len(parent.children) == 1 else statement
    return statement


def _lists(function: Function) -> list[list[Statement]]:
    """The statements of each block, and each branch or body without braces."""
    single = [
        [child]
        for s in function.statements
        if s.kind in ("if", *LOOPS)
        for child in s.children
        if child.kind != "block"
    ]
    listed = [
        [block.declared, *block.children] if block.declared else block.children
        for block in function.blocks
    ]
    return [*listed, *single]


def sequences(
    function: Function, accesses: Iterable[UserAccess]
) -> list[tuple[RunStatement, ...]]:
    """The sequences of a function that contain one of these accesses."""
    owned = by_statement(function, accesses)
    return [
        sequence
        for statements in _lists(function)
        # Most blocks have none, and to read their statements takes a fifth of the time of all decisions.
        if any(id(unlabelled(statement)) in owned for statement in statements)
        for sequence in _sequences(function.source, statements, owned)
        if any(statement.accesses for statement in sequence)
    ]


def _sequences(
    source: Source,
    statements: list[Statement],
    owned: dict[int, tuple[UserAccess, ...]],
) -> list[tuple[RunStatement, ...]]:
    found: list[list[RunStatement]] = [[]]
    previous_end = statements[0].start if statements else 0
    for labelled in statements:
        between = live(source, source.code_between(previous_end, labelled.start))
        previous_end = labelled.end
        accesses = owned.get(id(unlabelled(labelled)), ())
        statement = read_statement(source, labelled, accesses)
        if statement.syntax is not labelled or between:
            found.append([])
        # if (err) break; is no exit by itself.
        breaks = statement.form == TEST and statement.exit and not statement.exit.leaves
        if breaks and not _is_test_of(statement, found[-1]):
            found.append([])
        elif statement.form == BARRIER and (
            accesses or not _may_continue(statement.syntax)
        ):
            found += [[statement], []]
        else:
            found[-1].append(statement)
            if statement.ends_sequence:
                found.append([])
    return [tuple(sequence) for sequence in found]


def _is_test_of(statement: RunStatement, before: list[RunStatement]) -> bool:
    """Whether a test is that of the access before it."""
    last = before[-1] if before else None
    return (
        last is not None and bool(last.accesses) and last.variable == statement.variable
    )


def _may_continue(statement: Statement) -> bool:
    """Whether control may continue after a statement: a call, or an if that only exits."""
    if statement.kind == "if" and len(statement.children) == 1:
        then = statement.children[0]
        last = then.children[-1:] if then.kind == "block" else [then]
        return bool(last) and last[0].kind in ("return", "goto")
    return statement.kind == "expression"


def _group(function: Function, sequence: tuple[RunStatement, ...]) -> list[Run]:
    """The runs of one sequence.

    Adjacent accesses through one base make a run. A base whose accesses are never
    adjacent is still reported, as a split run.
    """
    groups: dict[str, list[list[tuple[int, UserAccess]]]] = {}
    between: dict[str, Split] = {}
    previous: str | None = None

    def separate(reason: str, by: Part) -> None:
        if previous:
            between.setdefault(previous, Split(reason, by.start, by.end))

    for index, statement in enumerate(sequence):
        if statement.form == BARRIER:
            separate("call-between", statement)
            previous = None
        for operand in statement.operands:
            access = operand.access
            if access is None:
                if previous:
                    tested = parse_range(function.source, operand.start, operand.end)
                    reason = "call-between" if calls(tested) else "mixed-condition"
                    separate(reason, operand)
                previous = None
                continue
            key = access.base.key
            own = groups.setdefault(key, [])
            if key != previous:
                separate("second-base", access)
                own.append([])
            own[-1].append((index, access))
            previous = key
    runs = []
    for key, own in groups.items():
        adjacent = [_run(function, sequence, g, None) for g in own if len(g) > 1]
        if not adjacent and len(own) > 1:
            members = [*chain.from_iterable(own)]
            runs.append(_run(function, sequence, members, between[key]))
        runs += adjacent
    return runs


def _run(
    function: Function,
    sequence: tuple[RunStatement, ...],
    members: list[tuple[int, UserAccess]],
    split: Split | None,
) -> Run:
    accesses = tuple(access for _, access in members)
    return Run(function, accesses, sequence, members[0][0], members[-1][0], split)


_NEVER = ("0", "false")


@dataclass(frozen=True)
class Loop:
    """A loop, and its body read as a run."""

    statement: Statement
    body: Statement
    run: Run


@dataclass(frozen=True)
class Count:
    """The trip count of a for loop: its variable and its bound as written.

    ``value`` is the bound if it is a number; ``constant`` is set if the compiler knows it.
    """

    variable: str
    bound: Expr
    text: str
    value: int | None
    constant: bool


def find_loops(context: Context) -> list[Loop]:
    """Every loop of a function with an access directly in its body, in source order."""
    source, function = context.source, context.function
    owned = by_statement(function, accesses_of(context))
    found = []
    for loop in function.statements:
        if loop.kind not in LOOP_WORDS or not loop.children or _is_once(source, loop):
            continue
        body = loop.children[-1]
        parts = body.children if body.kind == "block" else [body]
        own = [owned.get(id(unlabelled(part)), ()) for part in parts]
        if not any(own):
            continue
        sequence = tuple(map(partial(read_statement, source), parts, own))
        accesses = tuple(a for s in sequence for a in s.accesses)
        run = Run(function, accesses, sequence, 0, len(sequence) - 1)
        found.append(Loop(loop, body, run))
    return found


def _is_once(source: Source, loop: Statement) -> bool:
    """Whether a statement is ``do … while (0)``, which is only there for its breaks."""
    tail = [t.text for t in source.code_between(loop.children[-1].end, loop.end)]
    return loop.kind == "do" and tail in (["while", "(", c, ")", ";"] for c in _NEVER)


def count(loop: Loop, context: Context) -> Count | None:
    """The trip count of ``for (i = 0; i < n; i++)``; None for any other loop."""
    source = context.source
    if loop.statement.kind != "for":
        return None
    clauses = for_clauses(source, loop.statement)
    start, test = (parse(source.text, clause) for clause in clauses[:2])
    if not isinstance(start, Binary):
        # for (int i = 0; …)
        words = clauses[0]
        if len(words) > 3 and words[-2].text == "=":
            start = parse(source.text, words[-3:])
    begun = assignment(start)
    if begun is None or not begun[1].is_zero:
        return None
    variable = begun[0]
    if counter(source, loop.statement) != variable:
        return None
    if not (isinstance(test, Binary) and test.operator in ("<", "!=")):
        return None
    if test.left.name != variable:
        return None
    bound = test.right
    text = source.of(bound)
    return Count(variable, bound, text, computed(bound), _constant(bound, context))


def counter(source: Source, loop: Statement) -> str | None:
    """The variable that a for loop counts up by one, alone; None for any other loop."""
    if loop.kind != "for":
        return None
    advance = parse(source.text, for_clauses(source, loop)[2])
    if isinstance(advance, (Postfix, Unary)) and advance.operator == "++":
        return advance.operand.name
    return None


def _constant(bound: Expr, context: Context) -> bool:
    if isinstance(bound, (Literal, SizeOf)):
        return True
    if isinstance(bound, Name):
        return is_constant(bound.text, context)
    if isinstance(bound, Call):
        return bound.callee == "ARRAY_SIZE"
    if isinstance(bound, Binary) and bound.operator in ("+", "-", "*", "/", "<<"):
        return all(_constant(e, context) for e in (bound.left, bound.right))
    return False


def is_element(access: UserAccess, variable: str) -> bool:
    """Whether an access is to the element of its base that a loop variable counts to."""
    pointer = access.pointer
    if access.base.place != ELEMENT:
        return False
    while isinstance(pointer, Unary):
        pointer = pointer.operand
    while not isinstance(pointer, (Name, Literal)):
        if isinstance(pointer, Index) and pointer.object == access.base.expr:
            return pointer.index.name == variable
        if isinstance(pointer, Binary):
            return pointer.right.name == variable
        inner = pointer.children()
        if not inner:
            return False
        pointer = inner[0]
    return False
