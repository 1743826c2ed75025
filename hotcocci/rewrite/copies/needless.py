# SPDX-License-Identifier: GPL-2.0
"""Remove code that turns a copy's byte count into -EFAULT; get_user() and put_user() return -EFAULT themselves."""

from __future__ import annotations

from collections.abc import Iterator

from hotcocci.c.expression import Binary, Call, Name, canonical
from hotcocci.c.source import COMMENT, DIRECTIVE
from hotcocci.c.syntax import Statement, branches, condition, evaluated, innermost
from hotcocci.findings import Edit
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.copies.calls import Called
from hotcocci.rewrite.declarations import remove_variable
from hotcocci.rewrite.exits import FAULT

_SIMPLE = ("goto", "return", "break", "continue", "expression")


def needless(copy: Called, access: str) -> Iterator[Edit]:
    """Remove ``err = -EFAULT`` for a nonzero ``err`` after the statement ``err = copy()``, and return ``err``.

    ``access`` is the text in place of the copy: at the end of a function it is returned itself.
    """
    context = copy.context
    statement = innermost(context.function, copy.start)
    tree = evaluated(context.source, statement)
    if not (isinstance(tree, Binary) and tree.operator == "="):
        return
    if not (isinstance(tree.left, Name) and _is_call(tree.right, copy)):
        return
    after = _next(statement, context)
    if after is None:
        return
    name = tree.left.text
    if _is(after, f"{name} = {name} ? {FAULT} : 0;", context):
        yield from _without(after, context)
    elif after.kind == "if" and _tests(after, name, context):
        yield from _in_exit(after, f"{name} = {FAULT};", context)
        exit_ = _returns_fault(after, context)
        if exit_ is None or copy.variables.get(name) != "int":
            return
        last = _next(after, context)
        plain = _is_bare(after, context) and "\n" not in access
        if plain and last is not None and _is_last(last, context):
            unused = _is_unused(name, statement, last, context)
            if not unused or _has_no_value(name, context):
                yield Edit(statement.start, copy.start, "return ")
                yield Edit(statement.end, last.end, "")
                yield from remove_variable(name if unused else None, context)
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


def _is_last(statement: Statement, context: Context) -> bool:
    """Whether a statement is the ``return 0`` at the end of a function."""
    last = context.body.children[-1] is statement
    return last and _is(statement, "return 0;", context)


def _is_unused(name: str, start: Statement, last: Statement, context: Context) -> bool:
    """Whether a local variable is only mentioned in a range and where it is declared."""
    within = context.mentions(name, start.start, last.end)
    everywhere = context.mentions(name, context.body.start, context.body.end)
    return len(everywhere) == len(within) + 1


def _has_no_value(name: str, context: Context) -> bool:
    """Whether a variable is declared without an initialiser, so that its declaration can go."""
    return any(
        token.text == name and after.text in (",", ";")
        for declaration in context.declared
        for token, after in zip(declaration, declaration[1:])
    )


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
        line = f"\n{source.indent(jump.start)}{source.text[jump.start : jump.end]}"
        head = source.text[: then.start].rstrip()
        yield Edit(len(head), then.end, line)


def _is_one_line(block: Statement, rest: Statement, context: Context) -> bool:
    """Whether what stays of a block needs no braces, and the block has nothing else in it."""
    source = context.source
    kinds = {t.kind for t in source.tokens_between(block.start, block.end)}
    return (
        rest.kind in _SIMPLE
        and "\n" not in source.text[rest.start : rest.end]
        and kinds.isdisjoint((COMMENT, DIRECTIVE))
    )


def _is_call(tree: object, copy: Called) -> bool:
    return isinstance(tree, Call) and tree.start == copy.start


def _next(statement: Statement, context: Context) -> Statement | None:
    """The statement that follows directly, with nothing but white space in between."""
    parent = statement.parent
    after = [
        c for c in (parent.children if parent else []) if c.start > statement.start
    ]
    if not after or parent is None or parent.kind != "block":
        return None
    between = context.source.text[statement.end : after[0].start]
    return None if between.strip() else after[0]


def _is(statement: Statement, text: str, context: Context) -> bool:
    own = context.source.text[statement.start : statement.end]
    return canonical(own) == canonical(text)


def _tests(test: Statement, name: str, context: Context) -> bool:
    tree = condition(context.source, test)
    if tree is None:
        return False
    own = canonical(context.source.text[tree.start : tree.end])
    return own in map(canonical, (name, f"{name} != 0", f"unlikely({name})"))


def _without(statement: Statement, context: Context) -> Iterator[Edit]:
    """Remove the lines of a statement, and a blank one if there are two then."""
    text = context.source.text
    start = text.rfind("\n", 0, statement.start) + 1
    end = text.find("\n", statement.end) + 1
    if text[start : statement.start].strip() or text[statement.end : end].strip():
        return
    if text[:start].endswith("\n\n") and text[end : end + 1] == "\n":
        end += 1
    yield Edit(start, end, "")
