# SPDX-License-Identifier: GPL-2.0
"""Classify the statements of a run by their role in a window."""

from dataclasses import dataclass, replace
from itertools import chain

from hotcocci.c.expression import (
    Binary,
    Call,
    Conditional,
    Expr,
    Name,
    Unary,
    assigned,
    assignment,
    canonical,
    is_hint,
    walk,
)
from hotcocci.c.parsing import parse
from hotcocci.c.source import Source, closing, split
from hotcocci.c.syntax import (
    DECLARATION,
    Statement,
    branches,
    condition,
    expression,
    initialization,
    unlabelled,
)
from hotcocci.findings import READ, WRITE, Access
from hotcocci.rewrite.base import Base, find_base, outside_calls
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.exits import FAULT, Exit, read_continued, read_exit

CHAIN = "chain"  # if (A || B) leave;
ASSIGN = "assign"  # err = A;
ACCUMULATE = "accumulate"  # err |= A;
GUARDED = "guarded"  # if (!err) err = A;
TEST = "test"  # if (err) leave;
RETURN = "return"  # return A;
RETURN_VARIABLE = "return-variable"  # return err;
IGNORED = "ignored"  # A;
PURE = "pure"  # no access, no call, no jump
EARLY = "early"  # if (pure condition) leave;
RANGE = "range"  # if (!access_ok(p, n)) leave;
HANDLED = "handled"  # a fault is handled in another way
MIXED = "mixed"  # the access depends on another condition
BARRIER = "barrier"  # anything else


@dataclass(frozen=True)
class Copied:
    """A copy of a small structure, as written.

    ``object`` names the structure, ``kernel`` points to it, ``size`` is the third argument; ``members`` are the
    paths of the members read one by one, as ``.a.b[1]``. ``part`` is set if only a part of the user object is
    copied, ``bytes`` if it is an array of bytes, as the kernel's is. ``values`` are what to store in the members
    if the structure only carries them. ``unread`` are members that are not read because nothing uses them.
    """

    object: str
    kernel: str
    size: str
    members: tuple[str, ...]
    part: bool = False
    values: tuple[str, ...] = ()
    bytes: bool = False
    unread: tuple[str, ...] = ()


@dataclass(frozen=True)
class UserAccess:
    """The parts of one access; ``start`` and ``end`` span the whole call.

    ``copied`` is set if it is a copy.
    """

    access: Access
    start: int
    end: int
    direction: str
    value: Expr
    pointer: Expr
    base: Base
    copied: Copied | None = None


@dataclass(frozen=True)
class Operand:
    """One operand of a chain: an access or another test."""

    start: int
    end: int
    access: UserAccess | None


@dataclass(frozen=True)
class RunStatement:
    """A statement, its form, its accesses, the error variable and the exit.

    ``syntax`` is the statement without labels. ``ends_sequence`` is set if control may go elsewhere after it,
    ``tries_all`` if the next access is made even after a fault (``a | b``).
    """

    form: str
    syntax: Statement
    line: int
    accesses: tuple[UserAccess, ...] = ()
    operands: tuple[Operand, ...] = ()
    variable: str | None = None
    exit: Exit | None = None
    range_check: Call | None = None
    ends_sequence: bool = False
    tries_all: bool = False

    @property
    def start(self) -> int:
        """The offset of its first character."""
        return self.syntax.start

    @property
    def end(self) -> int:
        """The offset after its last character."""
        return self.syntax.end


def user_access(context: Context, access: Access) -> UserAccess | None:
    """The two arguments of an access as written in the file; None in a macro."""
    found = read_call(context.source, access)
    if found is None or len(found[2]) != 2:
        return None
    start, end, (value, pointer) = found
    direction = READ if access.name.endswith("get_user") else WRITE
    base = find_base(pointer, context)
    return UserAccess(access, start, end, direction, value, pointer, base)


def read_call(
    source: Source, access: Access
) -> tuple[int, int, tuple[Expr, ...]] | None:
    """The start and end of a call, and its arguments as written in the file; None in a macro."""
    start = source.offset(access.line, access.column)
    tokens = source.code_between(start, len(source.text))
    if len(tokens) < 2 or tokens[0].text != access.name or tokens[1].text != "(":
        return None
    last = closing(tokens, 1)
    if last is None:
        return None
    pieces = split(tokens[2:last], ",")
    return start, tokens[last].end, tuple(parse(source.text, each) for each in pieces)


