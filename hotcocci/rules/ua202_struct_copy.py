# SPDX-License-Identifier: GPL-2.0
"""UA202: find the copies of small structures in a file, and the windows that replace them."""

import re
from dataclasses import dataclass, replace

from hotcocci.c.expression import (
    Binary,
    Expr,
    Member,
    Name,
    Unary,
    assigned,
    calls,
    names,
    uncast,
)
from hotcocci.c.model import BOOL, RECORD, Layout
from hotcocci.c.parsing import parse
from hotcocci.c.source import Token, closing, split
from hotcocci.c.syntax import (
    block_of,
    branch_of,
    declarations,
    enclosing,
    expression,
    innermost,
)
from hotcocci.c.typed import plain
from hotcocci.findings import READ, WRITE, Facts
from hotcocci.rewrite import emit
from hotcocci.rewrite.asking import on_fault, opened_apart
from hotcocci.rewrite.base import variable_indexes
from hotcocci.rewrite.conditions import UNUSED, no_gain, too_few, unused_in
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.context_conditions import atomic, possible_exits
from hotcocci.rewrite.calls import Called, Copy, without_user_casts
from hotcocci.rewrite.copies_in_runs import as_run, has_wide, may_be_cold, name_notes
from hotcocci.rewrite import copies as small
from hotcocci.rewrite.copies import LARGEST, STRUCT, kind_of, opens_more, small_copies
from hotcocci.rewrite.labels import FaultLabels
from hotcocci.rewrite.hoisting import assignable, fresh_name
from hotcocci.rewrite.layout import reindent, squeeze
from hotcocci.rewrite.options import MASKED, Options
from hotcocci.rewrite.ranges import fetches_eight
from hotcocci.rewrite.runs import Run
from hotcocci.rewrite.statements import PURE
from hotcocci.rewrite.window import (
    COPY,
    ON_64_BITS,
    Exits,
    Hoist,
    Instead,
    Refusal,
    Verdict,
    Window,
    opened_for,
)
from hotcocci.rules.calls import Decided, decided, on_calls
from hotcocci.rules.rulebook import rule

RULE = rule("UA202")

WORD = 8
_TWO_WAYS = "32-bit machines keep the copy, next to the window: acceptable?"
_ACCESS = re.compile(r"(?:__)?(?:copy_to|copy_from|get|put)_user")


def decide(text: str, facts: Facts, options: Options) -> Decided:
    """Every copy of a small structure, and the windows that can replace one.

    Copies in cold code are skipped unless asked for.
    """
    judged: list[tuple[Called, Verdict]] = []
    for context, copies in small_copies(text, facts, options):
        taken: set[str] = set()
        found: list[tuple[Copy, Window | Refusal]] = []
        for copy in copies:
            if kind_of(copy) == STRUCT and (context.hot or context.options.cold):
                found.append((copy, judge_struct(copy, taken)))
        labels = FaultLabels(context, taken)
        several = len({v.direction for _, v in found if isinstance(v, Window)}) > 1
        for copy, verdict in found:
            judged.append((copy, _instead(verdict, labels, several, context)))
    return decided(RULE, on_calls(judged))


def _instead(
    window: Window | Refusal, labels: FaultLabels, several: bool, context: Context
) -> Instead | Refusal:
    """The edits that write a window, with a label that later ones of the function may share."""
    if isinstance(window, Refusal):
        return window
    window = labels.labelled(window, several, last=False)
    return Instead(
        "use a user access window",
        emit.edits([window], context),
        window.notes,
        window.decisions,
        window.remarks,
        window.exits.shape,
    )


