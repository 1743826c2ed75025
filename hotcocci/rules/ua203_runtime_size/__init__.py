# SPDX-License-Identifier: GPL-2.0
"""UA203: copies whose size is only known at run time but is usually small, and helpers that copy small sizes inline.

All dispatchers share one pair of helpers, so that each call site changes by a name. They do what
copy_from_user() and copy_to_user() do, whatever faults: those run again where a word did.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

from hotcocci.findings import PREPARED, READ, WRITE, Addition, Edit, Facts
from hotcocci.rewrite.context import contexts
from hotcocci.rewrite.context_conditions import lock_held_at
from hotcocci.rewrite.calls import Called, Copy, copies_of
from hotcocci.rewrite.copies import (
    CALLERS,
    COMMAND,
    opens_more,
    parameter_of,
    source_of_size,
)
from hotcocci.rewrite.layout import (
    LIMIT,
    TAB,
    call,
    columns,
    unit_of,
    unix,
    with_ends_of,
)
from hotcocci.rewrite.options import SCOPED, SMALL_SIZES, Options
from hotcocci.rewrite.window import (
    BEGIN,
    END,
    SCOPE,
    SMALL_COPY,
    Instead,
    Refusal,
    Subject,
    Verdict,
    opened_for,
)
from hotcocci.rules.calls import Decided, decided, subject
from hotcocci.rules.rulebook import rule
from hotcocci.rules.ua203_runtime_size.callers import length_of, searched
from hotcocci.rules.ua203_runtime_size.sizes import (
    SMALL_BYTES,
    Histogram,
    of_callers,
    of_commands,
)
from hotcocci.tree.source import decode, read

if TYPE_CHECKING:
    from jinja2 import Template

RULE = rule("UA203")

# The shape of a rewrite that calls a helper
SHAPE = "S"
HEADER = "include/linux/uaccess.h"
TEST = "user_copy_is_small"
COPIED = {READ: "copy_from_user", WRITE: "copy_to_user"}
# What the helpers are put before if the header has it, with the #ifdef around it.
_LAST = "usercopy_abort"
# What 32-bit machines copy inline: up to two words.
_NARROW = [size for size in SMALL_SIZES if size <= 8]
_WORD = 8
# What a line ends with if the next one is not its continuation.
_ENDS = (";", "{", "}", ":", "*/")

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
    file = Path(options.root, HEADER)
    text = decode(read(file)) if file.is_file() else None
    own = sizes_in(text) if text is not None else ()
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
    there = header.text is not None and has_helper(header.text, copy.direction)
    if header.text is None:
        return Refusal("no-header", copy.line)
    if defines(text, name) or (name in text and not there):
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
    if not has_helper(header.text, copy.direction):
        additions = (addition(options, header.text),)
        names = " and ".join(f"{name}()" for name in SMALL_COPY.values())
        notes.insert(0, f"{HEADER} gets {names}")
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


def has_helper(text: str, direction: str) -> bool:
    """Whether a header's text defines the helper of a direction."""
    return re.search(rf"^{SMALL_COPY[direction]}\(", text, re.MULTILINE) is not None


def defines(text: str, name: str) -> bool:
    """Whether a file defines something of this name: a function, whose name no tab precedes, or a macro."""
    return (
        re.search(rf"^(?:\w[^\n;=]*\b)?{name}\(|^#\s*define\s+{name}\b", text, re.M)
        is not None
    )


def sizes_in(text: str) -> tuple[int, ...]:
    """The sizes that the helpers in a header copy inline, smallest first; none without helpers."""
    start = text.find(f" {TEST}(")
    body = text[start : text.find("\n}", start)] if start >= 0 else ""
    return tuple(sorted(map(int, re.findall(r"\bcase (\d+):", body))))


def addition(options: Options, text: str) -> Addition:
    """The edit that adds the helpers to the header, whose text is ``text``: indented, and its lines ended, alike."""
    plain = unix(text)
    lines = plain.splitlines(keepends=True)
    place = max(n for n, line in enumerate(lines) if line.startswith("#endif"))
    for number, line in enumerate(lines):
        if _LAST in line:
            place = number - lines[number - 1].startswith("#if")
            break
    at = len("".join(lines[:place]))
    edit = Edit(at, at, helpers(options, unit_of(plain)))
    return Addition(HEADER, with_ends_of(text, (edit,)))


def helpers(options: Options, unit: str = "\t") -> str:
    """Both helpers and the test that they share, each followed by an empty line; ``unit`` is one level."""
    text: str = _template().render(_given(options))
    return text if unit == "\t" else _indented(text, unit)


@cache
def _template() -> Template:
    # Importing jinja2 is slow, and so is reading a template.
    import jinja2

    environment = jinja2.Environment(
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    template = Path(__file__).with_name("helper.h").read_text(encoding="utf-8")
    return environment.from_string(template)


def _given(options: Options) -> dict[str, object]:
    """The names in the template: sizes, the kind of window, and what differs by direction."""
    ways = []
    for direction, copied in COPIED.items():
        opened = opened_for(direction, options)
        ways.append(
            {
                "direction": direction,
                "copied": copied,
                "said": _said(copied),
                "scope": SCOPE[direction],
                "begin": BEGIN[opened],
                "end": END[opened],
            }
        )
    return {
        "names": SMALL_COPY,
        "test": TEST,
        "ways": ways,
        "api": options.small_api,
        "label": "general" if options.small_api == SCOPED else "efault",
        "narrow": _NARROW,
        "wide": [size for size in SMALL_SIZES if size not in _NARROW],
        "words": max(SMALL_SIZES) // _WORD,
    }


def _indented(text: str, unit: str) -> str:
    """Lines that are indented by tabs, by blanks; alignment is kept."""
    made, level, begins = [], 0, True
    for line in text.split("\n"):
        code = line.lstrip()
        column = columns(line[: len(line) - len(code)])
        level = column // TAB if begins else level
        made.append(" " * (column - level * (TAB - len(unit))) + code)
        begins = not code or code.endswith(_ENDS) or code.startswith(("if", "else"))
    return "\n".join(made)


def _said(copied: str) -> list[str]:
    """The lines of a helper's comment on its sizes."""
    every, narrow = (
        " and ".join(", ".join(map(str, sizes)).rsplit(", ", 1))
        for sizes in (SMALL_SIZES, _NARROW)
    )
    said = (
        "For hot code that learns the size at run time, such as that of an ioctl's"
        f" argument: {every} bytes ({narrow} on 32-bit) are copied inline, word by word."
        f" {copied}() copies other sizes, and copies again after a fault."
    )
    return wrap(said, 74)
