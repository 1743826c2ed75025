# SPDX-License-Identifier: GPL-2.0
"""The helpers that copy small sizes inline: their text, and the header that declares them.

All dispatchers share one pair, so that each call site changes by a name. They do what
copy_from_user() and copy_to_user() do, whatever faults: those run again where a word did.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

from hotcocci.findings import READ, WRITE, Addition, Edit
from hotcocci.rewrite.layout import TAB, columns, unit_of, unix, with_ends_of
from hotcocci.rewrite.options import SCOPED, SMALL_SIZES, Options
from hotcocci.rewrite.window import BEGIN, END, SCOPE, SMALL_COPY, opened_for
from hotcocci.tree.source import decode, read

if TYPE_CHECKING:
    from jinja2 import Template

HEADER = "include/linux/uaccess.h"
TEST = "user_copy_is_small"
COPIED = {READ: "copy_from_user", WRITE: "copy_to_user"}
# What the helpers are put before if the header has it, with the #ifdef around it.
_LAST = "usercopy_abort"
# The most bytes that 32-bit machines copy inline: two words.
_MOST_OF_32_BITS = 8
_WORD = 8
# What a line ends with if the next one is not its continuation.
_ENDS = (";", "{", "}", ":", "*/")


def header_text(options: Options) -> str | None:
    """The text of the header, None if the tree has none."""
    file = Path(options.root, HEADER)
    return decode(read(file)) if file.is_file() else None


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
    template = Path(__file__).with_suffix(".h").read_text(encoding="utf-8")
    return environment.from_string(template)


def _given(options: Options) -> dict[str, object]:
    """The names in the template: sizes, the kind of window, and what differs by direction."""
    sizes = SMALL_SIZES
    ways = []
    for direction, copied in COPIED.items():
        opened = opened_for(direction, options)
        ways.append(
            {
                "direction": direction,
                "copied": copied,
                "said": _said(copied, sizes),
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
        "narrow": [size for size in sizes if size <= _MOST_OF_32_BITS],
        "wide": [size for size in sizes if size > _MOST_OF_32_BITS],
        # Two words of 32 bits make the largest size of machines that have those.
        "words": max(max(sizes) // _WORD, 2),
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


def _listed(sizes: Sequence[int]) -> str:
    *others, last = map(str, sizes)
    return f"{', '.join(others)} and {last}" if others else last


def _said(copied: str, sizes: Sequence[int]) -> list[str]:
    """The lines of a helper's comment on its sizes."""
    only = ""
    narrow = [size for size in sizes if size <= _MOST_OF_32_BITS]
    if len(narrow) < len(sizes):
        only = f" ({_listed(narrow)} on 32-bit)" if narrow else " (on 64-bit)"
    said = (
        "For hot code that learns the size at run time, such as that of an ioctl's"
        f" argument: {_listed(sizes)} bytes{only} are copied inline, word by word."
        f" {copied}() copies other sizes, and copies again after a fault."
    )
    return wrap(said, 74)
