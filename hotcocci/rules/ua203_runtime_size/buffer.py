# SPDX-License-Identifier: GPL-2.0
"""The kernel buffer of a copy of runtime size: where it may be, and who reads it later."""

from __future__ import annotations

import re
from dataclasses import dataclass

from hotcocci.c.integers import integer
from hotcocci.c.expression import Call, Expr, Literal, Name, Unary, names
from hotcocci.c.parsing import parse
from hotcocci.c.text import size_of, size_of_declared
from hotcocci.c.source import NAME, closing, expression_at
from hotcocci.c.syntax import condition, innermost
from hotcocci.findings import READ, Edit
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.loads.chain_variables import Variable, locals_of
from hotcocci.rewrite.copies.calls import Copy, uncast
from hotcocci.rewrite.exits import read_exit
from hotcocci.rewrite.window import Refusal

# Allocators whose memory is aligned for any type (ARCH_KMALLOC_MINALIGN).
_ALLOCATES = re.compile(
    r"(?:kv?|v)[mzc]alloc(?:_array)?(?:_node)?(?:_obj\w*|_flex)?|kvcalloc"
)
_FREES = re.compile(r"kv?free(?:_sensitive)?|vfree")
ALIGNED = "__aligned(8)"


@dataclass(frozen=True)
class Buffer:
    """Local memory that the kernel pointer points to.

    ``names`` are the variables that are or point to it. ``size`` is that of the smallest array
    or structure on the stack, in bytes, None if it is never on the stack; ``heap`` is
    set if it may have been allocated. ``edits`` align the objects on the stack.
    """

    names: frozenset[str]
    size: int | None
    heap: bool
    edits: tuple[Edit, ...]


def buffer_of(copy: Copy) -> Buffer | Refusal:
    """The buffers that a copy's kernel pointer may point to; a refusal unless all are local to the function."""
    kernel = uncast(copy.kernel)
    if isinstance(kernel, Unary) and kernel.operator == "&":
        if isinstance(kernel.operand, Name):
            return _object(kernel.operand.text, copy)
        return Refusal("buffer-elsewhere", copy.line)
    if not isinstance(kernel, Name):
        return Refusal("buffer-elsewhere", copy.line)
    declared = _declared(kernel.text, copy.context)
    if declared is None:
        return Refusal("buffer-elsewhere", copy.line)
    return (
        _pointed(kernel.text, copy)
        if "*" in declared.type
        else _object(kernel.text, copy)
    )


def _object(name: str, copy: Copy) -> Buffer | Refusal:
    """A variable that is the buffer itself."""
    context = copy.context
    declared = _declared(name, context)
    if declared is None or "*" in declared.type or name in context.static_names:
        return Refusal("buffer-elsewhere", copy.line)
    file, root = context.source.file, context.options.root
    begin, end = declared.tokens[0].start, declared.end
    declaration = context.source.text[begin:end]
    if declared.single:
        size = size_of_declared(root, file, declaration)
    else:
        size = size_of(root, file, declared.type)
    if not size:
        return Refusal("buffer-size", context.source.line_of(begin))
    first = integer(declared.type.partition("[")[0])
    eight = first is not None and first.size == 8
    fit = eight or any("aligned" in word for word in declared.attributes)
    edits = () if fit else (Edit(end, end, f" {ALIGNED}"),)
    return Buffer(frozenset({name}), size, False, edits)


def _pointed(name: str, copy: Copy) -> Buffer | Refusal:
    """All buffers that are ever assigned to a pointer."""
    context = copy.context
    values = _values(name, context)
    if values is None:
        return Refusal("buffer-elsewhere", copy.line)
    found: list[Buffer] = []
    heap = False
    for value in values:
        value = uncast(value)
        if _is_null(value):
            continue
        if isinstance(value, Call) and isinstance(value.function, Name):
            if not _ALLOCATES.fullmatch(value.function.text):
                return Refusal("buffer-elsewhere", context.source.line_of(value.start))
            heap = True
            continue
        if isinstance(value, Unary) and value.operator == "&":
            value = value.operand
        declared = _declared(value.text, context) if isinstance(value, Name) else None
        if not isinstance(value, Name) or declared is None:
            return Refusal("buffer-elsewhere", context.source.line_of(value.start))
        if "*" in declared.type:
            made = _alias(value.text, context)
            if made is None:
                return Refusal("buffer-elsewhere", context.source.line_of(value.start))
            heap = heap or made
            continue
        inner = _object(value.text, copy)
        if isinstance(inner, Refusal):
            return inner
        found.append(inner)
    if not found and not heap:
        return Refusal("buffer-elsewhere", copy.line)
    return Buffer(
        frozenset({name}).union(*(b.names for b in found)),
        min((b.size for b in found if b.size), default=None),
        heap,
        tuple(dict.fromkeys(edit for b in found for edit in b.edits)),
    )


