# SPDX-License-Identifier: GPL-2.0
"""Proofs: as text for a terminal, as Markdown for a mail or a pull request, as JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace

from hotcocci.findings import (
    DIFFERENT,
    NOT_PROVEN,
    PERMITTED,
    PROVEN,
    SAME,
    Check,
    Execution,
    Proof,
)
from hotcocci.output import gains
from hotcocci.output.text import count

VERSION = 1
WORDS = {
    PROVEN: "does the same for all inputs",
    SAME: "does the same on the inputs that were tried",
    PERMITTED: "does the same on the inputs that were tried, but where an access faults",
    DIFFERENT: "DOES NOT DO THE SAME",
    NOT_PROVEN: "not proven",
}


# The worst first
ORDER = (DIFFERENT, NOT_PROVEN, PERMITTED, SAME, PROVEN)


def of_function(proof: Proof, name: str | None) -> Proof:
    """What a file's proof says of one function.

    A function that was inlined has no code of its own: all that its file's changed code gave
    stands for it. One without a name is a whole file that could not be run.
    """
    gains = tuple(gain for gain in proof.gains if gain.function == name)
    runs = tuple(e for e in proof.executions if e.function in (name, ""))
    return replace(
        proof, gains=gains or proof.gains, executions=runs or proof.executions
    )


def worst(proof: Proof) -> str:
    """The worst of what its runs say; not proven if nothing was run."""
    found = {execution.verdict for execution in proof.executions}
    return next((each for each in ORDER if each in found), NOT_PROVEN)


def text(proof: Proof, show: Callable[[str], str]) -> list[str]:
    """The proof of one file: what was run, what was checked, what it buys."""
    lines = [f"{show(proof.file)}:"]
    for execution in proof.executions:
        lines += [f"  {line}" for line in run_lines(execution)]
    lines += [f"  {line}" for check in proof.checks for line in check_lines(check)]
    lines += [f"  {line}" for line in gains.table(proof.gains)]
    return lines


def markdown(proof: Proof) -> list[str]:
    """The same, as the tables of a mail's or pull request's text."""
    lines = [f"### {proof.file}", ""]
    if proof.executions:
        lines += [
            "| function | target | runs | with faults | branches | verdict |",
            "|---|---|--:|--:|---|---|",
            *(_row(execution) for execution in proof.executions),
            "",
        ]
    for execution in proof.executions:
        if execution.traces:
            lines += ["```", *execution.traces, "```", ""]
    told = gains.rows(proof.gains)
    if told:
        head, *rows = told
        lines += [
            f"| {' | '.join(head)} |",
            "|---|---" + "|--:" * (len(head) - 2) + "|",
        ]
        lines += [f"| {' | '.join(row)} |" for row in rows]
        lines.append("")
    lines += ["| check | outcome |", "|---|---|"]
    for check in proof.checks:
        detail = f": {_cell(check.detail)}" if check.detail else ""
        lines.append(f"| {_cell(check.name)} | {check.outcome}{detail} |")
    return [*lines, ""]


def document(proofs: Sequence[Proof]) -> str:
    """All proofs as one JSON object."""
    return json.dumps(
        {"version": VERSION, "proofs": [asdict(proof) for proof in proofs]}, indent=1
    )


def summary(executions: Sequence[Execution]) -> str:
    """A line: how many functions have which verdict."""
    counts = [
        f"{sum(e.verdict == verdict for e in executions)} {verdict}"
        for verdict in WORDS
    ]
    return f"{count(len(executions), 'function')} run: {', '.join(counts)}"


def run_lines(execution: Execution) -> list[str]:
    """What came of running one function; what belongs to the first line is indented."""
    what = execution.unit
    if execution.function:
        what = f"{execution.function}() in {execution.unit}"
    line = f"{execution.target}: {what}: {WORDS[execution.verdict]}"
    if execution.detail:
        line += f": {execution.detail}"
    lines = [line]
    if execution.runs:
        lines.append(
            f"  {execution.runs} runs, {execution.faults} of them with a fault; "
            f"branches of the changed lines: {branches(execution)}"
        )
    if execution.verdict == PROVEN:
        lines.append(f"  {count(execution.paths, 'path')} compared for all values")
    elif execution.paths:
        lines.append(
            f"  {count(execution.paths, 'path')} to changed accesses, "
            f"each with {count(execution.values, 'set')} of values or more"
        )
    lines += [f"  permitted: {reason}" for reason in execution.permitted]
    lines += [f"  assumed: {what}" for what in execution.assumed]
    lines += [f"    {line}" for line in execution.traces]
    return lines


def check_lines(check: Check) -> list[str]:
    """What one check said."""
    first, *others = check.detail.split("\n")
    lines = [f"{check.name}: {check.outcome}{': ' if first else ''}{first}"]
    return [*lines, *(f"  {line}" for line in others)]


def _row(execution: Execution) -> str:
    verdict = WORDS[execution.verdict]
    told = [execution.detail, *execution.permitted, *execution.assumed]
    verdict = ": ".join([verdict, *("; ".join(t for t in told if t),)]).rstrip(": ")
    cells = (
        execution.function or execution.unit,
        execution.target,
        str(execution.runs),
        str(execution.faults),
        branches(execution),
        _cell(verdict),
    )
    return f"| {' | '.join(cells)} |"


def branches(execution: Execution) -> str:
    """How many ways out of the conditional branches of the changed lines were taken."""
    taken, all_, taken_now, all_now = execution.branches
    return f"{taken} of {all_} before, {taken_now} of {all_now} after"


def _cell(said: str) -> str:
    return said.replace("\n", " ").replace("|", "\\|")
