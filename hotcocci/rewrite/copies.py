# SPDX-License-Identifier: GPL-2.0
"""Which copies are small: of a size known at compile time, or at run time from a source that often gives small ones.

Two sources often do: the argument size of an ioctl command, and a
parameter for which callers pass constants. read() and write() sizes are neither and are
not reported. Other sizes are reported in hot functions (callers.py of UA203).

The result of a copy is the number of uncopied bytes, where an access returns -EFAULT: if it is only tested
for zero, both work.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from hotcocci.c.ask import layouts
from hotcocci.c.expression import (
    Binary,
    Call,
    Cast,
    Conditional,
    Expr,
    Name,
    Unary,
    assignment,
    canonical,
    is_hint,
)
from hotcocci.c.flow import BasicBlock, Edge, reachable
from hotcocci.c.model import BOOL, BYTES, INTEGER, POINTER, RECORD, Layout
from hotcocci.c.source import NAME, Token, called, expression_at, is_member
from hotcocci.c.syntax import Statement, condition, enclosing, evaluated, innermost
from hotcocci.c.typed import RECORDS, bare
from hotcocci.findings import Facts
from hotcocci.rewrite.context import Context, contexts
from hotcocci.rewrite.calls import COPIES, Called, Copy, copies_of
from hotcocci.rewrite.exits import FAULT
from hotcocci.rewrite.liveness import is_followed
from hotcocci.rewrite.options import Options, small_api_for
from hotcocci.rewrite.prefilter import FILE_OPERATION, SIZE, is_constant, operand_of
from hotcocci.rewrite.ranges import architecture
from hotcocci.rewrite.window import Refusal, has_windows

# Kinds of copied objects
SCALAR = "scalar"
STRUCT = "struct"

SCALARS = (INTEGER, BOOL, POINTER)
# 32 bytes are four 64-bit accesses; larger copies are what copy_from_user() is for.
LARGEST = 32
# The largest structure reported in hot functions: a cache line.
LARGEST_REPORTED = 64
COMMAND = "command"
CALLERS = "callers"

_COMMAND = re.compile(r"\b_IOC_SIZE\s*\(\s*(\w+)\s*\)")
# A test after which the size is a constant.
_FIXED = re.compile(r"\b_IOC_SIZE\s*\([^()]*\)\s*!=\s*sizeof")
# Commands of any size: the size of their argument is the caller's buffer.
_ANY_SIZE = re.compile(r"~\s*\(?\s*(?:IOCSIZE_MASK\b|_IOC_SIZEMASK\b)")


def for_small_copies(options: Options, file: str) -> Options:
    """The options for the small copies of a file, which have windows of their own kind."""
    return replace(options, api=small_api_for(options, file))


def small_copies(
    text: str, facts: Facts, options: Options
) -> list[tuple[Context, list[Copy]]]:
    """The functions of a file with copies, and the copies of each.

    Those of hot functions have the compiler's answers on types, if they are not known to be too large. It is
    asked once, as it takes longer to read the headers than to lay out some more types.
    """
    small = for_small_copies(options, facts.file)
    found = [(context, copies_of(context)) for context in contexts(text, facts, small)]
    wanted = [_unresolved(copies) for _, copies in found]
    every = sorted(set().union(*wanted))
    answers = layouts(*found[0][0].where, every) if every else {}
    resolved = []
    for (context, copies), types in zip(found, wanted):
        asked = {n: a for n in types if isinstance(a := answers.get(n), Layout)}
        resolved.append((context, [replace(copy, asked=asked) for copy in copies]))
    return resolved


def _unresolved(copies: Sequence[Copy]) -> set[str]:
    """The types in hot copies of a function that the headers' text does not resolve."""
    return {
        type_
        for copy in copies
        if is_constant(copy.text(copy.size))
        and copy.context.hot
        and (copy.size_bytes or 0) <= LARGEST_REPORTED
        for type_ in copy.unresolved_types()
    } - {"void"}


def is_scalar(copy: Copy) -> bool:
    """Whether a copy is a SCALAR; a structure by name is none, and has not to be laid out to know that."""
    type_ = copy.operand_type(operand_of(copy.text(copy.size))) or ""
    by_name = bare(type_).startswith(RECORDS) and "*" not in type_
    return not by_name and kind_of(copy) == SCALAR


def kind_of(copy: Copy) -> str | None:
    """SCALAR or STRUCT; None if a copy is not small or its size is unknown."""
    if copy.access.name not in COPIES or not is_constant(copy.text(copy.size)):
        return None
    size, object_ = copy.size_layout, copy.kernel_layout
    if size is not None and size.kind in SCALARS:
        return SCALAR
    if size is not None and size.kind == BYTES:
        scalar = object_ is not None and object_.kind == INTEGER
        return SCALAR if scalar and max(size.sizes) <= 8 else None
    if size is not None and size.kind == RECORD and max(size.sizes) <= LARGEST:
        return STRUCT
    if not copy.context.hot:
        return None
    most = copy.size_bytes or 0 if size is None else max(size.sizes)
    return STRUCT if most <= LARGEST_REPORTED else None