def _peel(expr: Expr) -> Expr:
    """Strip unlikely(), !! and ``!= 0`` from a tested value."""
    while True:
        if is_hint(expr):
            expr = expr.arguments[0]
        elif (
            isinstance(expr, Binary)
            and expr.operator in ("!=", "<")
            and expr.right.is_zero
        ):
            expr = expr.left
        else:
            return expr


def _operands(expr: Expr, operator: str) -> list[Expr]:
    expr = _peel(expr)
    if isinstance(expr, Binary) and expr.operator == operator:
        return _operands(expr.left, operator) + _operands(expr.right, operator)
    return [expr]


def _pick(expr: Expr, accesses: tuple[UserAccess, ...]) -> UserAccess | None:
    expr = _peel(expr)
    for access in accesses:
        if isinstance(expr, Call) and expr.function.start == access.start:
            return access
    return None


def _chain(
    tests: list[Expr], owned: tuple[UserAccess, ...]
) -> tuple[Operand, ...] | None:
    """The operands, if every access of the statement is one of them."""
    operands = tuple(Operand(t.start, t.end, _pick(t, owned)) for t in tests)
    return (
        operands if sum(o.access is not None for o in operands) == len(owned) else None
    )


def _only(
    tests: list[Expr], owned: tuple[UserAccess, ...]
) -> tuple[Operand, ...] | None:
    """The operands, if they are the accesses of the statement and nothing else."""
    operands = _chain(tests, owned)
    return operands if operands and all(o.access for o in operands) else None


def range_check(expr: Expr) -> Call | None:
    """The call in ``!access_ok(p, n)``."""
    expr = _peel(expr)
    if isinstance(expr, Unary) and expr.operator == "!":
        call = _peel(expr.operand)
        if isinstance(call, Call) and call.callee == "access_ok":
            return call if len(call.arguments) > 1 else None
    return None


def read_statement(
    source: Source, outer: Statement, owned: tuple[UserAccess, ...]
) -> RunStatement:
    """Classify one statement; ``owned`` are the accesses in it."""
    syntax = unlabelled(outer)
    operands = tuple(Operand(a.start, a.end, a) for a in owned)
    blank = RunStatement(BARRIER, syntax, source.line_of(syntax.start), owned, operands)
    if syntax.kind == "if" and syntax.children:
        return _read_if(source, blank)
    if syntax.kind == "expression":
        return _read_expression(source, blank, expression(source, syntax))
    if syntax.kind == DECLARATION:
        return _read_expression(source, blank, initialization(source, syntax))
    if syntax.kind == "return":
        return _read_return(source, blank)
    return blank


def fits_window(statement: RunStatement) -> bool:
    """Whether a statement may be inside a window unchanged, or exit from it."""
    if statement.form in (EARLY, TEST):
        exit_ = statement.exit
        return exit_ is not None and exit_.leaves and not exit_.calls
    return statement.form == PURE


def expressions_in(source: Source, statement: Statement) -> list[Expr]:
    """The expressions of a statement and of all statements in it."""
    own = []
    if statement.kind == "if":
        own = [condition(source, statement)]
    elif statement.kind == "expression":
        own = [expression(source, statement)]
    inner = (expressions_in(source, child) for child in statement.children)
    return [*own, *chain.from_iterable(inner)]


def _text(source: Source, expr: Expr) -> str:
    return canonical(source.of(expr))


def _fault_or_zero(source: Source, expr: Expr) -> Expr | None:
    """The condition of ``c ? -EFAULT : 0``."""
    if isinstance(expr, Conditional) and _text(source, expr.other) == "0":
        if _text(source, expr.then) == FAULT:
            return expr.condition
    return None


def _read_return(source: Source, blank: RunStatement) -> RunStatement:
    if len(source.code_between(blank.start, blank.end)) == 2:
        return blank
    tree = expression(source, blank.syntax)
    exit_ = read_exit(source, blank.syntax)
    tested = _fault_or_zero(source, tree)
    if not blank.accesses:
        value = tree if tested is None else tested
        if isinstance(value, Name):
            return replace(blank, form=RETURN_VARIABLE, variable=value.text, exit=exit_)
        return blank
    if tested is not None:
        operands = _chain(_operands(tested, "||"), blank.accesses)
        return replace(
            blank, form=RETURN if operands else MIXED, operands=operands or ()
        )
    if _only([tree], blank.accesses):
        return replace(blank, form=RETURN)
    form = RETURN if _only(_operands(tree, "|"), blank.accesses) else MIXED
    return replace(blank, form=form, tries_all=True)


