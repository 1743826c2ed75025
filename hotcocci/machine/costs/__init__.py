# SPDX-License-Identifier: GPL-2.0
"""Model the cycles of a counted path on processors that are not at hand: processors/ and accesses/ have the figures.

A path takes the time of all of its instructions, and of what is dear in addition. How many instructions a cycle
finishes comes from llvm-mca, for the path's own instructions, where it is installed and knows the processor. It
knows of no fetching, so the processor's usual rate is the limit, and is taken where llvm-mca knows nothing.

Caches are warm, branches predicted and loads independent, so that a path with a long chain of loads
takes longer than modelled; benchmarks/results/by-hand.md compares the model with native runs.
"""

import json
import re
import shutil
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType

from hotcocci.findings import READ, READ_WRITE, WRITE, Cost, Count, Cycles
from hotcocci.records import rebuilt
from hotcocci.tree.process import run

# Instructions per cycle before and after; None if not known.
Rates = tuple[float | None, float | None]
NO_RATES: Mapping[str, Rates] = MappingProxyType({})
# Bytes of a copy, whose size machine code rarely shows. Most sizes cost the same.
SIZE = 16
# One data file per processor, and one per target.
PROCESSORS, ACCESSES = (
    Path(__file__).with_name(name) for name in ("processors", "accesses")
)


@dataclass(frozen=True)
class Processor:
    """One processor, with warm caches and predicted branches.

    ``order`` is its place in lists. ``targets`` are the kernels that run on it, ``mca`` is its name for
    llvm-mca, empty if that does not know it. ``rate`` is how many instructions of a usual path it finishes
    per cycle; all other costs are in addition to that. ``open`` and ``close`` are of user access, ``call``
    of a call with its return, ``thunk`` of a return by the thunk that the kernel selects for it by default,
    0 if none. ``copies`` are the cycles that a ``rep movs`` or its replacement adds, by length: bytes up to which,
    and cycles; the last also count for longer ones, and the instructions of the routine as such. ``mainstream`` is whether it is of those that most kernels run on: servers and PCs of 2019 or
    later.
    """

    name: str
    order: int
    targets: tuple[str, ...]
    mca: str
    rate: float
    open: float
    close: float
    fence: float
    call: float
    thunk: float
    copies: tuple[tuple[int, float], ...]
    mainstream: bool = True


@cache
def processors() -> tuple[Processor, ...]:
    """The processors that costs are modelled for."""
    found = (
        rebuilt(Processor, tomllib.loads(path.read_text(encoding="utf-8")))
        for path in PROCESSORS.glob("*.toml")
    )
    return tuple(sorted(found, key=lambda each: each.order))


@lru_cache
def costs_of(target: str, scopes: bool, windows: bool = True) -> Mapping[str, Count]:
    """The cost of each form of user access on a target, as compiled from whole kernels.

    A form is the name of an access, of what opens a window (with what closes it), or of a copy; after a
    blank the bytes of a copy of a structure, or the direction of a masked window. A later access costs
    less than the first, as the compiler keeps what they share: these are of the second one. ``scopes`` is
    set for trees with scoped windows. Where nothing is masked, a masked window is a classic one. Without
    ``windows`` of the target in the tree, include/linux/uaccess.h makes of them access_ok() and __get_user().
    """
    text = (ACCESSES / f"{target}.toml").read_text(encoding="utf-8")
    listed = tomllib.loads(text)["scoped" if scopes else "classic"]
    counts = {form: Count(*figures) for form, figures in listed.items()}
    ways = {
        READ: "user_read_access",
        WRITE: "user_write_access",
        READ_WRITE: "user_access",
    }
    masked = {
        f"masked_user_access_begin {way}": counts[f"{name}_begin"]
        for way, name in ways.items()
    }
    found = {**masked, **counts}
    if windows:
        return found
    return {form: found[_without_windows(form)] for form in found}


