# SPDX-License-Identifier: GPL-2.0
"""Fault labels: choose their names in the style of the file, and insert them."""

from __future__ import annotations

import re
from collections import Counter

from hotcocci.c.syntax import Statement
from hotcocci.findings import READ, READ_WRITE, WRITE, Edit
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.options import SCOPED
from hotcocci.rewrite.window import END

_LABEL = re.compile(r"^[ \t]*([A-Za-z_]\w*):(?!:)[ \t]*(?:$|/\*)", re.MULTILINE)
_FAULT = re.compile(r"(?:[a-z]+_)?[eE]?fault|uaccess_end|ua_end")
_SUFFIX = {READ: "read", WRITE: "write", READ_WRITE: "rw"}


def house_name(context: Context) -> str:
    """Return the name that this file would use for a fault label.

    An existing label with "fault" in its name; else the prefix that most labels share
    (``out_``, ``err_``); else efault.
    """
    found: list[str] = [
        m for m in _LABEL.findall(context.source.text) if m != "default"
    ]
    # checkpatch reports capitals as CamelCase, even in an existing name.
    faults = Counter(n for n in found if _FAULT.fullmatch(n) and n.islower())
    if faults:
        return faults.most_common(1)[0][0]
    prefixes = Counter(n.split("_")[0] for n in found if "_" in n)
    for prefix in ("out", "err", "fail", "error"):
        if prefixes[prefix] * 2 > len(found):
            return f"{prefix}_fault"
    return "efault"


def choose(
    context: Context,
    taken: set[str],
    direction: str,
    on_fault: tuple[str, ...],
    several: bool,
) -> str:
    """Choose the label of one window, whose exit is the statements ``on_fault``.

    If a function has ``several`` windows, their labels name the direction.
    """
    house = house_name(context)
    if several:
        house = f"{house}_{_SUFFIX[direction]}"
    if house in context.labels:
        # As in fs/readdir.c: efault_end closes the window and falls through to efault.
        onward = on_fault == (f"goto {house};",) and context.options.api != SCOPED
        house = f"{house}_end" if onward else f"{house}_{_SUFFIX[direction]}"
    wanted = [house, *(f"{house}{number}" for number in range(2, 100))]
    name = next(n for n in wanted if n not in context.identifiers and n not in taken)
    taken.add(name)
    return name


def label_edits(
    name: str, direction: str, on_fault: tuple[str, ...], context: Context
) -> list[Edit]:
    """The fault label at the end of the function, which closes the open window."""
    source, body = context.source, context.body
    place = source.line_starts[source.line_of(body.end - 1) - 1]
    made = []
    if _falls_through(body.children[-1]) and _is_void(context):
        made.append(Edit(place, place, "\treturn;\n"))
    lines = [f"\n{name}:"]
    if context.options.api != SCOPED:
        lines.append(f"\t{END[direction]}();")
    lines += [f"\t{statement}" for statement in on_fault]
    made.append(Edit(place, place, "\n".join(lines) + "\n"))
    return made


def _falls_through(last: Statement) -> bool:
    while last.kind in ("label", "case", "default") and last.children:
        last = last.children[0]
    return last.kind not in ("return", "goto")


def _is_void(context: Context) -> bool:
    header = context.source.code_between(context.function.start, context.body.start)
    words = []
    for token in header:
        if token.text == "(":
            break
        words.append(token.text)
    return "void" in words and "*" not in words
