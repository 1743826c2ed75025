# SPDX-License-Identifier: GPL-2.0
"""Conditions on the code around and between accesses, and on the exit path."""

import re
from collections.abc import Sequence
from dataclasses import replace

from hotcocci.c.expression import Call, canonical, names
from hotcocci.c.functions import definitions
from hotcocci.c.source import NAME, Token, is_member, tokenize
from hotcocci.c.syntax import declarations
from hotcocci.findings import READ
from hotcocci.rewrite import base as bases
from hotcocci.rewrite.base import acting, has_checked_index
from hotcocci.rewrite.context import Context, declares
from hotcocci.rewrite.declarations import has_variable_size
from hotcocci.rewrite.liveness import reader, reads
from hotcocci.rewrite.options import CLASSIC, SCOPED
from hotcocci.rewrite.runs import Run, find_runs
from hotcocci.rewrite.shapes import exits_of
from hotcocci.rewrite.statements import fits_window
from hotcocci.rewrite.window import (
    ACTING,
    SPLIT,
    UNUSED_LABEL,
    Exits,
    Refusal,
    conditional,
    guards_at,
    obstacle,
    split_by_directive,
)

_HOLDS = re.compile(
    r"(?:raw_)?(?:spin|read|write)_(?:try)?lock(?:_bh|_irq|_irqsave|_nested)?|preempt_disable"
    r"|local_(?:irq|bh)_(?:disable|save)|rcu_read_lock|get_cpu"
)

_DROPS = re.compile(
    r"(?:raw_)?(?:spin|read|write)_unlock(?:_bh|_irq|_irqrestore)?|preempt_enable"
    r"|local_(?:irq|bh)_(?:enable|restore)|rcu_read_unlock|put_cpu|pagefault_disable"
)

USED = "line {} uses {}, which a window does not set"
_UNCHECKED = ("__get_user", "__put_user", "__copy_from_user", "__copy_to_user")
# Those of the user access API (include/linux/uaccess.h), and functions elsewhere that only use these.
_CHECKING = frozenset(
    name
    for _, names in (
        ("include/linux/uaccess.h", "copy_from_user copy_to_user get_user put_user"),
        ("include/linux/uaccess.h", "clear_user copy_struct_from_user access_ok"),
        ("include/linux/uaccess.h", "strncpy_from_user strnlen_user"),
        ("kernel/signal.c", "restore_altstack compat_restore_altstack"),
        ("kernel/signal.c", "copy_siginfo_to_user"),
        ("arch/x86/kernel/signal.c", "signal_fault"),
    )
    for name in names.split()
)
_TESTING = ("if", "while", "sizeof")
# Calls that are followed into the functions of the same file
_DEPTH = 3


def possible_exits(run: Run, context: Context) -> Exits | Refusal:
    """The exits of a run, or the reason that a window cannot have them."""
    exits = exits_of(run, context)
    if isinstance(exits, Refusal):
        return exits
    return (
        directives(run, context, exits)
        or intermediate_code(run, context, exits)
        or of_exits(run, context, exits)
        or replace(exits, guards=guards_at(run.statements[0].start, context) or ())
    )


def of_exits(run: Run, context: Context, exits: Exits) -> Refusal | None:
    """Refuse exits whose path cannot be at the end of the function."""
    return (
        targets(run, context, exits)
        or scopes(run, context, exits)
        or label(run, context, exits)
    )


def atomic(run: Run, context: Context) -> Refusal | None:
    """Refuse accesses under a spinlock: a fault may sleep, so they are a bug to report (W9).

    pagefault_disable() makes them legal, and opening a window does not sleep.
    """
    held = lock_held_at(run.statements[0].start, context)
    if held is None:
        return None
    line = context.line(held)
    what = f"{held.text}() at line {line}"
    detail = f"unless the callers disable page faults, a fault may sleep after {what}, which is a bug of its own"
    return Refusal("atomic-context", line, detail)


def lock_held_at(offset: int, context: Context) -> Token | None:
    """The call that took the lock or disabled sleeping, if it is in effect at an offset."""
    held = None
    for token in context.source.code_between(context.body.start, offset):
        if _HOLDS.fullmatch(token.text):
            held = token
        elif _DROPS.fullmatch(token.text):
            held = None
    return held


def directives(run: Run, context: Context, exits: Exits) -> Refusal | None:
    """Refuse a preprocessor directive in the run, and one around it that its label cannot get."""
    start, end = run.statements[0].start, run.sequence[exits.stop].end
    found = split_by_directive(start, end, context)
    if found is None and guards_at(start, context) is None:
        return conditional(start, context, UNUSED_LABEL)
    return found


