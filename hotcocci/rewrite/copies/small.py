# SPDX-License-Identifier: GPL-2.0
"""Which copies are small: of a size known at compile time, or at run time from a source that often gives small ones.

Two sources often do: the argument size of an ioctl command, and a
parameter for which callers pass constants. read() and write() sizes are neither and are
not reported. Other sizes are reported in hot functions (callers.py of UA203).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from hotcocci.c.ask import layouts
from hotcocci.c.expression import Expr
from hotcocci.c.model import BOOL, BYTES, INTEGER, POINTER, RECORD, Layout
from hotcocci.c.source import NAME, Token, expression_at, is_member
from hotcocci.c.syntax import condition, enclosing, innermost
from hotcocci.c.typed import RECORDS, bare
from hotcocci.findings import Facts
from hotcocci.rewrite.context import Context, contexts
from hotcocci.rewrite.copies.calls import COPIES, Copy, copies_of
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
    for (context, copies), names in zip(found, wanted):
        asked = {n: a for n in names if isinstance(a := answers.get(n), Layout)}
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
    parameter = parameter_of(text, context)
    if parameter is None or assignments(text, context):
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
        called = [
            t.text
            for t, after in zip(value or (), (value or ())[1:], strict=False)
            if t.kind == NAME and after.text == "("
        ]
        if any(word not in ("_IOC_SIZE", "sizeof") for word in called):
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
