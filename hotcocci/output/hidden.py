# SPDX-License-Identifier: GPL-2.0
"""Lines on findings that are not shown: allowed, known by a baseline, or not hot enough."""

from __future__ import annotations

from collections.abc import Sequence

from hotcocci.c.allowances import UNUSED
from hotcocci.findings import Finding
from hotcocci.output.text import Show, line
from hotcocci.plural import count
from hotcocci.pipeline.filtering import Filtered
from hotcocci.pipeline.ranking import heat, is_kept
from hotcocci.pipeline.settings import Settings


def filtered_out(filtered: Filtered, whole: bool) -> list[str]:
    """Lines on what was filtered out; ``whole`` is whether nothing else was left out."""
    lines = []
    if filtered.allowed:
        number = count(len(filtered.allowed), "finding")
        lines.append(f"{number} allowed by comments: 'why' tells by which")
    if filtered.known:
        lines.append(f"{count(len(filtered.known), 'finding')} known by the baseline")
    if filtered.gone and whole:
        lines.append(gone(filtered.gone, "finding"))
    return lines


def gone(number: int, what: str) -> str:
    """A line on entries of the baseline that no longer occur; ``what`` is what they are called."""
    return (
        f"{count(number, what)} of the baseline {'is' if number == 1 else 'are'} "
        "gone: write it anew with --write-baseline"
    )


def with_wrong_comments(filtered: Filtered, whole: bool, show: Show = str) -> list[str]:
    """The same after the comments that are wrong or allow nothing, for commands that list no findings."""
    wrong = [line(f, show) for f in filtered.shown if f.rule == UNUSED]
    return [*wrong, *filtered_out(filtered, whole)]


def below_hot(findings: Sequence[Finding], settings: Settings) -> list[str]:
    """A line on the findings that are not hot enough, none if all are."""
    cold = [finding for finding in findings if not is_kept(finding, settings)]
    if not cold:
        return []
    unknown = sum(heat(finding) < 0 for finding in cold)
    return [
        f"{count(len(cold), 'finding')} below {settings.hot:g}% left out, "
        f"{unknown} of them in functions that the profile does not show"
    ]
