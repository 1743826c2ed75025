# SPDX-License-Identifier: GPL-2.0
"""Read how many copies of each size a kernel made, from the output of bpftrace or perf.

bpftrace prints a map, whose key may begin with the function that copies::

    @[8]: 4711
    @[drm_ioctl, 8]: 4711

``perf script`` and ``perf trace`` print a line for each call of a probed function::

    Xorg 812 [001] 17.052: probe:_copy_from_user: (ffffffff8160) n=0x8
    17.052 Xorg/812 probe:_copy_from_user(__probe_ip: -2120183808, n: 8)
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from hotcocci.errors import UserError
from hotcocci.tree.source import read_named

# Sizes are registers of 64 bits.
_MOST = 1 << 64
_MAP = re.compile(
    r"@\w*\[(?:(?P<function>[A-Za-z_][\w.]*)(?:\+(?:0x)?[0-9a-f]+)?, )?(?P<size>\d+)\]: (?P<count>\d+)"
)
_CALL = re.compile(
    r".*\bprobe:\w+(?::\s*\(.*?\)|\(__probe_ip: -?\w+,)\s*"
    r"(?:n|len|size|count|bytes)(?:=|: )(?P<size>0x[0-9a-f]+|\d+)\)?"
)
# What bpftrace and perf print besides.
_SAID = re.compile(r"Attach(?:ing|ed) \d+ probes?\b.*|#.*|")


@dataclass(frozen=True)
class CallSizes:
    """How many copies there were of each size: of all functions, and of those that were told apart.

    Functions and sizes are sorted.
    """

    every: tuple[tuple[int, int], ...]
    functions: tuple[tuple[str, tuple[tuple[int, int], ...]], ...] = ()

    def of(self, function: str) -> tuple[tuple[int, int], ...] | None:
        """The sizes that a function copied, None if the table does not tell functions apart."""
        if not self.functions:
            return None
        return dict(self.functions).get(function, ())


def read(path: Path) -> CallSizes:
    """Read a table of sizes. Raises UserError if the file is none, naming its first wrong line."""
    try:
        text = read_named(path).decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise UserError(f"cannot read {path}: {why}") from error
    return parse(text, str(path))


def parse(text: str, name: str) -> CallSizes:
    """Read a table of sizes; ``name`` is that of the file, for errors. Raises UserError."""
    every: Counter[int] = Counter()
    functions: dict[str, Counter[int]] = {}
    kinds = set()
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        found = _MAP.fullmatch(line) or _CALL.fullmatch(line)
        if found is None:
            if _SAID.fullmatch(line):
                continue
            raise UserError(_wrong(name, number, line))
        size = int(found["size"], 0 if found["size"].startswith("0x") else 10)
        of_map = found.re is _MAP
        count = int(found["count"]) if of_map else 1
        function = found["function"] if of_map else None
        kinds.add((of_map, function is None))
        if len(kinds) > 1:
            raise UserError(
                f"{name}:{number}: a table of another kind begins here: give one table in a file"
            )
        if max(size, count) >= _MOST:
            raise UserError(f"{name}:{number}: {max(size, count)} is no 64-bit number")
        every[size] += count
        if function is not None:
            functions.setdefault(function.partition(".")[0], Counter())[size] += count
    if not every.total():
        raise UserError(
            f"{name} has no sizes of copies: give a bpftrace map (@[SIZE]: COUNT), "
            "or what 'perf script' or 'perf trace' prints of a probe with the size"
        )
    return CallSizes(
        _sorted(every.items()),
        tuple((f, _sorted(own.items())) for f, own in sorted(functions.items())),
    )


def _sorted(items: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted((size, count) for size, count in items if count))


def _wrong(name: str, number: int, line: str) -> str:
    if re.match(r"@\w*(?:\[.*\])?:$|\[\d+\w*(?:, \d+\w*)?[\])]\s", line):
        return f"{name}:{number}: hist() has no single sizes: use count() with the size as key"
    shown = line if len(line) <= 60 else line[:57] + "..."
    return f"{name}:{number}: {shown!r} is no line of a bpftrace map (@[SIZE]: COUNT) or of a perf probe"