def _read_if(source: Source, blank: RunStatement) -> RunStatement:
    test = condition(source, blank.syntax)
    then, other = branches(blank.syntax)
    exit_ = read_exit(source, then) if other is None else None
    if not blank.accesses:
        return _read_plain_if(source, blank, test, exit_)
    if not all(test.start <= a.start < test.end for a in blank.accesses):
        return _read_guarded(source, blank, test)
    if exit_ is None and other is None:
        exit_ = read_continued(source, blank.syntax, then)
    effects = exit_ is None and not _pure_tree(source, then)
    effects = effects or (other is not None and not _pure_tree(source, other))
    blank = replace(blank, ends_sequence=effects)
    operands = _chain(_operands(test, "||"), blank.accesses)
    if operands:
        form = CHAIN if exit_ else HANDLED
        return replace(blank, form=form, operands=operands, exit=exit_)
    if _only(_operands(test, "|"), blank.accesses):
        return replace(
            blank, form=CHAIN if exit_ else HANDLED, exit=exit_, tries_all=True
        )
    tested = _peel(test)
    if isinstance(tested, Unary) and tested.operator == "!":
        if _only([tested.operand], blank.accesses):
            # if (!A) exits on success and continues after a fault.
            return replace(blank, form=HANDLED, exit=exit_)
    made = assignment(tested)
    if exit_ and made is not None and _only([made[1]], blank.accesses):
        return replace(blank, form=CHAIN, exit=exit_, variable=made[0])
    return replace(blank, form=MIXED)


def _read_guarded(source: Source, blank: RunStatement, test: Expr) -> RunStatement:
    then, other = branches(blank.syntax)
    body = then.children if then.kind == "block" else [then]
    if other is not None or len(body) != 1 or body[0].kind != "expression":
        return blank
    name, value = assignment(expression(source, body[0])) or ("", None)
    if value is not None and _only([value], blank.accesses):
        if _text(source, test) in (f"!{name}", f"{name}==0"):
            return replace(blank, form=GUARDED, variable=name)
    return blank


def _read_plain_if(
    source: Source, blank: RunStatement, test: Expr, exit_: Exit | None
) -> RunStatement:
    checked = range_check(test)
    if checked is not None and exit_ is not None:
        return replace(blank, form=RANGE, exit=exit_, range_check=checked)
    tested = _peel(test)
    if isinstance(tested, Name):
        then, other = branches(blank.syntax)
        if exit_ is None and other is None:
            exit_ = read_continued(source, blank.syntax, then)
        if exit_ is not None:
            return replace(blank, form=TEST, variable=tested.text, exit=exit_)
    if outside_calls(test) or assigned(test):
        return blank
    if exit_ is not None and not exit_.calls:
        return replace(blank, form=EARLY, exit=exit_)
    return replace(blank, form=PURE) if _pure_tree(source, blank.syntax) else blank


def _pure_tree(source: Source, statement: Statement) -> bool:
    """Whether a statement has no calls or jumps at any depth."""
    if statement.kind in ("block", "if"):
        pure = statement.kind == "block" or not outside_calls(
            condition(source, statement)
        )
        return pure and all(_pure_tree(source, c) for c in statement.children)
    return statement.kind == "expression" and not outside_calls(
        expression(source, statement)
    )


def _read_expression(source: Source, blank: RunStatement, tree: Expr) -> RunStatement:
    owned = blank.accesses
    if not owned:
        return blank if outside_calls(tree) else replace(blank, form=PURE)
    if _pick(tree, owned):
        return replace(blank, form=IGNORED)
    if isinstance(tree, Binary) and isinstance(tree.left, Name):
        blank = replace(blank, variable=tree.left.text)
        right = _peel(tree.right)
        tested = _fault_or_zero(source, right)
        if tree.operator == "=" and tested is not None:
            operands = _chain(_operands(tested, "||"), owned)
            return replace(blank, form=HANDLED if operands else MIXED)
        if _only(_operands(right, "|"), owned) and tree.operator in ("=", "|="):
            return replace(blank, form=ASSIGN if tree.operator == "=" else ACCUMULATE)
    return replace(blank, form=MIXED if is_conditional(tree) else HANDLED)


def is_always_made(statement: RunStatement) -> bool:
    """Whether a statement makes its accesses, or leaves, as after an access_ok() that fails."""
    if any(operand.access is None for operand in statement.operands):
        return statement.form == CHAIN
    return statement.form not in (MIXED, BARRIER)


def is_conditional(tree: Expr) -> bool:
    """Whether a part of an expression is evaluated on a condition only."""
    return any(
        isinstance(e, Conditional)
        or (isinstance(e, Binary) and e.operator in ("&&", "||"))
        for e in walk(tree)
    )
