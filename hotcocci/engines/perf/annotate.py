# SPDX-License-Identifier: GPL-2.0
"""Parse the output of ``perf annotate --stdio``: functions, instruction by instruction.

A function starts with ``Percent | Source code & Disassembly of OBJECT for EVENT (N samples, …)``. The
percentages of its instructions add up to 100, or to the samples with ``-n``. With debug information,
lines ``name():`` name the function, possibly inlined, that the next instructions come from.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from hotcocci.engines.perf.profile import (
    Profile,
    canonical,
    is_kernel,
    main_event,
    profile,
)
from hotcocci.errors import UserError

HEADING = re.compile(
    r"^\s*(?:Percent|Samples|Period)\s*\|\s*Source code & Disassembly of (?P<object>\S+)"
    r"(?: for (?P<event>[^(]*?))?(?:\s*\((?P<samples>\d+) samples[^)]*\))?\s*$"
)
# "7.36 :   ffffffff810bcd52:   mov …", a column for each event
INSTRUCTION = re.compile(
    r"^(?:>\s?)*\s*(?P<part>\d+(?:\.\d+)?)(?:\s+\d+(?:\.\d+)?)*\s*:\s+(?:0x)?[0-9a-f]+:?\s"
)
_SYMBOL = re.compile(r"^\s*:\s*(?:\d+\s+)?(?:0x)?[0-9a-f]+ <(?P<name>[^>+]+)>:")
_FROM = re.compile(r"^\s*:\s*(?:\d+\s+)?(?P<name>[A-Za-z_][\w.]*)\(\):\s*$")


@dataclass
class _Function:
    object_name: str
    event: str
    samples: int | None
    name: str = ""
    source: str = ""  # where the next instructions come from
    parts: dict[str, float] = field(default_factory=lambda: defaultdict(float))


def read(lines: Iterable[str]) -> Profile:
    """Parse the annotated functions; shares are relative to the samples of all of them.

    Raises UserError if no function is named, or if there are several without sample counts.
    """
    found = [function for function in _functions(lines) if function.name]
    if not found:
        raise UserError(
            "this perf annotate names no function: keep the lines before the "
            "instructions, or use 'perf report --stdio'"
        )
    events: dict[str, float] = defaultdict(float)
    for function in found:
        events[function.event] += function.samples or 0
    wanted = main_event(events)
    found = [function for function in found if function.event == wanted]
    if len(found) > 1 and any(function.samples is None for function in found):
        raise UserError(
            "this perf annotate does not tell how many samples each function has: "
            "use 'perf report --stdio'"
        )
    total = sum(_samples(function) for function in found)
    if not total:
        raise UserError("this perf annotate has no samples: record a longer profile")
    return profile(_pieces(found), total)


def _functions(lines: Iterable[str]) -> Iterator[_Function]:
    function = _Function("", "", None)
    for line in lines:
        heading = HEADING.match(line)
        if heading:
            yield function
            samples = int(heading["samples"]) if heading["samples"] else None
            function = _Function(heading["object"], heading["event"] or "", samples)
            continue
        instruction = INSTRUCTION.match(line)
        if instruction:
            function.parts[function.source] += float(instruction["part"])
            continue
        symbol, origin = _SYMBOL.match(line), _FROM.match(line)
        if symbol and not function.name:
            function.name = canonical(symbol["name"])
        elif origin:
            function.source = canonical(origin["name"])
    yield function


def _samples(function: _Function) -> int:
    return 1 if function.samples is None else function.samples


def _pieces(found: Sequence[_Function]) -> Iterator[tuple[Sequence[str], float]]:
    for function in found:
        if not is_kernel(function.object_name):
            continue
        weight = _samples(function)
        yield [function.name], weight
        whole = sum(function.parts.values())
        for source, part in function.parts.items():
            if source and source != function.name and whole:
                yield [source], weight * part / whole
