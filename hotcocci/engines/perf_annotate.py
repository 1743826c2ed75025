# SPDX-License-Identifier: GPL-2.0
"""Parse the output of ``perf annotate --stdio``: functions, instruction by instruction.

A function starts with ``Percent | Source code & Disassembly of OBJECT for EVENT (N samples, …)``. The
percentages of its instructions add up to 100, or to the samples with ``-n``. With debug information,
lines ``name():`` name the function, possibly inlined, that the next instructions come from. With
``-l``, instructions that were sampled end with ``// FILE:LINE``.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hotcocci.engines import perf_report as p
from hotcocci.engines.perf_report import Profile, canonical, is_kernel
from hotcocci.errors import UserError, told

HEADING = re.compile(
    r"^\s*(?:Percent|Samples|Period)\s*\|\s*Source code & Disassembly of (?P<object>\S+)"
    r"(?: for (?P<event>[^(]*?))?(?:\s*\((?P<samples>\d+) samples[^)]*\))?\s*$"
)
# "7.36 :   ffffffff810bcd52:   mov …", a column for each event
INSTRUCTION = re.compile(
    r"^(?:>\s?)*\s*(?P<part>\d+(?:\.\d+)?)(?:\s+\d+(?:\.\d+)?)*\s*:\s+"
    r"(?:0x)?(?P<address>[0-9a-f]+):?\s(?P<text>.*)"
)
_SYMBOL = re.compile(
    r"^\s*:\s*(?:\d+\s+)?(?:0x)?(?P<address>[0-9a-f]+) <(?P<name>[^>+]+)>:"
)
# The bytes of an instruction, which --asm-raw prints, and what follows it
_BYTES = re.compile(r"^(?:[0-9a-f]{2}\s)+")
_LINE = re.compile(r"//\s*(?P<file>[^\s:]+):(?P<line>\d+)\s*$")
_COMMENT = re.compile(r"\s*(?://|#\s).*$")
_FROM = re.compile(r"^\s*:\s*(?:\d+\s+)?(?P<name>[A-Za-z_][\w.]*)\(\):\s*$")


@dataclass(frozen=True)
class Row:
    """An instruction: its share of the function's samples in percent, and its text in AT&T syntax.

    ``line`` is the name of its source file, without folders, and the line there; None if perf does not say.
    """

    share: float
    text: str
    line: tuple[str, int] | None


@dataclass(frozen=True)
class Annotated:
    """A function's instructions by address, and the address that it starts at."""

    name: str
    start: int
    rows: Mapping[int, Row]


@dataclass
class _Function:
    object_name: str = ""
    event: str = ""
    samples: int | None = None
    name: str = ""
    source: str = ""  # where the next instructions come from
    parts: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    start: int | None = None
    cold: bool = False
    rows: list[re.Match[str]] = field(default_factory=list)

    @property
    def weight(self) -> int:
        """The samples, 1 if they are not counted."""
        return 1 if self.samples is None else self.samples


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
    found = _of_main_event(found)
    if len(found) > 1 and any(function.samples is None for function in found):
        raise UserError(
            "this perf annotate does not tell how many samples each function has: "
            "use 'perf report --stdio'"
        )
    total = sum(function.weight for function in found)
    if not total:
        raise UserError("this perf annotate has no samples: record a longer profile")
    return p.profile(_pieces(found), total)


def annotated(path: Path) -> list[Annotated]:
    """Read the instructions of the annotated functions of the kernel, but not of unlikely parts.

    Raises UserError if the file cannot be read, or has none.
    """
    with told(f"read {path}"):
        with path.open(encoding="utf-8", errors="replace") as file:
            found = [f for f in _functions(file, rows=True) if f.rows and not f.cold]
    found = [each for each in _of_main_event(found) if is_kernel(each.object_name)]
    if not found:
        raise UserError(
            f"{path} has no instructions of the kernel: write it with 'perf annotate --stdio'"
        )
    return [_annotated(each) for each in found]


def _annotated(function: _Function) -> Annotated:
    found = {int(row["address"], 16): row for row in function.rows}
    whole = sum(float(row["part"]) for row in found.values()) or 1.0
    rows = {at: _row(row, whole) for at, row in found.items()}
    start = min(rows) if function.start is None else function.start
    return Annotated(function.name, start, rows)


def _row(found: re.Match[str], whole: float) -> Row:
    said = _LINE.search(found["text"])
    text = _BYTES.sub("", _COMMENT.sub("", found["text"]).strip())
    line = (said["file"], int(said["line"])) if said else None
    return Row(100 * float(found["part"]) / whole, " ".join(text.split()), line)


def _of_main_event(found: Sequence[_Function]) -> list[_Function]:
    """The functions as one event sampled them."""
    events: dict[str, float] = defaultdict(float)
    for function in found:
        events[function.event] += function.samples or 0
    wanted = p.main_event(events)
    return [function for function in found if function.event == wanted]


def _functions(lines: Iterable[str], rows: bool = False) -> Iterator[_Function]:
    """The functions, with the lines of their instructions if ``rows`` is set."""
    function = _Function()
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
            if rows:
                function.rows.append(instruction)
            continue
        symbol, origin = _SYMBOL.match(line), _FROM.match(line)
        if symbol and not function.name:
            function.name = canonical(symbol["name"])
            function.start = int(symbol["address"], 16)
            function.cold = symbol["name"].endswith(".cold")
        elif origin:
            function.source = canonical(origin["name"])
    yield function


def _pieces(found: Sequence[_Function]) -> Iterator[tuple[Sequence[str], float]]:
    for function in found:
        if not is_kernel(function.object_name):
            continue
        weight = function.weight
        yield [function.name], weight
        whole = sum(function.parts.values())
        for source, part in function.parts.items():
            if source and source != function.name and whole:
                yield [source], weight * part / whole