def opens_more(copy: Copy) -> Refusal | None:
    """Refuse to take a copy apart in generic code of a tree whose arm64 has no windows (6.1).

    One copy would become several accesses that open and close user access each, with two
    changes of TTBR0 where PAN is emulated.
    """
    options = copy.context.options
    if not has_windows(options):
        return Refusal("no-window-api", copy.line)
    if architecture(copy.context) is not None or "arm64" not in options.arches:
        return None
    if "arm64" in options.features.gain_arches:
        return None
    detail = "user_access_begin() of arm64 is only access_ok(): each word would open and close user access"
    return Refusal("no-gain-arch", copy.line, detail)


def source_of_size(copy: Copy) -> str | None:
    """Return `COMMAND`, `CALLERS`, or None if the size comes from neither."""
    text = copy.text(copy.size)
    context = copy.context
    if is_constant(text) or switched(copy):
        return None
    if _FIXED.search(context.source.text, context.body.start, copy.start):
        return None
    if _ANY_SIZE.search(context.source.text, context.body.start, context.body.end):
        return None
    if _in_case_of_command(copy):
        return None
    if SIZE.search(text):
        return COMMAND
    if not text.isidentifier():
        return None
    if _set_by_command(text, context, frozenset()):
        return COMMAND
    if parameter_of(text, context) is None or assignments(text, context):
        return None
    words = {t.text for t in context.header}
    if words & FILE_OPERATION or any("SYSCALL_DEFINE" in word for word in words):
        return None
    return CALLERS


def switched(copy: Copy) -> bool:
    """Whether a copy is the default of a switch on its own size, which is the form we emit."""
    size = copy.text(copy.size)
    return ("default", size) in ((w, copy.text(over)) for w, over in _switches(copy))


def _in_case_of_command(copy: Copy) -> bool:
    """Whether a copy is in a case of a switch over the command, which tells its size."""
    commands = set(_COMMAND.findall(copy.context.of(copy.context.body)))
    # A part of the command, _IOC_DIR(cmd), does not tell the size.
    words = (word for word, over in _switches(copy) if over.name in commands)
    return next(words, "") == "case"


def _switches(copy: Copy) -> Iterator[tuple[str, Expr]]:
    """The switches around a copy, innermost first: the word of the label that it is after, and what is switched over."""
    source = copy.context.source
    for around in enclosing(innermost(copy.context.function, copy.start)):
        if around.kind == "switch":
            depth, word = 0, ""
            for token in source.code_between(around.start, copy.start):
                depth += (token.text == "{") - (token.text == "}")
                if depth == 1 and token.text in ("case", "default"):
                    word = token.text
            yield word, condition(source, around)


def parameter_of(name: str, context: Context) -> int | None:
    """The position of the function's parameter of this name; None if it has none."""
    for place, tokens in enumerate(context.parameters):
        names = [token.text for token in tokens if token.kind == NAME]
        if names[-1:] == [name]:
            return place
    return None


def _set_by_command(name: str, context: Context, known: frozenset[str]) -> bool:
    """Whether a local variable only ever holds the size of a command, or zero."""
    values = assignments(name, context)
    if not values or None in values or address_taken(name, context):
        return False
    by_command = False
    for value in values:
        text = " ".join(t.text for t in value or ())
        if any(t.text not in ("_IOC_SIZE", "sizeof") for t in called(value or ())):
            return False
        if SIZE.search(text):
            by_command = True
            continue
        others = {t.text for t in value or () if t.kind == NAME} - known - {name}
        by_command = by_command or any(
            _set_by_command(other, context, known | {name})
            for other in others
            if assignments(other, context)
        )
    return by_command


def assignments(name: str, context: Context) -> list[tuple[Token, ...] | None]:
    """The values assigned to a variable in a function; None for any other modification."""
    tokens = context.source.code_between(context.body.start, context.body.end)
    found: list[tuple[Token, ...] | None] = []
    for index, token in enumerate(tokens):
        if token.text != name or is_member(tokens, index):
            continue
        after = tokens[index + 1].text
        if after in ("++", "--") or tokens[index - 1].text in ("++", "--"):
            found.append(None)
        elif after.endswith("=") and after not in ("==", "!=", "<=", ">="):
            found.append(expression_at(tokens, index + 2) if after == "=" else None)
    return found


def address_taken(name: str, context: Context) -> bool:
    """Whether a variable's address is taken, so that other code may set it."""
    tokens = context.tokens
    return any(
        before.text == "&" and token.text == name
        # After an operand it is the operator of integers.
        for first, before, token in zip(tokens, tokens[1:], tokens[2:], strict=False)
        if first.kind != NAME and first.text not in (")", "]")
    )


KEEPS = ("=", "|=", "+=")

_TESTS = ("if", "while")


def refusal(copy: Called) -> str | None:
    """Why an access cannot replace the result of a copy, None if it can."""
    statement = innermost(copy.context.function, copy.start)
    path = _path(statement, copy)
    if not path or statement.kind == "switch":
        return "result-unclear"
    return _used(path, statement, copy)