def _alias(name: str, context: Context) -> bool | None:
    """Whether another pointer only ever points to allocated memory; None if unknown."""
    values = _values(name, context)
    if values is None:
        return None
    heap = False
    for value in map(uncast, values):
        if _is_null(value):
            continue
        if not isinstance(value, Call) or not isinstance(value.function, Name):
            return None
        if not _ALLOCATES.fullmatch(value.function.text):
            return None
        heap = True
    return heap


def _is_null(value: Expr) -> bool:
    return (isinstance(value, Name) and value.text == "NULL") or (
        isinstance(value, Literal) and value.text == "0"
    )


def _values(name: str, context: Context) -> list[Expr] | None:
    """The values assigned to a pointer in a function; None if other code may change it."""
    declared = _declared(name, context)
    if declared is None:
        return None
    source = context.source
    found = [parse(source.text, declared.value)] if declared.value else []
    tokens = source.code_between(context.body.start, context.body.end)
    for index, token in enumerate(tokens):
        if token.text != name or tokens[index - 1].text in (".", "->"):
            continue
        if declared.tokens[0].start <= token.start < declared.end:
            continue
        before, after = tokens[index - 1].text, tokens[index + 1].text
        if before in ("++", "--") or after in ("++", "--"):
            return None
        if before == "&" and tokens[index - 2].text in ("(", ",", "=", "return"):
            return None
        if after.endswith("=") and after not in ("==", "!=", "<=", ">="):
            if after != "=":
                return None
            found.append(parse(source.text, expression_at(tokens, index + 2)))
    return found


def _declared(name: str, context: Context) -> Variable | None:
    """The declaration of a local variable; None if there is none, or more than one."""
    found = [each for each in locals_of(context) if each.name.text == name]
    return found[0] if len(found) == 1 else None


def after_fault(copy: Copy, buffer: Buffer) -> Refusal | None:
    """Refuse if bytes that copy_from_user() zeroes on a fault may be read afterwards."""
    if copy.direction != READ:
        return None
    context = copy.context
    source = context.source
    statement = innermost(context.function, copy.start)
    if statement.kind != "if" or not statement.children:
        return Refusal("fault-handled", copy.line)
    if _negated(condition(source, statement), copy):
        return Refusal("fault-handled", copy.line)
    exit_ = read_exit(source, statement.children[0])
    if exit_ is None:
        return Refusal("fault-handled", copy.line)
    seen_by = _aliases(buffer.names, context)
    for name in seen_by:
        if context.mentions(name, exit_.start, exit_.end):
            return Refusal("value-read-on-fault", source.line_of(exit_.start))
    if exit_.target is None:
        return None
    place = context.labels.get(exit_.target)
    if place is None or place < copy.end:
        return Refusal("fault-handled", copy.line)
    tokens = source.code_between(place, context.body.end)
    for index, token in enumerate(tokens):
        if token.text not in seen_by or tokens[index - 1].text in (".", "->"):
            continue
        before, ahead, after = (
            tokens[index - 1].text,
            tokens[index - 2].text,
            tokens[index + 1].text,
        )
        freed = before == "(" and after == ")" and _FREES.fullmatch(ahead)
        compared = before in ("==", "!=") or after in ("==", "!=")
        tested = before in ("(", "!") and after == ")" and ahead in ("if", "(")
        if not (freed or compared or tested):
            return Refusal("value-read-on-fault", source.line_of(token.start))
    return None


def _aliases(names_: frozenset[str], context: Context) -> frozenset[str]:
    """These variables, and those that are ever assigned an address computed from them."""
    tokens = context.source.code_between(context.body.start, context.body.end)
    found = set(names_)
    for index, token in enumerate(tokens):
        if token.text not in found or tokens[index - 1].text in (".", "->"):
            continue
        place, address, called = index - 1, False, False
        while tokens[place].text not in ("=", ";", "{", "}"):
            address = address or tokens[place].text == "&"
            if tokens[place].text == "(" and tokens[place - 1].kind == NAME:
                called = called or (closing(tokens, place) or index) > index
            place -= 1
        part = tokens[index + 1].text in ("[", ".", "->") and not address
        if tokens[place].text == "=" and not part and not called:
            held = tokens[place - 1]
            found |= {held.text} if held.kind == NAME else set()
    return frozenset(found)


def _negated(test: Expr, copy: Copy) -> bool:
    """Whether the branch is taken on success: ``!copy`` or ``copy == 0``."""
    if test.start > copy.start or test.end < copy.end:
        return False
    if isinstance(test, Unary) and test.operator == "!":
        return True
    operator = getattr(test, "operator", "")
    if operator == "==" and "copy" not in names(test):
        return True
    return any(_negated(child, copy) for child in test.children())
