# SPDX-License-Identifier: GPL-2.0
"""Replace a copy of one scalar by get_user() or put_user()."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hotcocci.c.expression import (
    ASSIGNMENTS,
    Binary,
    Cast,
    Conditional,
    Expr,
    assigned,
    calls,
)
from hotcocci.c.model import BOOL, INTEGER, POINTER, Layout
from hotcocci.c.records import record
from hotcocci.c.source import COMMENT, NAME, STRING
from hotcocci.c.syntax import branches, innermost
from hotcocci.c.text import layout
from hotcocci.findings import READ, Edit
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.copies import results
from hotcocci.rewrite.copies.calls import Copy, in_packed, lvalue, uncast
from hotcocci.rewrite.copies.copy_run import (
    dies_on_fault,
    may_be_cold,
    name_notes,
    nearby,
)
from hotcocci.rewrite.layout import WIDTH, break_offset, columns, padding, squeeze
from hotcocci.rewrite.obstacles import conditional
from hotcocci.rewrite.ranges import architecture, fetches_eight
from hotcocci.rewrite.variables import variables
from hotcocci.rewrite.window import Refusal
from hotcocci.rules.ua201_scalar_copy.needless import needless

_CAST = re.compile(r"\((?P<type>[\w ]+ __user \*)\)(?P<name>[A-Za-z_]\w*)")
# Not the name of one argument, as in drivers/vhost/scsi.c: u32 __user *eventsp = argp
_GENERAL = re.compile(r"[a-z]{1,3}\d*|\w*(?:arg|user|ptr)\w*")
# arch/um/include/asm/uaccess.h
_UML = "get_user() of user mode Linux calls what copy_from_user() calls"
UNTYPED = (
    "the type of {} does not promise an alignment to {} bytes: a machine without unaligned"
    " accesses may fault where user space passes an odd address"
)
PARTLY = (
    "where it faults half-way the copy leaves what it had loaded, get_user() zeroes"
)
# Only copy_from_user() zeroes the bytes it did not copy (include/linux/uaccess.h).
OLD = "on a fault __copy_from_user() leaves the old value, __get_user() zeroes"
UNKNOWN = (
    "no header that was found tells what {} points to: the cast goes where that has {} bytes"
    " already; where not, a machine without unaligned accesses may fault where user space"
    " passes an odd address"
)


@dataclass(frozen=True)
class PointerCast:
    """A variable, and the type that it is cast to, up to the star; ``sizes`` are those of what it points to."""

    type: str
    name: str
    sizes: tuple[int, ...]


@dataclass(frozen=True)
class Scalar:
    """The access that replaces a copy, and notes for reviewers.

    ``behind`` mends texts that name the copy, and what its result goes through; ``declared`` declares a variable for the pointer.
    ``decisions`` are what only a person can decide.
    """

    edit: Edit
    notes: tuple[str, ...]
    behind: tuple[Edit, ...] = ()
    cast: PointerCast | None = None
    declared: tuple[Edit, ...] = ()
    decisions: tuple[str, ...] = ()


def judge_scalar(copy: Copy, local: str | None = None) -> Scalar | Refusal:
    """Return the access for a copy of a scalar's size, or the first condition it fails.

    ``local`` is used in place of a pointer that needs a cast.
    """
    size = copy.size_layout
    assert size is not None
    reason = _object(copy, size) or _arguments(copy) or results.refusal(copy)
    if reason is not None:
        return Refusal(reason, copy.line)
    if architecture(copy.context) == "um":
        return Refusal("no-gain-arch", copy.line, _UML)
    # If the other branch uses accesses, this one has a reason not to: kernel/rseq.c on
    # 32 bits, include/asm-generic/flat.h without unaligned access.
    chosen = conditional(
        copy.start, copy.context, "another configuration may need the copy"
    )
    if chosen is not None:
        return chosen
    macro = _exit_macro(copy)
    if macro is not None:
        detail = f"{macro} is a macro, beside which the file may have one for the access and the exit"
        return Refusal("result-unclear", copy.line, detail)
    if _from_bytes(copy):
        return Refusal("unaligned", copy.line)
    if _in_packed(copy):
        detail = f"{squeeze(copy.text(copy.user))} is in a packed structure, and may be at any address"
        return Refusal("unaligned", copy.line, detail)
    if copy.direction == READ and is_wide(copy) and not fetches_eight(copy.context):
        return Refusal("u64-arm32", copy.line)
    pointer, notes = _pointer(copy)
    if pointer.startswith("(") and isinstance(copy.user, (Binary, Conditional)):
        if pointer != copy.text(copy.user):
            return Refusal("untyped-sum", copy.line)
    if copy.direction == READ and not dies_on_fault(copy):
        if copy.access.name.startswith("__"):
            notes += (OLD,)
        elif max(size.sizes) > 1:
            notes += (PARTLY,)
    name = _name(copy)
    errno = results.made_errno(copy)
    end = copy.end if errno is None else errno.end
    match = _CAST.fullmatch(pointer)
    cast = PointerCast(match["type"], match["name"], size.sizes) if match else None
    to = local or squeeze(pointer)
    start, text = _laid_out(copy, end, name, squeeze(lvalue(copy)), to)
    messages = (*_comments(copy, name), *_messages(copy, end, name))
    mended = {STRING if text.text.startswith('"') else COMMENT for text in messages}
    notes += name_notes(copy, tuple({COMMENT, STRING} - mended))
    return Scalar(
        Edit(start, end, text), notes, (*messages, *needless(copy, text)), cast
    )


def _exit_macro(copy: Copy) -> str | None:
    """The macro that a test of the copy leaves by, as FPU_abort of arch/x86/math-emu, which has FPU_get_user()."""
    source, function = copy.context.source, copy.context.function
    test = innermost(function, copy.start)
    if test.kind != "if" or not test.children:
        return None
    then, _ = branches(test)
    tokens = source.code_between(then.start, then.end)
    alone = [token.text for token in tokens[1:]] == [";"] and tokens[0].kind == NAME
    return tokens[0].text if alone and then.kind == "expression" else None


def _comments(copy: Copy, name: str) -> Iterator[Edit]:
    """Mend the comments above that name the routine, unless the function has another call of it."""
    routine, body = copy.access.name, copy.context.body
    if len(copy.context.mentions(routine, body.start, body.end)) > 1:
        return
    for token in nearby(copy):
        text = re.sub(rf"\b{routine}\b", name, token.text)
        above = token.kind == COMMENT and token.end <= copy.start
        if above and text != token.text:
            yield Edit(token.start, token.end, text)


def _messages(copy: Copy, end: int, name: str) -> Iterator[Edit]:
    """Mend the messages of the exit that name the routine, unless another call of it has that exit."""
    source, function = copy.context.source, copy.context.function
    test, routine = innermost(function, copy.start), copy.access.name
    if test.kind != "if":
        return
    then, _ = branches(test)
    calls_ = [t for t in source.code_between(test.start, then.end) if t.text == routine]
    for token in source.tokens_between(end, then.end) if len(calls_) == 1 else ():
        if token.kind == STRING:
            text = re.sub(rf"\b{routine}\b", name, token.text)
            if text != token.text:
                yield Edit(token.start, token.end, text)


def _object(copy: Copy, size: Layout) -> str | None:
    """Refuse unless the kernel object is a scalar of the copied size."""
    object_ = copy.kernel_layout
    if object_ is None:
        return _without_layout(copy)
    if object_.kind == BOOL:
        return "bool"
    if object_.kind == POINTER:
        return "pointer-value"
    if object_.kind != INTEGER or object_.sizes != size.sizes:
        return "size-differs"
    return None


def _without_layout(copy: Copy) -> str:
    """Why an object of unknown layout is not copied as a scalar."""
    type_ = copy.kernel_type
    if type_ == "void":
        return "untyped"
    if type_ is None:
        return "type-unknown"
    root, file = copy.context.options.root, copy.context.source.file
    part = type_.endswith("]") or record(root, file, type_) is not None
    return "size-differs" if part else "type-unknown"


def _arguments(copy: Copy) -> str | None:
    """Refuse arguments that call something or would be evaluated more often."""
    for side in (copy.kernel, copy.user):
        if assigned(side):
            return "side-effect-argument"
    return "side-effect-argument" if calls(copy.kernel) else None


def is_wide(copy: Copy) -> bool:
    """Whether eight bytes are copied, on some processors at least."""
    return copy.size_layout is not None and 8 in copy.size_layout.sizes


def _name(copy: Copy) -> str:
    """The accessor: checked if the copy was, inline if a profile has the function and the tree has it.

    Its kernel-doc asks for a demonstrable performance reason (include/linux/uaccess.h).
    """
    reads = copy.direction == READ
    base = "get_user" if reads else "put_user"
    if copy.access.name.startswith("__"):
        return f"__{base}"
    options = copy.context.options
    if options.hot is None or not (copy.hot and options.user_inline):
        return base
    # On a fault get_user_inline() stores nothing; the copy and get_user() store zeroes.
    if may_be_cold(copy) or reads and not dies_on_fault(copy):
        return base
    return f"{base}_inline"


def _pointer(copy: Copy) -> tuple[str, tuple[str, ...]]:
    """The user pointer with a type of the right width, and notes on it."""
    object_, place = copy.kernel_layout, copy.user_layout
    assert object_ is not None and copy.kernel_type is not None
    width = max(object_.sizes)
    aligned = width == 1 or (
        architecture(copy.context) in copy.context.options.unaligned_arches
    )
    known = (
        copy.user_type is not None or calls(copy.user) or isinstance(copy.user, Cast)
    )
    note = UNTYPED if known else UNKNOWN
    user = squeeze(copy.text(uncast(copy.user)))
    notes = () if aligned else (note.format(user, width),)
    if place is not None and place.kind == INTEGER and place.sizes == object_.sizes:
        return copy.text(copy.user), ()
    pointer = copy.user
    while isinstance(pointer, Cast) and "__user" in pointer.type:
        pointer = pointer.operand
    typed = _typed_local(copy, pointer)
    if typed is not None:
        return typed, notes
    const = "const " if "const" in (copy.user_type or "").split() else ""
    type_ = copy.kernel_type.removeprefix("const ")
    if type_ in ("unsigned", "signed"):
        type_ += " int"  # checkpatch.pl asks for "int".
    return f"({const}{type_} __user *){copy.text(pointer)}", notes


def _typed_local(copy: Copy, pointer: Expr) -> str | None:
    """A local that is declared as this pointer, cast to one to integers of the right size: ``int __user *ip = p``."""
    context, object_ = copy.context, copy.kernel_layout
    root, file = context.options.root, context.source.file
    known = variables(context)
    for local in known:
        words = [token.text for token in local.value]
        if words[:1] == ["("] and ")" in words:
            words = words[words.index(")") + 1 :]
        target = " ".join(w for w in local.type.split() if w not in ("__user", "const"))
        if words != [copy.text(pointer)] or not target.endswith(" *"):
            continue
        if not _GENERAL.fullmatch(local.name.text):
            continue
        found = layout(root, file, target.removesuffix(" *"))
        alone = sum(v.name.text == local.name.text for v in known) == 1
        fixed = alone and not _changes(context, local.name.text)
        if found and object_ and fixed and not _changes(context, copy.text(pointer)):
            if found.kind == INTEGER and found.sizes == object_.sizes:
                if (
                    local.name.start
                    < copy.start
                    < innermost(context.function, local.name.start).end
                ):
                    return local.name.text
    return None


def _changes(context: Context, name: str) -> bool:
    """Whether a variable may change after its declaration."""
    code = context.source.code_between(context.body.start, context.body.end)
    return any(
        token.text == name
        and (
            before.text in ("&", "++", "--") or after.text in ("++", "--", *ASSIGNMENTS)
        )
        and before.text not in (".", "->", "*")
        for before, token, after in zip(code, code[1:], code[2:])
    )


def _in_packed(copy: Copy) -> bool:
    """Whether more than a byte of a packed structure is accessed, where alignment matters."""
    object_ = copy.kernel_layout
    assert object_ is not None
    if architecture(copy.context) in copy.context.options.unaligned_arches:
        return False
    return max(object_.sizes) > 1 and in_packed(copy, copy.user)


def _from_bytes(copy: Copy) -> bool:
    """Whether more than a byte is accessed through a pointer to bytes, where alignment matters."""
    object_, place = copy.kernel_layout, copy.user_layout
    assert object_ is not None
    if architecture(copy.context) in copy.context.options.unaligned_arches:
        return False
    return place is not None and max(place.sizes) == 1 < max(object_.sizes)


def _laid_out(
    copy: Copy, last: int, name: str, value: str, pointer: str
) -> tuple[int, str]:
    """Lay out the call before the text at ``last``, on one line if it fits, else on two.

    A line that is broken after the call fits as well: see hotcocci.rewrite.style. Returns
    where the text begins too: before the line break of a condition that now fits on one line.
    """
    source = copy.context.source
    begin = source.text.rfind("\n", 0, copy.start) + 1
    end = source.text.find("\n", last)
    one = f"{name}({value}, {pointer})"
    head, tail = source.text[begin : copy.start], source.text[last:end]
    above = source.text[: max(begin - 1, 0)].rpartition("\n")[2]
    joined = f"{above} {one}{tail}"
    if not head.strip() and above.endswith(("&&", "||")) and columns(joined) <= WIDTH:
        if above.lstrip().startswith("if (") and tail.startswith(")"):
            return begin - 1, f" {one}"
    if columns(head + one + tail) <= WIDTH or break_offset(head, one, tail) is not None:
        return copy.start, one
    pad = padding(columns(f"{head}{name}("))
    return copy.start, f"{name}({value},\n{pad}{pointer})"