def intermediate_code(run: Run, context: Context, exits: Exits) -> Refusal | None:
    """Refuse code between accesses that cannot stay there, inside the window (W6, W8, W11), or reads their result."""
    result = exits.variable or ""
    for access in run.accesses:
        if result in names(access.value) | names(access.pointer):
            line = context.line(access)
            return Refusal("fault-handled", line, USED.format(line, result))
    for statement, inside in run.between(exits.dropped):
        if not fits_window(statement):
            return obstacle(statement.start, statement.end, context, SPLIT)
        if reads(result, statement, context):
            detail = USED.format(statement.line, result)
            return Refusal("fault-handled", statement.line, detail)
        macro = next(filter(None, (acting(t, context) for t in inside)), None)
        if macro is not None:
            detail = ACTING.format(macro, statement.line)
            return Refusal("call-between", statement.line, detail)
        if any(has_checked_index(t, context) for t in inside):
            detail = f"what may be an array is indexed between them at line {statement.line}: UBSAN may check that"
            return Refusal("variable-index", statement.line, detail)
    return None


def targets(run: Run, context: Context, exits: Exits) -> Refusal | None:
    """Refuse if a variable that get_user() zeroes on a fault may be read afterwards."""
    used = exits.names
    place = context.labels.get(exits.target or "")
    for access in run.accesses:
        if access.base.place == bases.STEP:
            moved = access.base.text
            later = place is not None and context.mentions(moved, place)
            if moved in used or later:
                line = context.line(access)
                detail = f"the exit path uses {moved}, which the accesses advance"
                return Refusal("base-changes", line, detail)
    loads = [access for access in run.accesses if access.direction == READ]
    left = tokenize(" ".join(exits.on_fault))
    for access in loads:
        how = reader(access, left, context)
        if how:
            line = context.line(access)
            detail = f"the exit path {how}; {access.access.name}() at line {line} zeroes it on a fault"
            return Refusal("value-read-on-fault", line, detail)
    if exits.target is None:
        return None
    if place is None:
        detail = f"the label {exits.target} was not found"
        return Refusal("no-place-for-label", run.statements[0].line, detail)
    after = context.source.code_between(place, context.body.end)
    for access in loads:
        how = reader(access, after, context)
        if how:
            line = context.source.line_of(place)
            detail = f"what follows {exits.target} (line {line}) {how}; get_user() zeroes it on a fault"
            return Refusal("value-read-on-fault", line, detail)
    return None


def label(run: Run, context: Context, exits: Exits) -> Refusal | None:
    """Refuse if the jump to a label at the end of the function would cross a cleanup (W12) or enter a scope that it may not."""
    body = context.body
    if not body.children:
        return Refusal("no-place-for-label", run.statements[0].line)
    last = body.children[-1]
    if context.source.has_directive(last.end, body.end):
        line = context.source.line_of(last.end)
        detail = "a preprocessor directive ends the function"
        return Refusal("no-place-for-label", line, detail)
    for declaration in declarations(context.source, body):
        after = declaration[0].start > run.statements[0].start
        if after and has_variable_size(declaration, context):
            line = context.line(declaration[0])
            detail = f"a jump to the label would enter the scope of the variable-length array at line {line}"
            return Refusal("no-place-for-label", line, detail)
    at_run = context.cleanups_at(run.statements[0].start)
    at_label = context.cleanups_at(body.end - 1)
    if at_label - at_run or (at_run - at_label and context.options.api != SCOPED):
        line = context.source.line_of(sorted(at_label ^ at_run)[0][0])
        detail = (
            f"a jump to the label would cross the scope of the cleanup at line {line}"
        )
        return Refusal("cleanup-scope", line, detail)
    return None


def scopes(run: Run, context: Context, exits: Exits) -> Refusal | None:
    """Refuse if the error path uses names that are out of scope at the end of the function."""
    inner = context.function.blocks[1:]
    for declaration in context.declared:
        name = next((n for n in sorted(exits.names) if declares(declaration, n)), None)
        at = declaration[0].start
        if name is not None and any(block.start < at < block.end for block in inner):
            line = context.line(declaration[0])
            detail = (
                f"the exit path uses {name}, which is local to a block (line {line})"
            )
            return Refusal("no-place-for-label", line, detail)
    return None


def redundant_check(run: Run, context: Context, exits: Exits) -> int:
    """The first statement that a window replaces: an access_ok() before its run that it makes redundant, or the run's own."""
    for before in run.sequence[: run.first][-1:]:
        if before.range_check is not None and before.exit is not None:
            same = before.exit.key == canonical(" ".join(exits.on_fault))
            start, end = before.start, run.statements[0].start
            if same and not context.source.has_directive(start, end):
                if is_redundant(before.range_check, run, context):
                    return run.first - 1
    return run.first


