# SPDX-License-Identifier: GPL-2.0
"""Print proofs, and what rewrites save: as text or as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace

from hotcocci.findings import (
    BENCH,
    DIFFERENT,
    NOT_PROVEN,
    PROVEN,
    Check,
    Count,
    Execution,
    Gain,
    Proof,
    Saves,
)
from hotcocci.names import aligned, count
from hotcocci.saves import cycles, total
from hotcocci.tree.targets import guarded

VERSION = 2
WORDS = {
    PROVEN: "equivalent for all inputs",
    DIFFERENT: "NOT EQUIVALENT",
    NOT_PROVEN: "not proven",
}
# What is counted of gains, its words in a line, and the titles of columns
COUNTED = ("instructions", "calls", "switches", "fences")
LOADS = "loads"
LABELS = {"switches": "user access opened or closed:"}
OPENS = "opens/closes"
TITLES = {"switches": OPENS}
SAVED = "cycles saved"
UNKNOWN = "?"


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
    lines += [f"  {line}" for line in gains_table(proof.gains)]
    return lines


def document(proofs: Sequence[Proof]) -> str:
    """All proofs as one JSON object."""
    return json.dumps(
        {"version": VERSION, "proofs": [asdict(proof) for proof in proofs]}, indent=1
    )


def summary(executions: Sequence[Execution]) -> str:
    """One line with the number of functions per verdict."""
    counts = [
        f"{sum(e.verdict == verdict for e in executions)} {verdict}"
        for verdict in WORDS
    ]
    return f"{count(len(executions), 'function')} compared: {', '.join(counts)}"


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


def gains_table(gains: Sequence[Gain]) -> list[str]:
    """Return a header and a line per function and target.

    Counts are for the non-faulting path, bytes for the whole function. Opens and
    closes are of user access. "?" marks a function whose path could not be determined.

    There is a column for loads only if the number of loads changes in some function, and one for
    cycles only if they are modelled for some function.
    """
    if not gains:
        return []
    counted = (*COUNTED, LOADS) if any(map(_loads_change, gains)) else COUNTED
    modelled = (SAVED,) if any(gain.saves for gain in gains) else ()
    titles = (TITLES.get(name, name) for name in counted)
    head = ("function", "target", *titles, "bytes", *modelled)
    found = [(*_gain_row(gain, counted), saved(gain.saves)) for gain in gains]
    cells = [head, *(row[: len(head)] for row in found)]
    return aligned(cells)


def gains_summary(gains: Sequence[Gain]) -> list[str]:
    """One line per target: sums over all functions whose non-faulting path is known."""
    lines = []
    for target in dict.fromkeys(gain.target for gain in gains):
        own = [gain for gain in gains if gain.target == target]
        paths = [(g.before.success, g.after.success) for g in own]
        known = [(b, a) for b, a in paths if b is not None and a is not None]
        counted = (*COUNTED, LOADS) if any(map(_loads_change, own)) else COUNTED
        sums = ", ".join(
            f"{LABELS.get(name, name)} {sum(getattr(b, name) for b, _ in known)} -> "
            f"{sum(getattr(a, name) for _, a in known)}"
            for name in counted
        )
        more = f"; path unknown in {len(own) - len(known)} more"
        sizes = sum(g.before.size for g in own), sum(g.after.size for g in own)
        if sizes[0] != sizes[1]:
            sums += f", bytes {sizes[0]} -> {sizes[1]}"
        range_ = total(gain.cycles for gain in own)
        modelled = f", cycles saved {saved(range_)}" if range_ else ""
        lines.append(
            f"non-faulting path on {guarded(target)}, {count(len(known), 'function')}: {sums}{modelled}"
            + (more if len(known) < len(own) else "")
        )
    return lines


def saved(saves: Saves | None) -> str:
    """A range of cycles as text: "12 to 45", "3", or "?"."""
    return UNKNOWN if saves is None else cycles(saves)


def _loads_change(gain: Gain) -> bool:
    before, after = gain.before.success, gain.after.success
    return before is not None and after is not None and before.loads != after.loads


def _gain_row(gain: Gain, counted: Sequence[str]) -> tuple[str, ...]:
    before, after = gain.before.success, gain.after.success
    figures = (_change(_figure(before, name), _figure(after, name)) for name in counted)
    size = _change(str(gain.before.size), str(gain.after.size))
    return (gain.function, gain.target, *figures, size)


def _figure(count: Count | None, name: str) -> str:
    return UNKNOWN if count is None else str(getattr(count, name))


def _change(before: str, after: str) -> str:
    return before if before == after else f"{before} -> {after}"
