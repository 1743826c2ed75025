# SPDX-License-Identifier: GPL-2.0
"""Read a profile in whatever form perf printed or recorded it; itself, what ``perf script`` prints: all samples, with call chains if recorded.

A sample is a line with command, time, period and event, followed by the chain, one function per
line, innermost first. Without chains, the function is on the first line. ``-F`` selects the
fields; if it leaves out all that begins a sample, each line must be one.
"""

import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from io import TextIOWrapper
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryFile

from hotcocci.engines import perf_annotate, perf_report
from hotcocci.engines.perf_report import (
    Profile,
    charged,
    is_kernel,
    is_routine,
    main_event,
    profile,
)
from hotcocci.errors import UserError
from hotcocci.tree.process import environment, with_parent

# Lines to examine: a header of perf record (--header) may come first.
LOOKED_AT = 5000
# Lines are cut here: only mangled names of other languages are longer.
LONGEST = 4000
WRITE_IT = (
    "write it with 'perf report --stdio', 'perf script' or 'perf annotate --stdio'"
)
# Magic of perf.data in either byte order (tools/perf/Documentation/perf.data-file-format.txt)
_MAGIC = (b"PERFILE2", b"2ELIFREP")
# Lines that must all be samples of one line if nothing else says what they are.
_FLAT_LINES = 20

Reader = Callable[[Iterable[str]], Profile]


def read(path: Path) -> Profile:
    """Read the profile in a file.

    Raises UserError if the file cannot be read, is not perf's output, or names no kernel function.
    """
    try:
        # Opened once: it may be a pipe.
        with path.open("rb") as file:
            if file.peek(8)[:8] in _MAGIC:
                profile = _recorded(path)
            else:
                profile = _printed(TextIOWrapper(file, "utf-8", "replace"))
    except OSError as error:
        raise UserError(
            f"cannot read {path}: {error.strerror}: name a file with perf's output"
        ) from error
    except UserError as error:
        raise UserError(f"{path}: {error}") from error
    if not profile.shares:
        raise UserError(
            f"{path}: this profile has no kernel functions: record one as root, "
            "without ':u' after the event"
        )
    return profile


def _recorded(path: Path) -> Profile:
    """The profile in what perf record wrote. Raises UserError without perf, or if it fails."""
    perf = shutil.which("perf")
    if perf is None:
        raise UserError(
            "perf, which reads this recording, is not installed: apt-get install linux-perf, "
            "or convert it with 'perf report --stdio -i FILE'"
        )
    # Without debug information, looking for inlined functions is slow and finds none.
    argv = with_parent([perf, "script", "--no-inline", "-i", str(path)])
    with (
        TemporaryFile("w+") as complaints,
        subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=complaints,
            env=environment(),
            encoding="utf-8",
            errors="replace",
        ) as process,
    ):
        assert process.stdout is not None, "it is a pipe"
        head = list(islice(process.stdout, 1))
        profile = read_script(_cut(chain(head, process.stdout))) if head else Profile()
        if process.wait():
            complaints.seek(0)
            said = complaints.readline().strip() or "it prints no reason"
            raise UserError(f"perf script fails on this recording: {said}")
    return profile


def _printed(text: Iterable[str]) -> Profile:
    lines = _cut(text)
    head = list(islice(lines, LOOKED_AT))
    return _reader(head)(chain(head, lines))


