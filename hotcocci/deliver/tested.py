# SPDX-License-Identifier: GPL-2.0
"""Describe in a commit message how a patch was tested, and what was not tested."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from hotcocci.findings import (
    BENCH,
    NOT_PROVEN,
    PROVEN,
    Check,
    Execution,
    Proof,
)
from hotcocci.plural import count

COMPILE = "compile"
PASSED = "passed"
SKIPPED = "skipped"
# Checks that readers know by name.
PROGRAMS = ("objtool", "sparse", "checkpatch")


def paragraphs(proofs: Sequence[Proof]) -> list[str]:
    """Return paragraphs on testing; the last is on what was not tested."""
    executions = [e for proof in proofs for e in proof.executions]
    tested = [
        verdict(executions),
        _checks(proofs),
        _proven(executions),
        *_benched(proofs),
    ]
    not_tested = _missed(proofs)
    if not executions:
        not_tested = [*not_tested, "running the code"]
    else:
        not_tested = [*not_tested, "running on hardware"]
    tested.append(f"Not tested: {'; '.join(not_tested)}.")
    return [paragraph for paragraph in tested if paragraph]


def verdict(executions: Sequence[Execution]) -> str:
    """Say in one line what comparing before and after gave; empty if nothing was compared."""
    proven = [e for e in executions if e.verdict == PROVEN]
    unproven = [e for e in executions if e.verdict == NOT_PROVEN]
    parts = []
    if proven:
        parts.append(f"proven for all inputs in {count(len(proven), 'function')}")
    if unproven:
        parts.append(f"not proven in {count(len(unproven), 'function')}")
    targets = dict.fromkeys(e.compiled or e.target for e in executions)
    return f"Verdict: {', '.join(parts)} ({', '.join(targets)})." if parts else ""


def _benched(proofs: Sequence[Proof]) -> list[str]:
    """Return what system calls take before and after, and which functions none reaches."""
    details = [c.detail for p in proofs for c in p.checks if c.name == BENCH]
    return [f"{detail}." for detail in dict.fromkeys(details)]


def _checks(proofs: Sequence[Proof]) -> str:
    """Name the targets that were compiled for, and the programs without new warnings."""
    targets = dict.fromkeys(
        target
        for proof in proofs
        for check in proof.checks
        if check.outcome == PASSED and (target := _target(check))
    )
    done = [
        name
        for name in PROGRAMS
        if any(_is(c, name) and c.outcome == PASSED for p in proofs for c in p.checks)
    ]
    sentences = []
    if targets:
        sentences.append(f"Compile-tested for {_listed(list(targets))}.")
    if done:
        sentences.append(f"No new {_listed(done, 'or')} warnings.")
    return " ".join(sentences)


def _proven(executions: Sequence[Execution]) -> str:
    """Say what was proven for all inputs."""
    good = [e for e in executions if e.verdict == PROVEN]
    if not good:
        return ""
    where = _functions(good)
    text = (
        "Object code before and after compared by symbolic execution: equivalent for all inputs in "
        f"{where}"
    )
    allowed = dict.fromkeys(reason for e in good for reason in e.permitted)
    if allowed:
        text += f", except after a fault: {'; '.join(allowed)}"
    return f"{text}."


def _functions(good: Sequence[Execution]) -> str:
    """Count functions by the code that was compared."""
    functions = Counter(map(_code, good))
    return _listed([f"{count(n, 'function')} {code}" for code, n in functions.items()])


def _code(execution: Execution) -> str:
    compiled = execution.compiled
    return f"compiled by {compiled}" if compiled else f"for {execution.target}"


def _missed(proofs: Sequence[Proof]) -> list[str]:
    """List what was skipped or not compared, per file."""
    missed = []
    for proof in proofs:
        compiled = {_target(c) for c in proof.checks if c.outcome == PASSED}
        for check in proof.checks:
            if check.name == BENCH:
                continue
            # A file that others include need not compile alone.
            if check.outcome == SKIPPED and not (
                _target(check) and _target(check) in compiled
            ):
                why = check.detail.partition("\n")[0]
                missed.append(
                    f"{check.name.partition(' (')[0]} of {proof.file} ({why})"
                )
        for e in proof.executions:
            if e.verdict == NOT_PROVEN:
                what = f"{e.function}()" if e.function else e.unit
                missed.append(f"comparing {what} for {e.target} ({e.detail})")
    return list(dict.fromkeys(missed))


def _target(check: Check) -> str:
    """Return the target of a compile check, empty for any other check."""
    name = check.name.partition(" (")[0]
    return name.removeprefix(COMPILE).strip() if name.startswith(COMPILE) else ""


def _is(check: Check, name: str) -> bool:
    return check.name.partition(" (")[0] == name


def _listed(names: Sequence[str], last: str = "and") -> str:
    """``a``, ``a and b``, ``a, b and c``; ``last`` is the word before the last name."""
    parts = [", ".join(names[:-1]), names[-1]] if len(names) > 1 else names
    return f" {last} ".join(parts)
