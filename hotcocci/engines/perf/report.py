# SPDX-License-Identifier: GPL-2.0
"""Parse the output of ``perf report --stdio`` and ``perf top --stdio``, also if quoted in a mail.

A line is ``12.86%  comm  [kernel.kallsyms]  [k] function``, with more or fewer columns, followed by
its call graph, which is skipped. With ``--children``, the second percentage is self time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from hotcocci.engines.perf.profile import Profile, canonical, main_event, profile
from hotcocci.errors import UserError

HEADING = re.compile(r"^#\s+(?:\w+\s+)*?(?:Overhead|Children|Self|Samples)\b")
TOP = re.compile(r"^\s*PerfTop:\s+\d+ irqs/sec\b")
# perf top clears the screen, and prints the next table.
_SCREEN = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_EVENT = re.compile(r"^# Samples: \S+\s+of events? '(?P<event>[^']*)'")
_COUNT = re.compile(r"^# Event count \(approx\.\): (?P<count>\d+)")
# Mail quotes, and arrows that point at a line
_MAIL = re.compile(r"^(?:>\s?)*(?:==>|-->)?")
# Decimal comma of some locales
_COMMA = re.compile(r"(\d),(\d+%)")
_PERCENTS = re.compile(r"^[\s;]*(?:\d+[\s;]+)?(?P<percents>(?:\d+\.\d+%[\s;]+)+)")
_PERCENT = re.compile(r"(\d+\.\d+)%")
# The level that the sample was taken at: kernel, user, guest kernel, guest user, hypervisor
_SYMBOL = re.compile(r"\[(?P<level>[k.guH])\](?:\s+(?P<name>\S+(?: \(inlined\))?))?")
_COLUMNS = ("Overhead", "Children", "Self", "sys", "usr", "guest sys", "guest usr")
_KERNEL_LEVELS = "kg"
_INLINED = " (inlined)"


@dataclass
class _Row:
    percents: list[float]
    level: str
    name: str


@dataclass
class _Table:
    """The table of one event."""

    event: str = ""
    count: float = 0.0
    own: int | None = None  # the column of self time
    rows: list[_Row] = field(default_factory=list)

    def share(self, row: _Row) -> float:
        """The function's self time, in percent."""
        # Without a heading: two percentages mean --children
        guessed = 1 if len(row.percents) == 2 else 0
        own = guessed if self.own is None else self.own
        return row.percents[min(own, len(row.percents) - 1)]


def is_row(line: str) -> bool:
    """Whether a line gives a function's percentage."""
    return _read_row(_plain(line)) is not None


def _plain(line: str) -> str:
    """A line without mail quotes, and with decimal points in its percentages."""
    bare = _MAIL.sub("", _SCREEN.sub("", line.rstrip("\n")))
    return _COMMA.sub(r"\1.\2", bare) if "," in bare else bare


def read(lines: Iterable[str]) -> Profile:
    """Parse a report into a profile.

    Raises UserError if it has several tables for the event used, or names no function.
    """
    tables = [table for table in _tables(lines) if table.rows]
    if not tables:
        raise UserError(
            "this perf report names no function: write it with "
            "'perf report --stdio --sort comm,dso,symbol'"
        )
    wanted = main_event({table.event: table.count for table in tables})
    chosen = [table for table in tables if table.event == wanted]
    number = sum(map(_tables_in, chosen))
    if number > 1:
        raise UserError(f"this text has {number} perf tables: keep only one")
    return profile(_pieces(chosen[0]))


def _tables(lines: Iterable[str]) -> list[_Table]:
    tables = [_Table()]
    pending = ""
    for raw in lines:
        line = _plain(raw)
        if TOP.match(line):
            # Each screen covers all that the one before did.
            tables = [_Table()]
            continue
        event = _EVENT.match(line)
        if event:
            tables.append(_Table(event["event"]))
        elif line.startswith("#"):
            count = _COUNT.match(line)
            tables[-1].count = float(count["count"]) if count else tables[-1].count
            if HEADING.match(line):
                if tables[-1].rows:
                    tables.append(_Table(tables[-1].event))
                tables[-1].own = _own_column(line)
            continue
        # A mail program may have wrapped the line before or after "[k]".
        row = _read_row(line) or (_read_row(f"{pending} {line}") if pending else None)
        pending = ""
        if row is not None and row.name:
            tables[-1].rows.append(row)
        elif row is not None or _PERCENTS.match(line) and line.endswith("]"):
            pending = line
    return tables


def _read_row(line: str) -> _Row | None:
    percents = _PERCENTS.match(line)
    symbol = percents and _SYMBOL.search(line, percents.end("percents") - 1)
    if not percents or not symbol:
        return None
    numbers = [float(number) for number in _PERCENT.findall(percents["percents"])]
    return _Row(numbers, symbol["level"], symbol["name"] or "")


def _own_column(heading: str) -> int:
    """The index of the self time column among the percentages."""
    names = [name.strip() for name in re.split(r"\s{2,}|;", heading[1:].strip())]
    percents = [name for name in names if name in _COLUMNS]
    own = filter(percents.count, ("Self", "Overhead"))
    return next(map(percents.index, own), 0)


def _tables_in(table: _Table) -> int:
    """The number of tables merged into one for lack of headings."""
    if table.own is not None:
        return 1
    # perf sorts by the first percentage.
    firsts = [row.percents[0] for row in table.rows]
    return 1 + sum(b > a for a, b in zip(firsts, firsts[1:]))


def _pieces(table: _Table) -> Iterator[tuple[Sequence[str], float]]:
    for row in table.rows:
        name = canonical(row.name)
        # perf adds the self time of an inlined function to the function around it.
        of_function = not (name.startswith("0x") or row.name.endswith(_INLINED))
        if row.level in _KERNEL_LEVELS and of_function:
            yield [name], table.share(row)
