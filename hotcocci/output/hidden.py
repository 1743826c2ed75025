# SPDX-License-Identifier: GPL-2.0
"""Report how many findings are hidden: suppressed, in the baseline, or not hot enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from hotcocci.pipeline.allowances import UNUSED
from hotcocci.findings import Finding
from hotcocci.output.text import Show, line
from hotcocci.plural import count
from hotcocci.pipeline.filtering import Filtered
from hotcocci.pipeline.ranking import heat, is_kept
from hotcocci.pipeline.settings import Settings
from hotcocci.rules.offer import ONE_COPY, SMALL_GAIN


def filtered_out(filtered: Filtered, whole: bool) -> list[str]:
    """Return lines on filtered findings; ``whole`` is whether the whole of the paths was analysed."""
    lines = []
    if filtered.allowed:
        number = count(len(filtered.allowed), "finding")
        lines.append(f"{number} suppressed by comments: 'why' shows which")
    if filtered.known:
        lines.append(f"{count(len(filtered.known), 'finding')} in the baseline")
    if filtered.gone and whole:
        lines.append(gone(filtered.gone, "finding"))
    return lines


def gone(number: int, what: str) -> str:
    """Return a line on stale entries of the baseline; ``what`` is the noun to count."""
    return (
        f"{count(number, what)} in the baseline no longer "
        f"{'occurs' if number == 1 else 'occur'}: update it with --write-baseline"
    )


def with_wrong_comments(filtered: Filtered, whole: bool, show: Show = str) -> list[str]:
    """Return invalid and unused "allow" comments, then ``filtered_out()``, for commands that list no findings."""
    wrong = [line(f, show) for f in filtered.shown if f.rule == UNUSED]
    return [*wrong, *filtered_out(filtered, whole)]


def not_offered(findings: Sequence[Finding]) -> list[str]:
    """Return lines on rewrites that save too little for how seldom they run, and where one copy is simpler."""
    reasons = Counter(finding.reason for finding in findings)
    lines = []
    if small := reasons[SMALL_GAIN]:
        said = "too few cycles saved for how seldom the code runs (--show cold)"
        lines.append(f"{count(small, 'rewrite')} not offered: {said}")
    if copies := reasons[ONE_COPY]:
        said = "one copy is simpler ('lint' has it; --show cold writes windows)"
        lines.append(f"{count(copies, 'window')} not offered in new code: {said}")
    return lines


def below_hot(findings: Sequence[Finding], settings: Settings) -> list[str]:
    """Return a line on findings below --hot, if there are any."""
    cold = [finding for finding in findings if not is_kept(finding, settings)]
    if not cold:
        return []
    unknown = sum(heat(finding) < 0 for finding in cold)
    return [
        f"{count(len(cold), 'finding')} below {settings.hot:g}% omitted, "
        f"{unknown} of them in functions that are not in the profile"
    ]


def not_sampled(number: int) -> list[str]:
    """Return a line on findings that are not in the profile, if there are any."""
    if not number:
        return []
    what = f"{count(number, 'finding')} in functions that are not in the profile"
    return [f"{what} omitted: --all lists {'it' if number == 1 else 'them'}"]