def _cut(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield line if len(line) <= LONGEST else f"{line[:LONGEST]}\n"


def _reader(head: list[str]) -> Reader:
    """The reader for output that starts with these lines. Raises UserError."""
    for line in head:
        if perf_report.TOP.match(line):
            return perf_report.read
        if perf_annotate.HEADING.match(line):
            return perf_annotate.read
        if perf_report.HEADING.match(line) or perf_report.is_row(line):
            return perf_report.read
        if line[0] == "#":
            continue
        if HEADER.match(line) or line[0] == "\t" and FRAME.match(line):
            return read_script
    if any(map(perf_annotate.INSTRUCTION.match, head)):
        return perf_annotate.read
    written = [s for s in head if s.strip() and s[0] != "#"][:_FLAT_LINES]
    for pattern, reader in ((STACK, read_folded), (FLAT, read_flat)):
        if written and all(pattern.match(line.rstrip("\n")) for line in written):
            return reader
    raise UserError(f"this is not a profile: {WRITE_IT}")


# command pid/tid [cpu] flags time: period event: and what follows
HEADER = re.compile(
    r"\s*\S.*?\s-?\d+(?:/-?\d+)?\s+(?:\[\d+\]\s+)?(?:\S{4,5}\s+)?(?:\d+\.\d+:\s+)?"
    r"(?:(?P<period>\d+)\s+)?(?P<event>[A-Za-z][\w:/.,=\-]*):(?=\s|$)(?P<rest>.*)$"
)
# address function+offset (object); an inlined function has no object
FRAME = re.compile(
    r"\s+(?P<address>[0-9a-f]+) (?P<name>\S.*?)(?:\+0x[0-9a-f]+)?"
    r"(?: \(inlined\)| \((?P<object>[^()]*(?:\([^()]*\))?[^()]*)\))?\s*$"
)
# The same without a chain, on one line, after the fields that -F selects
FLAT = re.compile(
    r"^\s*(?:\S.*?\s+)??(?:(?P<period>\d+)\s+)?(?:(?P<event>[A-Za-z][\w:/.,=\-]*):\s+)?"
    r"(?P<frame>[0-9a-f]{6,16} [A-Za-z_.\[$<~]\S*.*)$"
)
# Frames of a chain to read when looking for the functions a sample counts for.
DEEPEST = 32


@dataclass(frozen=True)
class _Place:
    """A frame of a call chain; ``object_name`` is None if not printed."""

    address: str
    name: str
    object_name: str | None


@dataclass
class _Sample:
    """A sample being read. ``whole`` is true once the rest of its chain does not matter."""

    event: str = ""
    weight: int = 1
    chain: list[_Place] = field(default_factory=list)
    whole: bool = False

    def take(self, line: str) -> None:
        """Add a frame to the chain, unless the sample cannot count for it."""
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


def read_script(lines: Iterable[str]) -> Profile:
    """Sum up the samples into a profile.

    Samples are weighted by their period if printed. Raises UserError if there are none.
    """
    return _summed(_samples(_whole(lines)))


def read_flat(lines: Iterable[str]) -> Profile:
    """Sum up samples of one line each, with at least address and function. Raises UserError."""
    found = (FLAT.match(line) for line in _whole(lines) if line[0] != "#")
    return _summed(_flat(match) for match in found if match)


def _whole(lines: Iterable[str]) -> Iterator[str]:
    """The lines. Raises UserError if the last has neither its end nor, as others, that of a frame."""
    framed = False
    for line in lines:
        ends = line.rstrip().endswith(")")
        if framed and not ends and not line.endswith("\n"):
            raise UserError(
                "this perf script is cut off in its last line: write it again"
            )
        framed = framed or ends
        yield line


def _flat(match: re.Match[str]) -> _Sample:
    sample = _Sample(match["event"] or "", int(match["period"] or 1))
    sample.take(f" {match['frame']}")
    return sample


def _summed(samples: Iterable[_Sample]) -> Profile:
    amounts: dict[str, Counter[tuple[str, ...]]] = {}
    for sample in samples:
        of_event = amounts.setdefault(sample.event, Counter())
        of_event[_owners(sample.chain)] += sample.weight
    wanted = main_event({event: c.total() for event, c in amounts.items()})
    if wanted is None or not amounts[wanted].total():
        raise UserError(
            "this perf script has no samples with address and function: write it "
            "with 'perf script' without -F"
        )
    return profile(amounts[wanted].items(), amounts[wanted].total())


def _samples(lines: Iterable[str]) -> Iterator[_Sample]:
    sample: _Sample | None = None
    for line in lines:
        if line[0] == "\t":
            sample = sample or _Sample()  # -F ip,sym
            if not sample.whole:
                sample.take(line)
            continue
        if line[0] == "#":
            continue  # --header
        header = HEADER.match(line)
        if sample and (header or not line.strip()):
            # A line with neither event nor chain may not be a sample.
            if sample.event or sample.chain:
                yield sample
            sample = None
        if header:
            sample = _Sample(header["event"], int(header["period"] or 1))
            sample.take(header["rest"])
        elif sample and sample.event:
            # Tabs may have been converted to blanks; other lines come from -F srcline.
            if not sample.whole and FRAME.match(line):
                sample.take(line)
        elif line.strip() and sample is None:
            sample = _Sample()  # -F comm,ip,sym
    if sample and (sample.event or sample.chain):
        yield sample


def _owners(chain: list[_Place]) -> tuple[str, ...]:
    """The kernel functions that a sample counts for."""
    if not chain or not _in_kernel(chain):
        return ()
    # A frame with the same address as the next is inlined into it. perf's own "(inlined)" is no
    # help: it also marks clones (.constprop.0).
    nexts = [place.address for place in chain[1:]] + [""]
    frames = ((p.name, p.address == after) for p, after in zip(chain, nexts))
    return tuple(name for name in charged(frames) if name != "[unknown]")


def _in_kernel(chain: list[_Place]) -> bool:
    """Whether the sampled code is in the kernel."""
    address = chain[0].address
    for place in chain:
        if place.address == address and place.object_name is not None:
            return is_kernel(place.object_name)
    # Without objects: the upper half of a 64-bit, or the upper quarter of a 32-bit address space
    return int(address, 16) >= (1 << 63 if len(address) > 8 else 0xC0000000)


STACK = re.compile(r"^(?P<stack>[^;]+(?:;[^;]+)+) (?P<count>\d+)$")
_MARK = re.compile(r"_\[(?P<mark>[kijw])\]$")


def read_folded(lines: Iterable[str]) -> Profile:
    """Sum up the stacks into a profile. Raises UserError if there are none."""
    stacks = Counter[tuple[str, ...]]()
    for line in lines:
        found = STACK.match(line.rstrip("\n"))
        if found:
            stacks[tuple(found["stack"].split(";"))] += int(found["count"])
    if not stacks.total():
        raise UserError("these folded stacks have no samples: record a longer profile")
    marked = any("_[k]" in frame for stack in stacks for frame in stack)
    return profile(_folded(stacks, marked), stacks.total())


def _folded(
    stacks: Counter[tuple[str, ...]], marked: bool
) -> Iterator[tuple[list[str], float]]:
    for stack, count in stacks.items():
        # The first is the command.
        frames = [_marked(name) for name in reversed(stack[1:])]
        sampled = next((mark for _, mark in frames if mark != "i"), "")
        if not marked or sampled == "k":
            yield charged((name, mark == "i") for name, mark in frames), count


def _marked(name: str) -> tuple[str, str]:
    mark = _MARK.search(name)
    return (name[: mark.start()], mark["mark"]) if mark else (name, "")
