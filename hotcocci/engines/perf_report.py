# SPDX-License-Identifier: GPL-2.0
"""A profile, and how ``perf report --stdio`` and ``perf top --stdio`` print one, also if quoted in a mail.

A line is ``12.86%  comm  [kernel.kallsyms]  [k] function``, with more or fewer columns, followed by
its call graph, which is skipped. With ``--children``, the second percentage is self time.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from hotcocci.errors import UserError

# Prefixes of system calls, which are not in the source (linux/syscalls.h, asm/syscall_wrapper.h).
_CALL = re.compile(
    r"(?:__(?:do|se|x64|x32|ia32|arm64|riscv|s390x?|powerpc|ppc|loongarch|mips)_)?"
    r"(?:compat_)?sys_(?=[a-z])"
)
# Out-of-line parts of get_user() and copies: x86, lib/usercopy.c, arm64 and arm, powerpc, riscv, s390.
_ROUTINE = re.compile(
    r"__(?:get|put)_user_(?:nocheck_)?\d+"
    r"|_{0,2}(?:inline_)?copy_(?:from|to)_user\w*"
    r"|raw_copy_(?:from|to)_user\w*"
    r"|copy_user_(?:generic|enhanced|short)\w*|rep_movs_alternative|__copy_user_\w+"
    r"|__arch_copy_(?:from|to)_user|arm_copy_(?:from|to)_user"
    r"|__copy_tofrom_user\w*|__asm_copy_(?:from|to)_user\w*|fallback_scalar_usercopy\w*"
)
# Objects that are the kernel or a module: [kernel.kallsyms], [guest.kernel.kallsyms.0],
# [kernel.kallsyms]_stext, [snd_pcm], /lib/modules/…/snd-pcm.ko.xz, /usr/lib/debug/boot/vmlinux-6.12.
_KERNEL = re.compile(
    r"\[(?:guest\.)?kernel|.*(?:^|/)(?:vmlinux|vmlinuz|kcore|kallsyms)|.*\.ko(?:\.\w+)?$"
    r"|\[(?!vdso|vsyscall|vectors|unknown|heap|stack|uprobes|anon|sigpage|bpf)\w+\]$"
)
_TIME = re.compile(
    r"cpu-?cycles|cycles|cpu-clock|task-clock|.*/(?:cpu-)?cycles|instructions"
)


@dataclass(frozen=True)
class Profile:
    """The share of each kernel function, in percent of all samples.

    This is self time, including inlined callees. Inlined functions also have shares of their own
    if the profile names them. Time in out-of-line user access helpers (__get_user_4,
    _copy_from_user) also counts for their callers if the profile has call chains. A function
    that is not in ``shares`` was not sampled, or was inlined without the profile naming it.
    """

    shares: Mapping[str, float] = field(default_factory=dict)

    def share(self, function: str | None) -> float | None:
        """The percentage of a function by its source name; None if it was not seen."""
        return None if function is None else self.shares.get(canonical(function))

    def above(self, percent: float) -> frozenset[str]:
        """The functions with at least this share."""
        return frozenset(f for f, share in self.shares.items() if share >= percent)


@cache
def canonical(name: str) -> str:
    """The name of a function in the source.

    Removes clone suffixes (``.isra.0``, ``.constprop.0``, ``.part.0``, ``.cold``), powerpc's entry
    dot, offsets and the prefixes of system calls.
    """
    name = name.partition("+0x")[0].lstrip(".").partition(".")[0]
    return _CALL.sub("", name, count=1) if _CALL.match(name) else name


@cache
def is_routine(name: str) -> bool:
    """Whether a function is an out-of-line part of get_user() or a copy."""
    return _ROUTINE.fullmatch(canonical(name)) is not None


@cache
def is_kernel(object_name: str) -> bool:
    """Whether perf's name of a shared object is the kernel or a module."""
    return _KERNEL.match(object_name) is not None


def main_event(amounts: Mapping[str, float]) -> str | None:
    """The event to use: one that measures time if there is any, then the largest."""
    return max(
        amounts, key=lambda e: (_TIME.match(e) is not None, amounts[e]), default=None
    )


def charged(chain: Iterable[tuple[str, bool]]) -> list[str]:
    """The functions that a sample counts for, given its chain, innermost first.

    Each has its name as perf has it, and whether it is inlined into the next. The first function counts, and each caller up to the first that is neither inlined nor a
    user access helper.
    """
    names: list[str] = []
    for function, inlined in chain:
        name = canonical(function)
        if name not in names:
            names.append(name)
        if not inlined and not is_routine(name):
            break
    return names


def profile(
    weights: Iterable[tuple[Sequence[str], float]], total: float = 100.0
) -> Profile:
    """Build a profile from weights out of ``total``, each counted for all of its functions."""
    shares: dict[str, float] = defaultdict(float)
    for names, weight in weights:
        for name in names:
            shares[name] += 100.0 * weight / total
    # Drop rounding errors below the digits that perf prints.
    return Profile({name: round(share, 4) for name, share in shares.items()})


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
