# SPDX-License-Identifier: GPL-2.0
"""UA203: copies whose size is only known at run time but is usually small."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from hotcocci.findings import PREPARED, READ, Addition, Edit, Facts
from hotcocci.rewrite.context import contexts
from hotcocci.rewrite.context_conditions import lock_held_at
from hotcocci.rewrite.copies.calls import Called, Copy, copies_of
from hotcocci.rewrite.copies.small import (
    CALLERS,
    COMMAND,
    opens_more,
    parameter_of,
    source_of_size,
)
from hotcocci.rewrite.layout import LIMIT, call, columns
from hotcocci.rewrite.options import SMALL_SIZES, Options
from hotcocci.rewrite.window import SMALL_COPY, Instead, Refusal, Subject, Verdict
from hotcocci.rules.calls import Decided, decided, subject
from hotcocci.rules.rulebook import rule
from hotcocci.rules.ua203_runtime_size import helper
from hotcocci.rules.ua203_runtime_size.callers import length_of, searched
from hotcocci.rules.ua203_runtime_size.helper import HEADER
from hotcocci.rules.ua203_runtime_size.sizes import (
    SMALL_BYTES,
    Histogram,
    of_callers,
    of_commands,
)

RULE = rule("UA203")

# The shape of a rewrite that calls a helper
SHAPE = "S"

# Known sizes of a copy: a histogram, or who gives a length.
Sizes = Histogram | str | Refusal


@dataclass(frozen=True)
class _Header:
    """The header of the helpers: its text, None without one, and the sizes that they copy inline."""

    text: str | None
    sizes: tuple[int, ...]


def decide(text: str, facts: Facts, options: Options) -> Decided:
    """Every copy of a size given by commands or callers, and the helper for some of them.

    In hot functions also copies of a count or a length.
    """
    header = _header(options)
    judged: list[tuple[Called, Verdict]] = []
    for context in contexts(text, facts, options):
        copies = [(copy, _sizes(copy, text)) for copy in copies_of(context)]
        uses = Counter(
            copy.direction
            for copy, sizes in copies
            if sizes is not None and not isinstance(sizes, str)
        )
        judged += [
            (copy, _judge(copy, sizes, text, header, uses[copy.direction]))
            for copy, sizes in copies
            if sizes is not None
        ]
    return decided(RULE, ((_subject(copy), verdict) for copy, verdict in judged))


def _subject(copy: Called) -> Subject:
    said = f"{copy.access.name}() of a size only known at run time"
    return subject(copy, said, copy.text(copy.user))


def _header(options: Options) -> _Header:
    """The tree's header, and the sizes of its helpers or of those that it would get."""
    text = helper.header_text(options)
    own = helper.sizes_in(text) if text is not None else ()
    return _Header(text, own or SMALL_SIZES)


def _sizes(copy: Copy, text: str) -> Sizes | None:
    """The sizes of a copy, a refusal if they are unknown; None for no finding."""
    origin = source_of_size(copy)
    if origin == COMMAND:
        return of_commands(copy, text) or Refusal("sizes-unknown", copy.line)
    if origin == CALLERS:
        parameter = parameter_of(copy.text(copy.size), copy.context)
        found = of_callers(copy, text, parameter) if parameter is not None else None
        if found is not None and found.frequent:
            return found
    return length_of(copy, text) if copy.context.hot else None


def _judge(
    copy: Copy, sizes: Sizes, text: str, header: _Header, uses: int
) -> Instead | Refusal:
    """The call of the helper, or why it is not used; there are ``uses`` of it in the function."""
    fit = _fitting(copy, sizes, text, header)
    if not isinstance(fit, Refusal) and uses > 1:
        fit = Refusal("several-copies", copy.line)
    if not isinstance(fit, Refusal):
        return _instead(copy, sizes, fit, header)
    if isinstance(sizes, Refusal):
        return fit
    return replace(fit, detail=f"{sizes}; {fit.text(RULE.meaning(fit.reason))}")


def _fitting(
    copy: Copy, sizes: Sizes, text: str, header: _Header
) -> tuple[int, ...] | Refusal:
    """Return the sizes that the helper would copy inline, or why it is not used."""
    if isinstance(sizes, Refusal):
        return sizes
    if isinstance(sizes, str):
        return Refusal("size-given", copy.line)
    if not sizes.total:
        return Refusal("sizes-unknown", copy.line)
    fit = tuple(size for size in sizes.frequent if size in header.sizes)
    if not fit or min(fit) > SMALL_BYTES or not sizes.mostly(header.sizes):
        return Refusal("sizes-large", copy.line)
    if len(fit) < 2:
        return Refusal("one-size", copy.line)
    if copy.access.name.startswith("__"):
        return Refusal("unchecked-copy", copy.line)
    if copy.context.source.has_directive(copy.start, copy.end):
        return Refusal("ifdef", copy.line)
    opening = opens_more(copy)
    if opening is not None:
        return opening
    held = lock_held_at(copy.start, copy.context)
    if held is not None:
        return Refusal("atomic-context", copy.context.line(held))
    name = SMALL_COPY[copy.direction]
    there = header.text is not None and helper.has_helper(header.text, copy.direction)
    if header.text is None:
        return Refusal("no-header", copy.line)
    if helper.defines(text, name) or (name in text and not there):
        return Refusal("name-taken", copy.line)
    return fit


def _instead(
    copy: Copy, sizes: Sizes, fit: tuple[int, ...], header: _Header
) -> Instead:
    """The call of the helper, which the header gets if it has none."""
    notes = ["the code grows by the inline copies"]
    additions: tuple[Addition, ...] = ()
    options = copy.context.options
    assert header.text is not None
    if not helper.has_helper(header.text, copy.direction):
        additions = (helper.addition(options, header.text),)
        names = " and ".join(f"{name}()" for name in SMALL_COPY.values())
        notes.insert(0, f"{helper.HEADER} gets {names}")
    name, listed = SMALL_COPY[copy.direction], ", ".join(map(str, fit))
    return Instead(
        f"{sizes}; use {name}(), which copies {listed} bytes inline",
        (_call(copy),),
        remarks=tuple(notes),
        shape=SHAPE,
        tier=PREPARED,
        api=options.small_api,
        additions=additions,
    )


def _call(copy: Copy) -> Edit:
    """Rename the call; its arguments move if the line gets too long."""
    source, name = copy.context.source, SMALL_COPY[copy.direction]
    line = source.line(source.line_of(copy.start))
    longer = columns(line) + len(name) - len(copy.access.name)
    one_line = source.line_of(copy.start) == source.line_of(copy.end)
    if one_line and longer <= LIMIT:
        return Edit(copy.start, copy.start + len(copy.access.name), name)
    start = source.line_starts[source.line_of(copy.start) - 1]
    before = source.text[start : copy.start]
    kernel, user, size = (copy.text(e) for e in (copy.kernel, copy.user, copy.size))
    sides = (kernel, user) if copy.direction == READ else (user, kernel)
    text = call(before, name, (*sides, size), "")
    return Edit(copy.start, copy.end, text[len(before) :])


def others(root: Path, file: str) -> Iterator[tuple[str, ...]]:
    """The files with the commands and callers of a file, and the helpers' header."""
    yield from searched(root, file)
    yield (HEADER,)