def judge_struct(copy: Copy, taken: set[str]) -> Window | Refusal:
    """Return the window for a copy of a small structure, or the first condition it fails.

    ``taken`` are names introduced by other windows of the function; names introduced here are added to it.
    """
    context = copy.context
    object_ = copy.kernel_layout
    reason = _object(copy, object_) or _arguments(copy)
    if reason == "below-min-run":
        return too_few(context, _accesses(copy), copy.start)
    if reason is not None:
        return Refusal(reason, copy.line)
    assert object_ is not None
    # What holds however often the code runs
    refusal = opens_more(copy)
    if refusal is not None:
        return refusal
    # One line becomes five or more, which only pays off in hot code. The facts of cold
    # functions lack their statements, too (copies_possible() of session.py).
    if not context.hot:
        return Refusal("not-hot", copy.line)
    reason = small.refusal(copy)
    if reason is not None:
        return Refusal(reason, copy.line)
    single = copy.direction == READ or _one_by_one(object_)
    members = object_.members if single else None
    # Two rewrites of one statement would conflict.
    if _shared(copy) or _is_else_if(copy):
        detail = "the copy shares its statement with another access or an else"
        return Refusal("mixed-condition", copy.line, detail)
    run = as_run(copy, tuple(m.path for m in members or ()))
    if run is None:
        return Refusal("result-unclear", copy.line)
    refusal = no_gain(run, context) or atomic(run, context)
    if refusal is not None:
        return refusal
    if not members and COPY not in context.options.features.window_names:
        detail = f"the tree has no {COPY}(), or it takes no label"
        return Refusal("no-window-api", copy.line, detail)
    exits = possible_exits(run, context)
    if isinstance(exits, Refusal):
        return exits
    notes = [exits.note] if exits.note else []
    notes += [*on_fault(run, context), *opened_apart(run, context)]
    notes += name_notes(copy)
    if may_be_cold(copy):
        return Refusal("not-hot", copy.line)
    only_on_64_bits = _only_on_64_bits(copy, object_)
    if only_on_64_bits and (not _is_alone(run, context) or _is_beside(copy)):
        return Refusal("u64-arm32", copy.line)
    base, hoists = _base(copy, taken)
    for hoist in hoists:
        user = squeeze(copy.text(uncast(copy.user)))
        notes.append(f"the pointer {user} gets a variable of its type, {hoist.name}")
    window = _window(run, copy, exits, notes, base, only_on_64_bits)
    return replace(window, hoists=hoists)


def _is_alone(run: Run, context: Context) -> bool:
    """Whether the statement of a copy may get an #if around it: it has lines of its own."""
    statement = run.statements[0].syntax
    indent = context.source.indent(statement.start)
    begin = context.source.line_starts[context.line(statement) - 1]
    return branch_of(statement) is None and begin + len(indent) == statement.start


def _is_beside(copy: Copy) -> bool:
    """Whether a copy is for 32 bits, with a window for 64 before it."""
    context = copy.context
    for statement in enclosing(innermost(context.function, copy.start)):
        if statement.kind == "if" and copy.start > statement.children[0].end:
            head = context.source.text[statement.start : statement.children[0].start]
            if ON_64_BITS in head:
                return True
    return False


def _shared(copy: Copy) -> bool:
    """Whether there is another user access in the copy's statement or condition."""
    context = copy.context
    statement = innermost(context.function, copy.start)
    end = statement.children[0].start if statement.children else statement.end
    tokens = context.source.code_between(statement.start, end)
    return sum(bool(_ACCESS.fullmatch(token.text)) for token in tokens) > 1


def _is_else_if(copy: Copy) -> bool:
    context = copy.context
    start = innermost(context.function, copy.start).start
    return context.source.code_between(context.body.start, start)[-1].text == "else"


def _window(
    run: Run,
    copy: Copy,
    exits: Exits,
    notes: list[str],
    base: str,
    only_on_64_bits: bool,
) -> Window:
    unused = unused_in(run, copy.context, run.first, exits)
    if unused:
        notes.append(UNUSED.format(exits.variable))
    (access,) = run.accesses
    assert access.copied is not None
    own = None if unused else carried(copy, access.copied.members, run)
    begin, dropped, removed = run.first, exits.dropped, exits.variable
    if own is not None:
        copied = replace(access.copied, values=own.values)
        run = run.with_accesses((replace(access, copied=copied),))
        begin = min(own.assignments, default=begin)
        dropped = (*dropped, *own.assignments)
        removed = own.name
        notes.append(UNUSED.format(own.name))
    otherwise = _copy_beside(run, copy, exits, base, unused) if only_on_64_bits else ()
    return Window(
        run,
        replace(exits, dropped=dropped),
        opened_for(copy.direction, copy.context.options),
        base,
        None,
        begin,
        tuple(dict.fromkeys(notes)),
        # Reviewers want arch/arm to have an 8-byte __get_user() first.
        (_TWO_WAYS,) if otherwise else (),
        removed=removed if unused or own else None,
        otherwise=otherwise,
    )


