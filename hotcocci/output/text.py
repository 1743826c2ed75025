# SPDX-License-Identifier: GPL-2.0
"""Findings as lines of text, in the style of compilers."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from hotcocci.names import printable, quoted
from hotcocci.plural import count
from hotcocci.findings import BENCH, MANUAL, REWRITE, WORTH, Finding, Proof, Skip
from hotcocci.rules.offer import ONE_COPY
from hotcocci.rules.rulebook import REASONS
from hotcocci.saves import typical
from hotcocci.windows.merge import Violation

Show = Callable[[str], str]

_REMARK = re.compile(r" \((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)(?=;|$)")
# The columns of a finding's line in its tree, and the fewest of its message.
COLUMNS = 160
SHORTEST = 60


def shown_from(root: Path, folder: Path) -> Show:
    """Return a function that writes a tree file's path relative to a directory, absolute if outside it.

    Names with control characters are quoted.
    """

    def show(file: str) -> str:
        path = root / file
        return quoted(
            os.path.relpath(path, folder) if path.is_relative_to(folder) else str(path)
        )

    return show


def line(finding: Finding, show: Show = str, profiled: bool = False) -> str:
    """Format a finding as ``file:line: CODE message [verdict/tier or reason]``.

    A rewrite begins with its typical savings, and its band is given unless it is worth it. With a
    profile, the share of its function is added.
    """
    detail = tag(finding)
    if finding.band not in (None, WORTH):
        detail = f"{detail}, {finding.band}"
    if profiled:
        detail = f"{detail}, {share(finding)}"
    start = f":{finding.line}: {finding.rule} {gain(finding)}"
    # The same wherever one is.
    room = COLUMNS - len(finding.file) - len(start) - len(detail) - len(" []")
    said = printable(finding.message)
    if finding.tier != MANUAL and finding.reason != ONE_COPY:
        # What a reader has to decide or to write is said in full.
        said = shortened(said, room)
    return f"{show(finding.file)}{start}{said} [{detail}]"


def shortened(said: str, room: int) -> str:
    """A message in so many columns, at least sixty; `why` has all of it.

    First its remarks in parentheses are left out.
    """
    if len(said) > max(room, SHORTEST):
        said = _REMARK.sub(" (…)", said)
    if len(said) <= max(room, SHORTEST):
        return said
    return said[: max(room, SHORTEST) - 2].rpartition(" ")[0].rstrip(",;:(") + " …"


def gain(finding: Finding) -> str:
    """What a rewrite typically saves, as the start of a sentence; empty if that is nothing or unknown."""
    if finding.verdict != REWRITE or not finding.saves or finding.saves.typical <= 0:
        return ""
    per = f" {finding.per}" if finding.per else ""
    return f"saves {typical(finding.saves)} cycles{per}: "


def tag(finding: Finding) -> str:
    """Return the verdict of a finding with its tier or its reason."""
    detail = finding.tier if finding.verdict == REWRITE else finding.reason
    return f"{finding.verdict}/{detail}"


def share(finding: Finding) -> str:
    """Return the share of samples of a finding's function."""
    if finding.share is not None:
        return f"{finding.share:.2f}% of samples"
    if finding.share_at_most is not None:
        return f"at most {finding.share_at_most:.2f}% of samples"
    return "not in the profile"


def refusal(reason: str, message: str) -> str:
    """Say why a finding is not rewritten; the meaning only if its message does not already have it."""
    meaning = REASONS.get(reason, "")
    if meaning.rstrip(".").lower() in message.lower():
        return f"Not rewritten: {reason}."
    return f"Not rewritten: {reason}. {meaning}"


def violation(found: Violation, show: Show = str) -> list[str]:
    """Format a violation as ``file:line: CODE message [engines]``, and its notes on a line each."""
    engines = ", ".join(found.engines)
    notes = [f"{show(n.file)}:{n.line}: note: {n.message}" for n in found.notes]
    said = f"{show(found.file)}:{found.line}: {found.rule} {found.message} [{engines}]"
    return [*map(printable, (said, *notes))]


def skipped_line(skip: Skip, show: Show = str) -> str:
    """Format a skipped file."""
    return printable(f"{show(skip.file)}: skipped: {skip.reason}")


def unread(skips: Sequence[Skip], root: Path) -> list[str]:
    """Return ``file:line: reason`` of changed code in a tree that was not read."""
    show = shown_from(root, Path.cwd())
    return [
        f"{show(s.file)}{''.join(f':{line}' for line in s.lines)}: {s.reason}"
        for s in skips
    ]


def summary(
    findings: Sequence[Finding], skipped: Sequence[Skip], left: Counter[str]
) -> str:
    """Return the totals as a line; ``left`` counts what is not shown, by the reason."""
    said = count(len(findings), "finding")
    bands = Counter(finding.band for finding in findings)
    if bands[WORTH] and len(bands) > 1:
        said += f", {bands[WORTH]} worth it"
    missed = len({skip.file for skip in skipped})
    if missed:
        said += f"; {count(missed, 'file')} skipped"
    if left:
        why = (f"{number:,} {reason}" for reason, number in sorted(left.items()))
        said += f"; not shown: {', '.join(why)}"
    return said


def checks(proofs: Sequence[Proof]) -> list[str]:
    """Return lines on how many checks passed, what system calls take, and each that was skipped, with the reason."""
    passed = 0
    missed: dict[str, Counter[str]] = {}
    counted: dict[str, None] = {}
    for check in (check for proof in proofs for check in proof.checks):
        if check.name == BENCH:
            counted[check.detail] = None
            continue
        # "sparse (sound/core/pcm_native.c)" is sparse on a file that includes the changed one.
        name = check.name.partition(" (")[0]
        if check.outcome == "skipped":
            why = check.detail.partition("\n")[0]
            missed.setdefault(name, Counter())[why] += 1
        else:
            passed += check.outcome == "passed"
    lines = [f"{count(passed, 'check')} passed"] if passed else []
    lines += counted
    for name, reasons in missed.items():
        (why, _), *others = reasons.most_common()
        more = f" (and {count(len(others), 'other reason')})" if others else ""
        lines.append(f"check skipped: {name} {reasons.total()}: {why}{more}")
    return lines
