# SPDX-License-Identifier: GPL-2.0
"""The text of ``perf script``: every sample, with its call chain where one was recorded.

A sample is a line with the command, the time, the period and the event, and then the chain, a line
for each function from the innermost on; without chains the function stands in the same line.
Which of these fields are there is up to ``-F``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from hotcocci.engines.perf.profile import (
    Frame,
    Profile,
    charged,
    is_kernel,
    is_routine,
    main_event,
    profile,
)
from hotcocci.errors import UserError

# command pid/tid [cpu] flags time: period event: and what follows
HEADER = re.compile(
    r"\s*\S.*?\s-?\d+(?:/-?\d+)?\s+(?:\[\d+\]\s+)?(?:\S{4,5}\s+)?(?:\d+\.\d+:\s+)?"
    r"(?:(?P<period>\d+)\s+)?(?P<event>[A-Za-z][\w:/.,=\-]*):(?=\s|$)(?P<rest>.*)$"
)
# address function+offset (object); a function that was inlined there has no object
FRAME = re.compile(
    r"\s+(?P<address>[0-9a-f]+) (?P<name>\S.*?)(?:\+0x[0-9a-f]+)?"
    r"(?: \(inlined\)| \((?P<object>[^()]*(?:\([^()]*\))?[^()]*)\))?\s*$"
)
# A chain is read no deeper than this for the functions that its sample belongs to.
DEEPEST = 32


@dataclass(frozen=True)
class _Place:
    """A frame of a call chain; ``object_name`` is None where it is not printed."""

    address: str
    name: str
    object_name: str | None


@dataclass
class _Sample:
    """A sample being read. ``whole`` is set when the rest of its chain does not matter."""

    event: str = ""
    weight: int = 1
    chain: list[_Place] = field(default_factory=list)
    whole: bool = False

    def take(self, line: str) -> None:
        """Add a frame to the chain, if it can be a part of what was running."""
        found = FRAME.match(line)
        if not found:
            self.whole = bool(line.strip())
            return
        place = _Place(found["address"], found["name"], found["object"])
        last = self.chain[-1] if self.chain else None
        if last and last.address != place.address and not is_routine(last.name):
            self.whole = True
            return
        self.chain.append(place)
        self.whole = len(self.chain) == DEEPEST


def read(lines: Iterable[str]) -> Profile:
    """The profile that the samples add up to.

    A sample counts with its period where that is printed. Raises UserError if there is no sample.
    """
    amounts: dict[str, Counter[tuple[str, ...]]] = {}
    for sample in _samples(lines):
        of_event = amounts.setdefault(sample.event, Counter())
        of_event[_owners(sample.chain)] += sample.weight
    wanted = main_event({event: c.total() for event, c in amounts.items()})
    if wanted is None or not amounts[wanted].total():
        raise UserError(
            "this perf script holds no sample with an address and a function: write it "
            "with 'perf script' without -F"
        )
    samples = amounts[wanted]
    return profile(samples.items(), samples.total())


def _samples(lines: Iterable[str]) -> Iterator[_Sample]:
    sample: _Sample | None = None
    for line in lines:
        if line[0] == "\t":
            if sample is None:
                sample = _Sample()  # -F ip,sym
            if not sample.whole:
                sample.take(line)
            continue
        if line[0] == "#":
            continue  # --header
        header = HEADER.match(line)
        if sample and (header or not line.strip()):
            # Without an event, what has no chain may be anything.
            if sample.event or sample.chain:
                yield sample
            sample = None
        if header:
            sample = _Sample(header["event"], int(header["period"] or 1))
            sample.take(header["rest"])
        elif sample and sample.event:
            # Tabs may have become blanks on the way; other lines are those of -F srcline.
            if not sample.whole and FRAME.match(line):
                sample.take(line)
        elif line.strip() and sample is None:
            sample = _Sample()  # -F comm,ip,sym
    if sample and (sample.event or sample.chain):
        yield sample


def _owners(chain: list[_Place]) -> tuple[str, ...]:
    """The functions of the kernel that a sample belongs to."""
    if not chain or not _in_kernel(chain):
        return ()
    # What has the same address as the next one was inlined into it. perf's own mark is put on
    # clones (.constprop.0) as well.
    nexts = [place.address for place in chain[1:]] + [""]
    frames = [Frame(p.name, p.address == after) for p, after in zip(chain, nexts)]
    return tuple(name for name in charged(frames) if name != "[unknown]")


def _in_kernel(chain: list[_Place]) -> bool:
    """Whether the code that was running is the kernel's."""
    address = chain[0].address
    for place in chain:
        if place.address == address and place.object_name is not None:
            return is_kernel(place.object_name)
    # Without objects: the upper half of the address space, or quarter of the 32-bit one
    return int(address, 16) >= (1 << 63 if len(address) > 8 else 0xC0000000)