def _copy_beside(
    run: Run, copy: Copy, exits: Exits, base: str, unused: bool
) -> tuple[str, ...]:
    """The copy for 32 bits, through the window's pointer and without a variable that goes."""
    source, user = copy.context.source, copy.user
    statement, stop = run.statements[0], run.sequence[exits.stop].end
    call = f"{source.text[copy.start : user.start]}{base}{source.text[user.end : copy.end]}"

    def around(start: int, end: int) -> str:
        return source.text[start : copy.start] + call + source.text[copy.end : end]

    tested = statement.syntax.kind == "if" and exits.stop == run.first
    if tested and not unused:
        tokens = source.code_between(statement.start, statement.end)
        end = closing(tokens, 1)
        assert end is not None
        call = around(tokens[1].end, tokens[end].start)
    if tested or unused:
        return (
            f"else if ({call}) {{",
            *(f"{copy.context.unit}{line}" for line in exits.on_fault),
            "}",
        )
    indent = source.indent(statement.start)
    text = reindent(indent + around(statement.start, stop), indent, copy.context.unit)
    return ("else {", *text.split("\n"), "}")


def _object(copy: Copy, object_: Layout | None) -> str | None:
    """Refuse unless a whole structure is copied and all its members can be accessed."""
    size = copy.size_layout
    if object_ is None or size is None:
        return "type-unknown"
    if max(size.sizes) > LARGEST:
        return "large"
    if object_.kind != RECORD or object_.sizes != size.sizes:
        return "size-differs"
    options = copy.context.options
    if copy.direction != READ and not _one_by_one(object_):
        return "below-min-run" if _accesses(copy) < options.min_run else None
    if object_.padding:
        return "padding"
    if object_.members is None:
        return "no-members"
    if any(m.kind == BOOL for m in object_.members):
        return "bool"
    if _accesses(copy) < options.min_run:
        return "below-min-run"
    return None


def _only_on_64_bits(copy: Copy, object_: Layout) -> bool:
    """Whether some processor of 32 bits, for which the code may be compiled, cannot fetch a member."""
    read = copy.direction == READ
    return read and has_wide(object_) and not fetches_eight(copy.context)


