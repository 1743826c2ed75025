# SPDX-License-Identifier: GPL-2.0
"""Proofs as text or as JSON; and gains, as a table that fits a commit message, or in a line."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from hotcocci.findings import (
    BENCH,
    DIFFERENT,
    NOT_PROVEN,
    PROVEN,
    STYLE,
    Check,
    Execution,
    Gain,
    Proof,
    Saves,
)
from hotcocci.names import count
from hotcocci.saves import EXPENSIVE, cycles, saved, total
from hotcocci.tree.targets import guarded

VERSION = 2
WORDS = {
    PROVEN: "equivalent for all inputs",
    DIFFERENT: "NOT EQUIVALENT",
    NOT_PROVEN: "not proven",
}


def sentence(execution: Execution) -> str:
    """The verdict in words; of a proof, with the compiled code that it holds for."""
    words = WORDS[execution.verdict]
    if execution.verdict == PROVEN and execution.permitted:
        words += " but for what is permitted"
    if execution.verdict != PROVEN or not execution.compiled:
        return words
    return f"{words}, as compiled by {execution.compiled}"


def of_function(proof: Proof, name: str | None) -> Proof:
    """Restrict a file's proof to one function.

    A function that was inlined everywhere has no results of its own; it keeps those of the whole
    file. Results without a function name apply to the whole file and are always kept.
    """
    gains = tuple(gain for gain in proof.gains if gain.function == name)
    runs = tuple(e for e in proof.executions if e.function in (name, ""))
    return replace(
        proof, gains=gains or proof.gains, executions=runs or proof.executions
    )


def text(proof: Proof, show: Callable[[str], str]) -> list[str]:
    """The proof of one file as indented lines: executions, checks, gains."""
    lines = [f"{show(proof.file)}:"]
    for execution in proof.executions:
        lines += [f"  {line}" for line in run_lines(execution)]
    lines += [f"  {line}" for check in proof.checks for line in check_lines(check)]
    lines += [f"  {line}".rstrip() for line in table(proof.gains)]
    return lines


def document(proofs: Sequence[Proof]) -> str:
    """All proofs as one JSON object."""
    return json.dumps(
        {"version": VERSION, "proofs": [asdict(proof) for proof in proofs]}, indent=1
    )


def summary(proofs: Sequence[Proof], style: bool = False) -> str:
    """One line with the number of functions per verdict, and of the checks that failed, with ``style`` also of style."""
    executions = [execution for proof in proofs for execution in proof.executions]
    counts = [
        f"{sum(e.verdict == verdict for e in executions)} {verdict}"
        for verdict in WORDS
    ]
    said = f"{count(len(executions), 'function')} compared: {', '.join(counts)}"
    every = [check for proof in proofs for check in proof.failed]
    failed = sum(style or check.name != STYLE for check in every)
    return f"{said}; {count(failed, 'check')} failed" if failed else said


def run_lines(execution: Execution) -> list[str]:
    """The result for one function: target, name and verdict, then indented details."""
    subject = execution.unit
    if execution.function:
        subject = f"{execution.function}() in {execution.unit}"
    line = f"{execution.target}: {subject}: {sentence(execution)}"
    if execution.detail:
        line += f": {execution.detail}"
    lines = [line]
    if execution.verdict == PROVEN and execution.function:
        compared = f"{count(execution.paths, 'path')} compared symbolically"
        lines.append(f"  {compared if execution.paths else 'the same machine code'}")
    lines += [f"  permitted: {reason}" for reason in execution.permitted]
    lines += [f"  assumed: {note}" for note in execution.assumed]
    lines += [f"    {line}" for line in execution.traces]
    return lines


def check_lines(check: Check) -> list[str]:
    """The outcome of one check, then its further lines indented."""
    first, *others = check.detail.split("\n")
    # A figure is no test: a patch may make a call longer for other reasons.
    counted = check.name == BENCH and check.outcome == "passed"
    words = [check.name, "" if counted else check.outcome, first]
    lines = [": ".join(filter(None, words))]
    return [*lines, *(f"  {line}" for line in others)]


# A figure and its column title. All but the size are fields of Count.
INSTRUCTIONS = ("instructions", "instructions")
SWITCHES = ("switches", "opens/closes")
COLUMNS = (INSTRUCTIONS, SWITCHES, ("calls", "calls"), ("fences", "fences"))
LOADS = ("loads", "loads")
SIZE = ("size", "bytes")
ALL = (*COLUMNS, LOADS, SIZE)
SAVED = "cycles saved"
# Words in a line for titles of columns.
LABELS = {"switches": "user access opened or closed:"}
# Functions shown per target; the others are summed in one line.
SHOWN = 12
WIDTH = 75
# Room for names beside the figures; longer ones have a line of their own.
NAME = 20

# Each figure before and after
Figures = Mapping[str, tuple[int, int]]
Column = tuple[str, str]


@dataclass(frozen=True)
class _Row:
    """A row of a table: a function or several, and the cycles saved where they are modelled."""

    name: str
    figures: Figures
    saves: Saves | None


def table(gains: Sequence[Gain]) -> list[str]:
    """Return lines of at most 75 columns: per target its functions, best first, and their sum.

    Counts are for the non-faulting path, bytes for the whole function; functions whose path is unknown
    are listed below.
    """
    lines: list[str] = []
    for target, own in by_target(gains):
        lines += [*([""] if lines else []), *_of_target(target, own)]
    return lines


def by_target(gains: Sequence[Gain]) -> Iterator[tuple[str, list[Gain]]]:
    """The gains of each target."""
    for target in dict.fromkeys(gain.target for gain in gains):
        yield target, [gain for gain in gains if gain.target == target]


def totals(gains: Sequence[Gain]) -> list[str]:
    """Return a line per target: the sums over all functions whose path is known."""
    rows = []
    for target, own in by_target(gains):
        known = _known(own)
        if known:
            name = f"{target}, {count(len(known), 'function')}"
            rows.append(_Row(name, _total(known), total(g.cycles for g in own)))
    return _laid_out("", rows)


def gains_of_patch(gains: Sequence[Gain]) -> list[str]:
    """Return a sentence per target: sums over all functions whose non-faulting path is known."""
    lines = []
    for target, own in by_target(gains):
        known = _known(own)
        sums = _total(known)
        names = ["instructions", "calls", "switches", "fences"]
        names += ["loads"] if any(f["loads"][0] != f["loads"][1] for f in known) else []
        said = [f"{LABELS.get(n, n)} {sums[n][0]} -> {sums[n][1]}" for n in names]
        sizes = sum(g.before.size for g in own), sum(g.after.size for g in own)
        said += [f"bytes {sizes[0]} -> {sizes[1]}"] if sizes[0] != sizes[1] else []
        range_ = total(gain.cycles for gain in own)
        said += [f"{SAVED} {cycles(range_)}"] if range_ else []
        of = f"{guarded(target)}, {count(len(known), 'function')}"
        unknown = len(own) - len(known)
        more = f"; path unknown in {unknown} more" if unknown else ""
        lines.append(f"non-faulting path on {of}: {', '.join(said)}{more}")
    return lines


def is_gain(gains: Sequence[Gain]) -> bool:
    """Whether the sums of a table show a gain on one of its targets.

    Cycles decide where they are modelled. Otherwise instructions count first, with calls, opens and closes, and fences as `hotcocci.saves` weighs
    them, then loads, then bytes.
    """
    for _, own in by_target(gains):
        modelled = total(gain.cycles for gain in own)
        if modelled is not None:
            if modelled.most > 0:
                return True
            continue
        known = _known(own)
        fewer = {what: old - new for what, (old, new) in _total(known).items()}
        expensive = fewer["switches"] + fewer["calls"] + fewer["fences"]
        weighed = fewer["instructions"] + (EXPENSIVE - 1) * expensive
        if (weighed, fewer["loads"], fewer["size"]) > (0, 0, 0):
            return True
    return False


def _of_target(target: str, gains: Sequence[Gain]) -> list[str]:
    ordered = sorted(
        gains, key=lambda g: (-(saved(g.before, g.after) or 0), g.function)
    )
    known = [(g, figures) for g in ordered if (figures := _figures(g)) is not None]
    rows = [_Row(f"{g.function}()", figures, g.saves) for g, figures in known[:SHOWN]]
    rest = known[SHOWN:]
    if rest:
        rows.append(_sum(f"{len(rest)} more", rest))
    if len(known) > 1:
        rows.append(_sum("total", known))
    unknown = [f"{gain.function}()" for gain in ordered if _figures(gain) is None]
    return [
        *_laid_out(target, rows),
        *(f"{target}: not counted: {name}" for name in unknown),
    ]


def _sum(name: str, known: Sequence[tuple[Gain, Figures]]) -> _Row:
    """One row for several functions."""
    figures = _total([figures for _, figures in known])
    return _Row(name, figures, total(gain.cycles for gain, _ in known))


def _columns(rows: Sequence[Figures]) -> list[Column]:
    """Return the columns with a figure; those of loads and bytes if they change."""
    columns = [c for c in COLUMNS if any(n for row in rows for n in row[c[0]])]
    for column in (LOADS, SIZE):
        if any(row[column[0]][0] != row[column[0]][1] for row in rows):
            columns.append(column)
    return columns


def _known(gains: Sequence[Gain]) -> list[Figures]:
    return [figures for gain in gains if (figures := _figures(gain)) is not None]


def _figures(gain: Gain) -> Figures | None:
    """The figures of a function, None if its path is unknown."""
    before, after = gain.before.success, gain.after.success
    if before is None or after is None:
        return None
    counts = {
        what: (int(getattr(before, what)), int(getattr(after, what)))
        for what, _ in ALL
        if what != SIZE[0]
    }
    return {**counts, SIZE[0]: (gain.before.size, gain.after.size)}


def _total(rows: Sequence[Figures]) -> Figures:
    return {
        what: (sum(row[what][0] for row in rows), sum(row[what][1] for row in rows))
        for what, _ in ALL
    }


def _laid_out(head: str, rows: Sequence[_Row]) -> list[str]:
    """Align the columns; those of loads, bytes and cycles get a table of their own if all are too wide."""
    if not rows:
        return []
    columns = _columns([row.figures for row in rows])
    cells = [
        [title, *(_change(*row.figures[what]) for row in rows)]
        for what, title in columns
    ]
    if any(row.saves for row in rows):
        cells.append([SAVED, *(cycles(r.saves) if r.saves else "?" for r in rows)])
    names = [head, *(row.name for row in rows)]
    first = [c for c in cells if c[0] in {title for _, title in COLUMNS}]
    rest = cells[len(first) :]
    fits = _width(cells) + min(max(map(len, names)), NAME) <= WIDTH
    if fits or not (first and rest):
        return _block(names, cells)
    return [*_block(names, first), "", *_block(names, rest)]


def _width(columns: Sequence[Sequence[str]]) -> int:
    return sum(2 + max(map(len, column)) for column in columns)


def _block(names: Sequence[str], columns: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a table; a name that is too long gets a line of its own."""
    room = min(WIDTH - _width(columns), max(map(len, names)))
    widths = [max(map(len, column)) for column in columns]
    cells = list(zip(*columns, strict=True))
    lines = []
    for name, shown in zip(names, cells, strict=True):
        if len(name) > room:
            lines.append(name)
            name = ""
        figures = (
            cell.rjust(width + 2) for cell, width in zip(shown, widths, strict=True)
        )
        lines.append(name.ljust(room) + "".join(figures))
    return lines


def _change(before: int, after: int) -> str:
    return str(before) if before == after else f"{before} -> {after}"