def is_best_classic(run: Run, context: Context) -> bool:
    """Whether only a classic window makes the access_ok() before a run redundant."""
    return any(
        before.range_check is not None
        and _checks_object(before.range_check, run, context)
        and _guards_more(run, context)
        for before in run.sequence[: run.first][-1:]
    )


def is_redundant(check: Call, run: Run, context: Context) -> bool:
    """Whether an access_ok() need not stand before the window of a run.

    Either it is for this run alone, or it checks the object that a classic window,
    which begins with access_ok(), checks again.
    """
    if context.options.api == CLASSIC and _checks_object(check, run, context):
        return True
    base = run.accesses[0].base
    same = context.key(check.arguments[-2]) == base.key
    return same and base.kind == bases.PLAIN and not _guards_more(run, context)


def _checks_object(check: Call, run: Run, context: Context) -> bool:
    """Whether an access_ok() checks the object that a run's base points to."""
    base = run.accesses[0].base
    pointer, size = map(context.key, check.arguments[-2:])
    same = pointer == base.key and base.kind == bases.PLAIN
    return same and size == canonical(f"sizeof(*{base.text})")


def left_unchecked(run: Run, context: Context) -> list[Token]:
    """The names of ``__`` accessors through a run's base after it that are in no run themselves."""
    base = run.accesses[0].base
    tokens = context.source.code_between(run.statements[-1].end, context.body.end)
    taken = {access.start for each in find_runs(context) for access in each.accesses}
    found = []
    for index, token in enumerate(tokens):
        called = callee(tokens, index) if token.text == base.text else None
        if called is not None and called[0].text in _UNCHECKED:
            found.append(called[0])
    return [token for token in found if token.start not in taken]


def _guards_more(run: Run, context: Context) -> bool:
    """Whether an access_ok() of a run's base may guard more than the run.

    It may if the base is used after the run other than in a comparison, as an argument of a
    function that does not check it. Other ``__`` accessors will check it: `left_unchecked`.
    """
    base = run.accesses[0].base
    single = {token.start for token in left_unchecked(run, context)}
    tokens = context.source.code_between(run.statements[-1].end, context.body.end)
    for index, token in enumerate(tokens):
        if token.text != base.text or is_member(tokens, index):
            continue
        found = callee(tokens, index)
        if found is not None and found[0].start in single:
            continue
        # A masked begin changes the pointer, which signal_fault() would print.
        scoped = context.options.api == SCOPED
        if scoped and _is_checked(tokens, index, context.source.text, _DEPTH):
            continue
        if tokens[index + 1].text not in ("?", "&&", "||", ")"):
            return True
        before = tokens[index - 1].text
        if tokens[index + 1].text == ")" and before not in ("!", "&&", "||"):
            if not (before == "(" and tokens[index - 2].text in ("if", "while")):
                return True
    return False


def callee(tokens: Sequence[Token], index: int) -> tuple[Token, int] | None:
    """The name of the call or statement that a token is an argument of, and its position; None for neither."""
    open_, position = 0, 0
    for at in range(index - 1, 0, -1):
        token = tokens[at]
        if token.text in (";", "{", "}", "="):
            return None
        if token.text == "," and not open_:
            position += 1
        open_ += {")": 1, "(": -1}.get(token.text, 0)
        if open_ >= 0:
            continue
        open_ = 0
        name = tokens[at - 1]
        if name.kind == NAME and name.text != "return":
            return name, position
        position = 0
    return None


def _is_checked(tokens: Sequence[Token], index: int, text: str, depth: int) -> bool:
    """Whether the call that a mention of a pointer is an argument of checks its range.

    ``tokens[index]`` is the mention, ``text`` the file: calls of its functions are followed.
    False if the pointer is used in any other way.
    """
    found = callee(tokens, index)
    if found is None:
        return False
    name, position = found
    return name.text in _TESTING or _checks(name.text, position, text, depth)


def _checks(name: str, position: int, text: str, depth: int) -> bool:
    """Whether a function, as far as this file shows, checks its argument at a position."""
    if name in _CHECKING:
        return True
    found = list(definitions(text, name)) if depth else []
    return bool(found) and all(
        position < len(parameters)
        and _body_checks(parameters[position], body, text, depth - 1)
        for parameters, body in found
    )


def _body_checks(name: str, body: tuple[Token, ...], text: str, depth: int) -> bool:
    """Whether a body checks the range of a parameter wherever it mentions it."""
    return name != "" and all(
        _is_checked(body, index, text, depth)
        for index, token in enumerate(body)
        if token.text == name and not is_member(body, index)
    )