def _accesses(copy: Copy) -> int:
    """The number of accesses in a window for the copy."""
    object_ = copy.kernel_layout
    assert object_ is not None
    if object_.members is None or object_.padding:
        return -(-max(object_.sizes) // WORD)
    return len(object_.members)


def _one_by_one(object_: Layout) -> bool:
    """Whether stores to the members write every byte that the copy does."""
    return object_.members is not None and not object_.padding


def _arguments(copy: Copy) -> str | None:
    """Refuse arguments that cannot be evaluated several times."""
    if assigned(copy.kernel) or assigned(copy.user) or calls(copy.kernel):
        return "side-effect-argument"
    kernel = uncast(copy.kernel)
    if kernel is not copy.kernel and copy.pointed(kernel) != copy.kernel_type:
        return "type-unknown"
    named = isinstance(kernel, Name)
    if not named and not (isinstance(kernel, Unary) and kernel.operator == "&"):
        return "type-unknown"
    if copy.access.name.startswith("__"):
        return "range-elsewhere"
    return None


def _base(copy: Copy, taken: set[str]) -> tuple[str, tuple[Hoist, ...]]:
    """The user pointer as a variable of the structure's type, which may be a new one."""
    context = copy.context
    place, object_ = copy.user_type, copy.kernel_type
    assert object_ is not None
    typed = place is not None and plain(place) == plain(object_)
    if typed and isinstance(copy.user, Name):
        if context.options.api != MASKED or assignable(context, copy.user.text):
            return copy.user.text, ()
    pointer = without_user_casts(copy.user)
    # Integers need the cast; void * and pointers of the right type do not.
    fits = typed and pointer is copy.user or _is_pointer(copy, pointer)
    inner = copy.text(pointer) if fits else _cast(copy, pointer)
    const = "const " if "const" in (place or "").split() else ""
    name = fresh_name(_named(copy), context, taken)
    return name, (Hoist(name, f"{const}{plain(object_)} __user *", squeeze(inner)),)


def _named(copy: Copy) -> str:
    """A name for the user pointer: of its member, or as its kernel counterpart's with a ``u``."""
    user, kernel = uncast(copy.user), uncast(copy.kernel)
    if isinstance(user, Member):
        return user.field
    if isinstance(kernel, Unary):
        kernel = kernel.operand
    if isinstance(kernel, (Name, Member)):
        return f"u{kernel.text if isinstance(kernel, Name) else kernel.field}"
    return "up"


def _is_pointer(copy: Copy, pointer: Expr) -> bool:
    """Whether an expression is a ``void *``, or a call that returns one."""
    if pointer is copy.user or calls(pointer):
        place = copy.user_type
        return bool(calls(pointer)) or (place is not None and plain(place) == "void")
    return False


def _cast(copy: Copy, pointer: Expr) -> str:
    text = copy.text(pointer)
    if not isinstance(pointer, Name):
        text = f"({text})" if not text.startswith("&") else text
    return f"({plain(copy.kernel_type or '')} __user *){text}"


@dataclass(frozen=True)
class Carried:
    """The values of a structure's members, and the indexes of the statements that assign them."""

    name: str
    values: tuple[str, ...]
    assignments: tuple[int, ...]


def carried(copy: Copy, members: tuple[str, ...], run: Run) -> Carried | None:
    """The values that a local variable carries to a copy; None if it is used for anything else.

    They are all of its initializer, or those of assignments right before the copy.
    ``members`` are the paths of the members in the order of their stores.
    """
    kernel, context = uncast(copy.kernel), copy.context
    if copy.direction != WRITE or not isinstance(kernel, Unary):
        return None
    if not isinstance(kernel.operand, Name):
        return None
    name = kernel.operand.text
    own = len(context.mentions(name, copy.start, copy.end))
    uses = len(context.mentions(name)) - own
    if context.declared_times(name) != 1 or name in context.static_names:
        return None
    assigned_ = _assigned(name, run, context)
    values = {member: value for member, value, _ in assigned_}
    if not assigned_:
        values = _initial(name, run, context)
    if uses != 1 + len(assigned_) or values.keys() != set(members):
        return None
    first = min(value.start for value in values.values())
    if context.source.has_directive(first, run.statements[0].end):
        return None
    if not all(_is_plain(value, copy) for value in values.values()):
        return None
    texts = tuple(squeeze(copy.text(values[member])) for member in members)
    return Carried(name, texts, tuple(index for _, _, index in assigned_))


def _assigned(name: str, run: Run, context: Context) -> list[tuple[str, Expr, int]]:
    """The members that the statements right before a run assign, with value and statement."""
    found: list[tuple[str, Expr, int]] = []
    for index in reversed(range(run.first)):
        statement = run.sequence[index]
        if statement.form != PURE or statement.syntax.kind != "expression":
            break
        tree = expression(context.source, statement.syntax)
        if not isinstance(tree, Binary) or tree.operator != "=":
            break
        member = tree.left
        if not isinstance(member, Member) or member.operator != ".":
            break
        if member.object.name != name:
            break
        found.append((f".{member.field}", tree.right, index))
    return found if len({member for member, _, _ in found}) == len(found) else []


def _initial(name: str, run: Run, context: Context) -> dict[str, Expr]:
    """The members of an initializer at the end of the declarations that the run follows."""
    source, first = context.source, run.statements[0].syntax
    block = block_of(first)
    if block.kind != "block" or first is not block.children[0]:
        return {}
    before = [d for d in declarations(source, block) if d[-1].end <= first.start]
    if not before:
        return {}
    tokens = before[-1]
    place = next((i for i, t in enumerate(tokens) if t.text == name), len(tokens))
    opening = place + 2
    if [t.text for t in tokens[place + 1 : opening + 1]] != ["=", "{"]:
        return {}
    end = closing(tokens, opening)
    if end is None or [t.text for t in tokens[end + 1 :]] != [";"]:
        return {}
    return _designated(source.text, tokens[opening + 1 : end])


def _designated(text: str, tokens: tuple[Token, ...]) -> dict[str, Expr]:
    """The values of ``.member = value, …``; none if it has other parts."""
    found: dict[str, Expr] = {}
    for part in split(tokens, ","):
        if not part:
            continue
        if len(part) < 4 or (part[0].text, part[2].text) != (".", "="):
            return {}
        found[f".{part[1].text}"] = parse(text, part[3:])
    return found


def _is_plain(value: Expr, copy: Copy) -> bool:
    """Whether a value may be computed in the window: no call, nothing assigned, no user pointer."""
    user = names(uncast(copy.user))
    return not (
        calls(value)
        or assigned(value)
        or variable_indexes(value)
        or names(value) & user
    )
