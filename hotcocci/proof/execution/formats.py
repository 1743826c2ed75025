# SPDX-License-Identifier: GPL-2.0
"""Read number and size of arguments from a format string (lib/vsprintf.c: format_decode())."""

from __future__ import annotations

import re

from hotcocci.proof.execution.signatures import Value

CONVERSION = re.compile(
    r"%(?:%|[-+ #0]*(?P<width>\*|\d+)?(?:\.(?P<precision>\*|-?\d+)?)?"
    r"(?P<length>hh|h|ll|l|L|q|z|Z|t|j)?(?P<kind>[a-zA-Z]))"
)
# A * suppresses the assignment; a set is one conversion (lib/vsprintf.c: vsscanf()).
SCANNED = re.compile(r"%(?:%|\*\d*\w*|\d*(?:hh|h|ll|l|L|q|z|t|j)?(?P<kind>[a-zA-Z\[]))")
POINTERS = "ps"
NATURAL = ("l", "z", "Z", "t")


def asked(name: str, text: str, pointer: int) -> tuple[Value, ...]:
    """The arguments that a format string requires; ``pointer`` is the size of a pointer in bytes."""
    return (_scanned if "scanf" in name else _printed)(text, pointer)


def _scanned(text: str, pointer: int) -> tuple[Value, ...]:
    """A pointer for each conversion."""
    found = [match for match in SCANNED.finditer(text) if match["kind"]]
    return (Value(pointer, 0),) * len(found)


def _printed(text: str, pointer: int) -> tuple[Value, ...]:
    """The printed values."""
    found: list[Value] = []
    for match in CONVERSION.finditer(text):
        if match["kind"] is None:
            continue
        found += [Value(4) for part in ("width", "precision") if match[part] == "*"]
        if match["kind"] in POINTERS:
            found.append(Value(pointer, 0, constant=True))
        elif match["length"] in NATURAL:
            found.append(Value(pointer))
        else:
            found.append(Value(8 if match["length"] in ("ll", "L", "q", "j") else 4))
    return tuple(found)
