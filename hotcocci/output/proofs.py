# SPDX-License-Identifier: GPL-2.0
"""Print proofs: as text or as JSON."""

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
    Execution,
    Proof,
)
from hotcocci.names import count
from hotcocci.output.gains import table

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
