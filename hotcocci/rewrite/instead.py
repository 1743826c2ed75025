# SPDX-License-Identifier: GPL-2.0
"""One call becomes another: why it must stay, the edits that replace it, and what they mend and remove; the access for a copy of a scalar.

get_user() and put_user() return -EFAULT themselves: code that turns a copy's byte count into it goes.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hotcocci.c.expression import (
    Binary,
    Call,
    Cast,
    Conditional,
    Expr,
    assigned,
    assignment,
    calls,
    canonical,
    uncast,
)
from hotcocci.c.model import BOOL, INTEGER, POINTER, Layout
from hotcocci.c.source import COMMENT, DIRECTIVE, NAME, STRING
from hotcocci.c.syntax import (
    Statement,
    branches,
    condition,
    evaluated,
    following,
    innermost,
)
from hotcocci.c.text import layout
from hotcocci.c.typed import plain, record
from hotcocci.findings import READ, Edit
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.copies import made_errno, refusal
from hotcocci.rewrite.calls import Called, Copy, in_packed, lvalue, without_user_casts
from hotcocci.rewrite.copies_in_runs import (
    dies_on_fault,
    may_be_cold,
    name_notes,
    nearby,
)
from hotcocci.rewrite.declarations import is_changed, remove_variable
from hotcocci.rewrite.exits import FAULT
from hotcocci.rewrite.layout import (
    WIDTH,
    break_offset,
    columns,
    padding,
    squeeze,
    without_lines,
)
from hotcocci.rewrite.ranges import architecture, fetches_eight
from hotcocci.rewrite.window import Instead, Refusal, conditional

# arch/um/include/asm/uaccess.h
_UML = "get_user() of user mode Linux calls what copy_from_user() calls"
_SIMPLE = ("goto", "return", "break", "continue", "expression")


def other_than(call: Called, pointer: Expr, size: Expr) -> Refusal | None:
    """Refuse unless a pointer leads to one integer of the size of a call, which an access may store or load."""
    object_, wanted = call.layout(call.pointed(pointer)), call.measured(size)
    if object_ is None or wanted is None:
        detail = f"the type of {squeeze(call.text(pointer))} is not known"
        return Refusal("type-unknown", call.line, detail)
    if object_.kind != INTEGER or object_.sizes != wanted.sizes:
        detail = (
            f"{squeeze(call.text(pointer))} does not lead to one integer of that size"
        )
        return Refusal("size-differs", call.line, detail)
    return stays(call, pointer, max(wanted.sizes))


def stays(call: Called, pointer: Expr, width: int) -> Refusal | None:
    """Why an access of so many bytes, which may give -EFAULT, cannot take the place of a call; None if it can."""
    if any(assigned(argument) for argument in call.arguments):
        return Refusal("side-effect-argument", call.line)
    reason = refusal(call)
    if reason is not None:
        return Refusal(reason, call.line)
    if architecture(call.context) == "um":
        return Refusal("no-gain-arch", call.line, _UML)
    # If the other branch uses accesses, this one has a reason not to: kernel/rseq.c on
    # 32 bits, include/asm-generic/flat.h without unaligned access.
    kind = "copy" if isinstance(call, Copy) else "call"
    why = f"another configuration may need the {kind}"
    chosen = conditional(call.start, call.context, why)
    if chosen is not None:
        return chosen
    macro = _exit_macro(call)
    if macro is not None:
        detail = f"{macro} is a macro, beside which the file may have one for the access and the exit"
        return Refusal("result-unclear", call.line, detail)
    if width == 1 or is_unaligned(call):
        return None
    place = call.layout(call.pointed(pointer))
    if place is not None and max(place.sizes) == 1:
        return Refusal("unaligned", call.line)
    if in_packed(call, pointer):
        detail = f"{squeeze(call.text(pointer))} is in a packed structure, and may be at any address"
        return Refusal("unaligned", call.line, detail)
    return None


def is_unaligned(call: Called) -> bool:
    """Whether it is in code of an architecture that takes any address."""
    return architecture(call.context) in call.context.options.features.unaligned_arches


def instead(
    call: Called, name: str, *given: str | Expr, notes: tuple[str, ...] = ()
) -> Instead:
    """The call of ``name`` with some arguments, which returns 0 or -EFAULT, in place of a call.

    Comments and messages that name the old one are mended, and code goes that made -EFAULT of its result.
    """
    arguments = [g if isinstance(g, str) else squeeze(call.text(g)) for g in given]
    errno = made_errno(call)
    end = call.end if errno is None else errno.end
    start, text = _laid_out(call, end, name, arguments)
    messages = (*_comments(call, name), *_messages(call, end, name))
    mended = {STRING if text.text.startswith('"') else COMMENT for text in messages}
    notes += name_notes(call, tuple({COMMENT, STRING} - mended))
    edits = (Edit(start, end, text), *messages, *needless(call, text))
    return Instead(f"use {name}()", edits, notes)


def _exit_macro(call: Called) -> str | None:
    """The macro that a test of the copy leaves by, as FPU_abort of arch/x86/math-emu, which has FPU_get_user()."""
    source, function = call.context.source, call.context.function
    test = innermost(function, call.start)
    if test.kind != "if" or not test.children:
        return None
    then, _ = branches(test)
    tokens = source.code_between(then.start, then.end)
    alone = [token.text for token in tokens[1:]] == [";"] and tokens[0].kind == NAME
    return tokens[0].text if alone and then.kind == "expression" else None


def _comments(call: Called, name: str) -> Iterator[Edit]:
    """Mend the comments above that name the routine, unless the function has another call of it."""
    routine = call.access.name
    if len(call.context.mentions(routine)) > 1:
        return
    for token in nearby(call):
        text = re.sub(rf"\b{routine}\b", name, token.text)
        above = token.kind == COMMENT and token.end <= call.start
        if above and text != token.text:
            yield Edit(token.start, token.end, text)


def _messages(call: Called, end: int, name: str) -> Iterator[Edit]:
    """Mend the messages of the exit that name the routine, unless another call of it has that exit."""
    source, function = call.context.source, call.context.function
    test, routine = innermost(function, call.start), call.access.name
    if test.kind != "if":
        return
    then, _ = branches(test)
    calls_ = [t for t in source.code_between(test.start, then.end) if t.text == routine]
    for token in source.tokens_between(end, then.end) if len(calls_) == 1 else ():
        if token.kind == STRING:
            text = re.sub(rf"\b{routine}\b", name, token.text)
            if text != token.text:
                yield Edit(token.start, token.end, text)


def _laid_out(
    call: Called, last: int, name: str, arguments: list[str]
) -> tuple[int, str]:
    """Lay out the call before the text at ``last``, on one line if it fits, else on two.

    A line that is broken after the call fits as well: see `hotcocci.rewrite.layout.styled`. Returns
    where the text begins too: before the line break of a condition that now fits on one line.
    """
    source = call.context.source
    begin = source.text.rfind("\n", 0, call.start) + 1
    end = source.text.find("\n", last)
    one = f"{name}({', '.join(arguments)})"
    head, tail = source.text[begin : call.start], source.text[last:end]
    above = source.text[: max(begin - 1, 0)].rpartition("\n")[2]
    joined = f"{above} {one}{tail}"
    if not head.strip() and above.endswith(("&&", "||")) and columns(joined) <= WIDTH:
        if above.lstrip().startswith("if (") and tail.startswith(")"):
            return begin - 1, f" {one}"
    if columns(head + one + tail) <= WIDTH or break_offset(head, one, tail) is not None:
        return call.start, one
    pad = padding(columns(f"{head}{name}("))
    return call.start, f"{name}({', '.join(arguments[:-1])},\n{pad}{arguments[-1]})"


def needless(copy: Called, access: str) -> Iterator[Edit]:
    """Remove ``err = -EFAULT`` for a nonzero ``err`` after the statement ``err = copy()``, and return ``err``.

    ``access`` is the text in place of the copy: at the end of a function it is returned itself.
    """
    context = copy.context
    statement = innermost(context.function, copy.start)
    name, value = assignment(evaluated(context.source, statement)) or ("", None)
    after = _next(statement, context)
    if after is None or not isinstance(value, Call) or value.start != copy.start:
        return
    if _is(after, f"{name} = {name} ? {FAULT} : 0;", context):
        yield from _without(after, context)
    elif after.kind == "if" and _tests(after, name, context):
        yield from _in_exit(after, f"{name} = {FAULT};", context)
        exit_ = _returns_fault(after, context)
        if exit_ is None or copy.variables.get(name) != "int":
            return
        last = _next(after, context)
        plain = _is_bare(after, context) and "\n" not in access
        ends = last is context.body.children[-1]
        if plain and last is not None and ends and _is(last, "return 0;", context):
            within = context.mentions(name, statement.start, last.end)
            unused = len(context.mentions(name)) == len(within) + 1
            same = (v for v in context.variables if v.name.text == name)
            if not unused or any(not variable.value for variable in same):
                yield Edit(statement.start, copy.start, "return ")
                yield Edit(statement.end, last.end, "")
                yield from remove_variable(name if unused else None, (), context)
                return
        yield Edit(exit_.start, exit_.end, f"return {name};")


def _returns_fault(test: Statement, context: Context) -> Statement | None:
    """The branch of a test, if it is nothing but ``return -EFAULT``."""
    then, _ = branches(test)
    block = then.children if then.kind == "block" else [then]
    alone = len(block) == 1 and _is(block[0], f"return {FAULT};", context)
    return block[0] if alone else None


def _is_bare(test: Statement, context: Context) -> bool:
    """Whether a test has neither another branch nor a comment or directive."""
    tokens = context.source.tokens_between(test.start, test.end)
    _, other = branches(test)
    return other is None and {t.kind for t in tokens}.isdisjoint((COMMENT, DIRECTIVE))


def _in_exit(test: Statement, text: str, context: Context) -> Iterator[Edit]:
    """Remove an assignment that begins a branch: with the test, if the branch is nothing else."""
    then, other = branches(test)
    block = then.children if then.kind == "block" else [then]
    if not block or not _is(block[0], text, context):
        return
    if other is not None:
        if len(block) > 1:
            yield from _without(block[0], context)
    elif len(block) == 1:
        yield from _without(test, context)
    elif len(block) > 2:
        yield from _without(block[0], context)
    elif _is_one_line(then, block[1], context):
        source, jump = context.source, block[1]
        line = f"\n{source.indent(jump.start)}{source.of(jump)}"
        head = source.text[: then.start].rstrip()
        yield Edit(len(head), then.end, line)


def _is_one_line(block: Statement, rest: Statement, context: Context) -> bool:
    """Whether what stays of a block needs no braces, and the block has nothing else in it."""
    source = context.source
    kinds = {t.kind for t in source.tokens_between(block.start, block.end)}
    return (
        rest.kind in _SIMPLE
        and "\n" not in source.of(rest)
        and kinds.isdisjoint((COMMENT, DIRECTIVE))
    )


def _next(statement: Statement, context: Context) -> Statement | None:
    """The statement that follows directly, with nothing but white space in between."""
    parent, after = statement.parent, following(statement)
    if not after or parent is None or parent.kind != "block":
        return None
    between = context.source.text[statement.end : after[0].start]
    return None if between.strip() else after[0]


def _is(statement: Statement, text: str, context: Context) -> bool:
    return canonical(context.of(statement)) == canonical(text)


def _tests(test: Statement, name: str, context: Context) -> bool:
    own = context.key(condition(context.source, test))
    return own in map(canonical, (name, f"{name} != 0", f"unlikely({name})"))


def _without(statement: Statement, context: Context) -> Iterator[Edit]:
    """Remove the lines of a statement, if they have nothing else."""
    edit = without_lines(statement.start, statement.end, context.source.text)
    if context.of(edit).strip() == context.of(statement):
        yield edit


_CAST = re.compile(r"\((?P<type>[\w ]+ __user \*)\)(?P<name>[A-Za-z_]\w*)")
# Not the name of one argument, as in drivers/vhost/scsi.c: u32 __user *eventsp = argp
_GENERAL = re.compile(r"[a-z]{1,3}\d*|\w*(?:arg|user|ptr)\w*")
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
class Scalar(Instead):
    """The access that replaces a copy, and the cast of its pointer if it needs one."""

    cast: PointerCast | None = None


def judge_scalar(copy: Copy, local: str | None = None) -> Scalar | Refusal:
    """Return the access for a copy of a scalar's size, or the first condition it fails.

    ``local`` is used in place of a pointer that needs a cast.
    """
    size = copy.size_layout
    assert size is not None
    reason = _object(copy, size)
    if reason is None and calls(copy.kernel):
        reason = "side-effect-argument"
    if reason is not None:
        return Refusal(reason, copy.line)
    refusal = stays(copy, copy.user, max(size.sizes))
    if refusal is not None:
        return refusal
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
    match = _CAST.fullmatch(pointer)
    cast = PointerCast(match["type"], match["name"], size.sizes) if match else None
    arguments = squeeze(lvalue(copy)), local or squeeze(pointer)
    made = instead(copy, _name(copy), *arguments, notes=notes)
    return Scalar(**vars(made), cast=cast)


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
    root, file = copy.context.where
    part = type_.endswith("]") or record(root, file, type_) is not None
    return "size-differs" if part else "type-unknown"


def is_wide(copy: Copy) -> bool:
    """Whether eight bytes are copied, on processors of 32 bits as well."""
    return copy.size_layout is not None and min(copy.size_layout.sizes) == 8


def _name(copy: Copy) -> str:
    """The accessor: checked if the copy was, inline if a profile has the function and the tree has it.

    Its kernel-doc asks for a demonstrable performance reason (include/linux/uaccess.h).
    """
    reads = copy.direction == READ
    base = "get_user" if reads else "put_user"
    if copy.access.name.startswith("__"):
        return f"__{base}"
    options = copy.context.options
    if options.hot is None or not (copy.context.hot and options.features.user_inline):
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
    aligned = width == 1 or is_unaligned(copy)
    known = (
        copy.user_type is not None or calls(copy.user) or isinstance(copy.user, Cast)
    )
    note = UNTYPED if known else UNKNOWN
    user = squeeze(copy.text(uncast(copy.user)))
    notes = () if aligned else (note.format(user, width),)
    if place is not None and place.kind == INTEGER and place.sizes == object_.sizes:
        return copy.text(copy.user), ()
    pointer = without_user_casts(copy.user)
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
    root, file = context.where
    known = context.variables
    for local in known:
        words = [token.text for token in local.value]
        if words[:1] == ["("] and ")" in words:
            words = words[words.index(")") + 1 :]
        target = plain(local.type)
        if words != [copy.text(pointer)] or not target.endswith(" *"):
            continue
        if not _GENERAL.fullmatch(local.name.text):
            continue
        found = layout(root, file, target.removesuffix(" *"))
        alone = sum(v.name.text == local.name.text for v in known) == 1
        names = (local.name.text, copy.text(pointer))
        fixed = alone and not any(is_changed(name, context.tokens) for name in names)
        if found and object_ and fixed:
            if found.kind == INTEGER and found.sizes == object_.sizes:
                if (
                    local.name.start
                    < copy.start
                    < innermost(context.function, local.name.start).end
                ):
                    return local.name.text
    return None