def made_errno(copy: Called) -> Expr | None:
    """``copy() ? -EFAULT : 0``, which is the return value of an access."""
    path = _path(innermost(copy.context.function, copy.start), copy)
    parent = path[-2] if len(path) > 1 else None
    if not isinstance(parent, Conditional) or parent.start != copy.start:
        return None
    branches = (copy.text(parent.then), copy.text(parent.other))
    return parent if tuple(map(canonical, branches)) == (FAULT, "0") else None


def _path(statement: Statement, copy: Called) -> list[Expr]:
    """The expressions from the statement's own down to the call; none if it is not evaluated there."""

    def down(tree: Expr) -> list[Expr]:
        if isinstance(tree, Call) and tree.function.start == copy.start:
            return [tree]
        below = next(filter(None, map(down, tree.children())), [])
        return [tree, *below] if below else []

    tree = evaluated(copy.context.source, statement)
    return down(tree) if tree is not None else []


def _used(path: list[Expr], statement: Statement, copy: Called) -> str | None:
    """Walk up from the call until its value is tested, discarded or stored."""
    child: Expr = path[-1]
    for parent in reversed(path[:-1]):
        verdict = _use_in(parent, child, copy)
        if verdict == "tested":
            return None
        if verdict is not None:
            return verdict
        child = parent
    if statement.kind in _TESTS:
        return None
    if statement.kind == "return":
        return "count-used"
    return None  # an expression statement: the result is discarded


def _use_in(parent: Expr, child: Expr, copy: Called) -> str | None:
    """``tested``, a reason, or None if the parent passes the value on."""
    if isinstance(parent, Unary) and parent.operator == "!":
        return "tested"
    if isinstance(parent, Conditional):
        if parent.then is parent.condition:
            return "count-used"  # copy ?: other
        return "tested" if child is parent.condition else None
    if isinstance(parent, Cast):
        return None if parent.type.strip() == "void" else "count-used"
    if isinstance(parent, Call):
        return None if is_hint(parent) else "count-used"
    if isinstance(parent, Binary):
        if parent.operator in ("||", "&&"):
            return "tested"
        zero = parent.right.is_zero
        if parent.operator in ("!=", "==") and zero and child is parent.left:
            return "tested"
        if parent.operator in KEEPS and child is parent.right:
            return _stored(parent.left, copy)
        if parent.operator == "|":
            return None
    return "count-used"


def _stored(target: Expr, copy: Called) -> str | None:
    """Why the stored result cannot be that of an access, None if it can."""
    context, name = copy.context, target.name
    given = any(token.text == name for token in context.header)
    known = name in context.names and not given and is_followed(context, name)
    return None if known and not count_is_read(copy, name) else "count-used"


def count_is_read(copy: Called, name: str) -> bool:
    """Whether a copy's result in a variable may be read, other than to test it for zero.

    Only paths with a nonzero result count: on success an access returns zero as well.
    """
    copying = [block for block in copy.context.graph.blocks if block.holds(copy.start)]
    if not copying:
        return True
    starts = [edge.target for block in copying for edge in _nonzero(block)]
    reached = reachable(starts, lambda block: _unchanged(name, block))
    return any(_reads(name, block) for block in reached)


def _nonzero(block: BasicBlock) -> list[Edge]:
    return [edge for edge in block.edges if edge.value is not False]


def _unchanged(name: str, block: BasicBlock) -> Sequence[Edge]:
    """The edges on which a variable may be unchanged and nonzero."""
    if block.is_test and block.name == name:
        return _nonzero(block)
    made = assignment(block.expr)
    return () if made is not None and made[0] == name else block.edges


def _reads(name: str, block: BasicBlock) -> bool:
    """Whether a block uses a variable other than to test it for zero."""
    if name in block.asm or block.expr is None:
        return name in block.asm
    tests = block.is_test and block.name == name
    return not tests and not only_tested(name, block.expr)


def only_tested(name: str, tree: Expr, tested: bool = False) -> bool:
    """Whether every mention in an expression sets the variable or tests it for zero."""
    if isinstance(tree, Name):
        return tree.text != name or tested
    if isinstance(tree, Unary) and tree.operator == "!":
        return only_tested(name, tree.operand, True)
    if isinstance(tree, Conditional):
        tested = tree.then is not tree.condition
        return only_tested(name, tree.condition, tested) and all(
            only_tested(name, part) for part in (tree.then, tree.other)
        )
    if isinstance(tree, Binary):
        zero = tree.right.is_zero
        if tree.operator in ("||", "&&"):
            return all(only_tested(name, s, True) for s in (tree.left, tree.right))
        if tree.operator in ("!=", "==") and zero:
            return only_tested(name, tree.left, True)
        if tree.operator in KEEPS and isinstance(tree.left, Name):
            return only_tested(name, tree.right)
    if is_hint(tree):
        return only_tested(name, tree.arguments[0], tested)
    return all(only_tested(name, child) for child in tree.children())
