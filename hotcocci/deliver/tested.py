# SPDX-License-Identifier: GPL-2.0
"""What was tested of a patch and what could not be, in the sentences of a changelog."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from hotcocci.findings import (
    NOT_PROVEN,
    PROVEN,
    SAMPLED,
    Check,
    Execution,
    Proof,
)
from hotcocci.plural import count

COMPILE = "compile"
PASSED = "passed"
SKIPPED = "skipped"
# Checks whose names are those of programs that a reader knows.
PROGRAMS = ("objtool", "sparse", "checkpatch")


def paragraphs(proofs: Sequence[Proof]) -> list[str]:
    """Paragraphs, the last of them on what was not tested."""
    executions = [e for proof in proofs for e in proof.executions]
    told = [_checks(proofs), _ran(executions)]
    not_tested = _missed(proofs)
    if not executions:
        not_tested = [*not_tested, "the code was not run"]
    else:
        not_tested = [*not_tested, "nothing was run on hardware"]
    told.append(f"Not tested: {'; '.join(not_tested)}.")
    return [paragraph for paragraph in told if paragraph]


def _checks(proofs: Sequence[Proof]) -> str:
    """What was compiled, and which programs have nothing to say where they looked."""
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
        verb = "has" if len(done) == 1 else "have"
        names = ["checkpatch.pl" if name == "checkpatch" else name for name in done]
        sentences.append(f"{_listed(names)} {verb} nothing new to say.")
    return " ".join(sentences)


def _ran(executions: Sequence[Execution]) -> str:
    """How many functions were run before and after, and what came out."""
    proven = [e for e in executions if e.verdict == PROVEN]
    sampled = [e for e in executions if e.verdict in SAMPLED]
    return " ".join(each for each in (_proven(proven), _sampled(sampled)) if each)


def _proven(good: Sequence[Execution]) -> str:
    """What was proven for all inputs."""
    if not good:
        return ""
    functions = Counter(e.target for e in good)
    where = _listed([f"{count(n, 'function')} for {t}" for t, n in functions.items()])
    text = (
        f"Object code before and after compared by symbolic execution: {where} did the same for all "
        "inputs"
    )
    allowed = dict.fromkeys(reason for e in good for reason in e.permitted)
    if allowed:
        text += f", except after a fault: {'; '.join(allowed)}"
    return f"{text}."


def _sampled(good: Sequence[Execution]) -> str:
    """What was run on some inputs."""
    if not good:
        return ""
    functions = Counter(e.target for e in good)
    where = _listed([f"{count(n, 'function')} for {t}" for t, n in functions.items()])
    runs, faults = (sum(getattr(e, what) for e in good) for what in ("runs", "faults"))
    text = (
        f"The object code before and after was run on the same inputs in a CPU emulator: {where}, "
        f"{count(runs, 'run')}, {faults} of them with an access that faults. Results, accesses to user memory, "
        "stores and calls are the same"
    )
    allowed = dict.fromkeys(reason for e in good for reason in e.permitted)
    if allowed:
        return f"{text}, except after a fault: {'; '.join(allowed)}."
    return f"{text}."


def _missed(proofs: Sequence[Proof]) -> list[str]:
    """What could not be looked at, file by file."""
    missed = []
    for proof in proofs:
        compiled = {_target(c) for c in proof.checks if c.outcome == PASSED}
        for check in proof.checks:
            # A file that is compiled as a part of others need not compile alone.
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
                missed.append(f"running {what} for {e.target} ({e.detail})")
    return list(dict.fromkeys(missed))


def _target(check: Check) -> str:
    """The target of a compilation, empty for another check."""
    name = check.name.partition(" (")[0]
    return name.removeprefix(COMPILE).strip() if name.startswith(COMPILE) else ""


def _is(check: Check, name: str) -> bool:
    return check.name.partition(" (")[0] == name


def _listed(names: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
