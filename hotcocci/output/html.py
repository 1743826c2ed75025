# SPDX-License-Identifier: GPL-2.0
"""Findings as a self-contained HTML page: no network, no other files.

The summary is rendered here. The findings are data that the page's script (templates/report.js)
shows a hundred at a time, so that the page of a whole tree opens fast.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import jinja2

from hotcocci import __version__
from hotcocci.findings import BANDS, REWRITE, Finding, Rewrite, Skip
from hotcocci.output import text
from hotcocci.pipeline.filtering import band_of
from hotcocci.pipeline.ranking import worth_guessed
from hotcocci.rules.entry import Rule
from hotcocci.rules.rulebook import RULES
from hotcocci.saves import typical
from hotcocci.tree.kernel import Tree

_TEMPLATES = jinja2.Environment(
    loader=jinja2.PackageLoader("hotcocci.output"),
    autoescape=jinja2.select_autoescape(),
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


SUBSYSTEMS = 12
"""Subsystems shown before the rest is folded."""
HOTTEST = 10
"""Functions of a profile shown."""
BY_SAMPLES = "by share of samples"
BY_ESTIMATE = "by cycles saved times how often the function runs"


@dataclass(frozen=True)
class About:
    """The origin of a page: the command, the kernel's version, the date; and what is not shown."""

    command: str = ""
    version: str = ""
    date: str = ""
    left: Mapping[str, int] = field(default_factory=dict)


def page(
    tree: Tree,
    findings: Sequence[Finding],
    rewrites: Sequence[Rewrite],
    skipped: Sequence[Skip],
    texts: Mapping[str, str],
    subsystems: Mapping[str, str],
    about: About,
) -> str:
    """Render the page, the best findings first: by samples or, without a profile, by an estimate.

    ``texts`` are the files that ``rewrites`` edit, ``subsystems`` maps each file with a finding to its subsystem.
    """
    found = {finding.rule for finding in findings}
    rules = [rule for rule in RULES if rule.code in found]
    by_finding = {rewrite.finding: rewrite for rewrite in rewrites}
    hot = hottest(findings)
    if not hot:
        findings = sorted(findings, key=lambda f: (band_of(f), -worth_guessed(f)))
    made = _TEMPLATES.get_template("report.html").render(
        title=f"hotcocci: {tree.root.name}",
        version=__version__,
        about=about,
        total=len(findings),
        totals=text.summary(findings, skipped, Counter(about.left)),
        skipped=skipped,
        rules=[(rule, *_counts(rule, findings)) for rule in rules],
        subsystems=_subsystems(findings, subsystems, rules),
        few=SUBSYSTEMS,
        hot=hot[:HOTTEST],
        hotter=len(hot),
        profiled=bool(hot),
        ordered=BY_SAMPLES if hot else BY_ESTIMATE,
        bands=[band for band in BANDS if any(f.band == band for f in findings)],
        tags=sorted({text.tag(finding) for finding in findings}),
        entries=[
            _entry(f, by_finding.get(f), subsystems[f.file], texts) for f in findings
        ],
    )
    # In ASCII no encoding can break it.
    return made.encode("ascii", "xmlcharrefreplace").decode("ascii")


def hottest(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """Functions in the profile, with their share of its samples in percent, hottest first; none without a profile.

    ``bar`` is the share relative to the largest one, ``bound`` whether it is an upper bound.
    """
    places: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        if finding.share is not None or finding.share_at_most is not None:
            key = finding.function or "", finding.file
            places.setdefault(key, []).append(finding)
    ordered = sorted(places.items(), key=lambda p: (-_share(p[1][0]), p[0]))
    most = max((_share(own[0]) for _, own in ordered), default=0.0) or 1.0
    return [
        {
            "function": function,
            "file": file,
            "share": _share(own[0]),
            "bound": own[0].share is None,
            "findings": len(own),
            "bar": 100 * _share(own[0]) / most,
        }
        for (function, file), own in ordered
    ]


def _share(finding: Finding) -> float:
    return finding.share if finding.share is not None else finding.share_at_most or 0.0


def _counts(rule: Rule, findings: Sequence[Finding]) -> tuple[int, int]:
    """Count the findings of a rule, and those with a rewrite."""
    own = [finding for finding in findings if finding.rule == rule.code]
    return len(own), sum(finding.verdict == REWRITE for finding in own)


def _subsystems(
    findings: Sequence[Finding], names: Mapping[str, str], rules: Sequence[Rule]
) -> list[dict[str, Any]]:
    """The number of findings of each subsystem per rule, in total, and with a rewrite."""
    counts = Counter((names[finding.file], finding.rule) for finding in findings)
    totals = Counter(names[finding.file] for finding in findings)
    rewrites = Counter(names[f.file] for f in findings if f.verdict == REWRITE)
    return [
        {
            "name": name,
            "counts": [counts[name, rule.code] for rule in rules],
            "total": total,
            "rewrites": rewrites[name],
        }
        for name, total in sorted(totals.items(), key=lambda t: (-t[1], t[0]))
    ]


def _entry(
    finding: Finding, rewrite: Rewrite | None, subsystem: str, texts: Mapping[str, str]
) -> dict[str, Any]:
    """Return the data of a finding for the page's script, with a diff that ``patch -p1`` takes."""
    patch = text.patch_of(rewrite, texts) if rewrite else ""
    patch = patch[patch.index("\n--- ") + 1 :] if patch else ""
    return {
        "rule": finding.rule,
        "file": finding.file,
        "line": finding.line,
        "function": finding.function or "",
        "message": finding.message,
        "band": finding.band or "",
        "saves": finding.saves and float(typical(finding.saves).removeprefix("~")),
        "per": finding.per or "",
        "tag": text.tag(finding),
        "share": finding.share,
        "atMost": finding.share_at_most,
        "subsystem": subsystem,
        "diff": patch,
        "benched": text.benched(finding),
        "notes": () if rewrite is None else rewrite.notes,
    }