def _without_windows(form: str) -> str:
    """The form that include/linux/uaccess.h makes of one where an architecture has no windows."""
    if form.startswith("unsafe_"):
        return form.replace("unsafe_", "__")
    return "access_ok" if re.match(r"\w*(?:_begin|scoped_)", form) else form


def cycles(count: Count, processor: Processor, rate: float | None = None) -> float:
    """The core cycles that a path takes on a processor.

    ``rate`` is how many of its instructions llvm-mca finds in a cycle.
    """
    usual = processor.rate
    switch = (processor.open + processor.close) / 2
    fitting = (cost for most, cost in processor.copies if most >= SIZE)
    copy = next(fitting, processor.copies[-1][1])
    return (
        count.instructions / min(rate or usual, usual)
        + count.switches * switch
        + count.fences * processor.fence
        + count.calls * processor.call
        + count.returns * processor.thunk
        + count.copies * copy
    )


def modelled(
    before: Cost, after: Cost, target: str, rates: Mapping[str, Rates] = NO_RATES
) -> tuple[Cycles, ...]:
    """The cycles before and after on each processor of a target; empty if a path is unknown.

    ``rates`` are those of the two paths, by processor.
    """
    paths = before.success, after.success
    if paths[0] is None or paths[1] is None:
        return ()
    found = []
    for each in (p for p in processors() if target in p.targets):
        old, new = rates.get(each.name, (None, None))
        if old is None or new is None:
            # Both sides by the same measure.
            old = new = None
        took = cycles(paths[0], each, old), cycles(paths[1], each, new)
        before_, after_ = (round(number, 1) for number in took)
        found.append(Cycles(each.name, before_, after_, each.mainstream))
    return tuple(found)


TIMEOUT = 60.0
# Newest first: a new one knows more processors. Debian's packages have the version in the name.
NAMES = (*(f"llvm-mca-{number}" for number in range(24, 13, -1)), "llvm-mca")
ERROR = re.compile(r"^[^\n:]*:(\d+):\d+: error: ", re.MULTILINE)
UNKNOWN = "not a recognized processor"


@lru_cache(maxsize=1)
def llvm_mca() -> str | None:
    """The newest llvm-mca that is installed, None if there is none."""
    return next((name for name in NAMES if shutil.which(name)), None)


def rates(
    triple: str, processor: str, head: str, streams: Sequence[Sequence[str]]
) -> list[float | None]:
    """The instructions per cycle of each stream of assembly lines; None if it is not known.

    ``head`` selects the syntax. Instructions that llvm-mca cannot read are left out. The rate is that
    of the block's reciprocal throughput: only the processor's width and units limit it. llvm-mca's
    cycles are those of a loop, where a register that is read and later written for something else
    delays the next iteration; the code of a path is no loop.
    """
    found: list[float | None] = [None] * len(streams)
    name = llvm_mca()
    if name is None or not any(streams):
        return found
    lines = [head]
    for number, stream in enumerate(streams):
        lines += [f"# LLVM-MCA-BEGIN {number}", *stream, f"# LLVM-MCA-END {number}"]
    argv = [name, f"-mtriple={triple}", f"-mcpu={processor}", "-json", "-iterations=1"]
    with TemporaryDirectory(prefix="hotcocci-mca-") as folder:
        source = Path(folder) / "streams.s"
        # A second time without what it could not read.
        for _ in range(2):
            source.write_text("\n".join(lines) + "\n")
            outcome = run([*argv, str(source)], source.parent, TIMEOUT)
            failed = {int(line) for line in ERROR.findall(outcome.err)}
            if not failed:
                break
            lines = ["" if n in failed else line for n, line in enumerate(lines, 1)]
    if outcome.status != 0 or UNKNOWN in outcome.err:
        return found
    for region in json.loads(outcome.out)["CodeRegions"]:
        summary = region["SummaryView"]
        # Of instructions that need no unit it is 0.
        if summary["BlockRThroughput"]:
            rate = summary["Instructions"] / summary["BlockRThroughput"]
            found[int(region["Name"])] = round(rate, 2)
    return found
