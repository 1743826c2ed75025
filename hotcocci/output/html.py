# SPDX-License-Identifier: GPL-2.0
"""Findings as a self-contained HTML page: no network, no other files.

The summary is rendered here. The findings are data that the page's script (templates/report.js)
shows a hundred at a time, so that the page of a whole tree opens fast.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import jinja2

from hotcocci import __version__
from hotcocci.c.source import apply
from hotcocci.findings import BANDS, REWRITE, Finding, Gain, Proof, Rewrite, Skip
from hotcocci.output import gains, proofs, text
from hotcocci.output.proofs import WORDS, sentence
from hotcocci.pipeline.ranking import worth_guessed
from hotcocci.plural import count
from hotcocci.rewrite import diff
from hotcocci.rules.entry import Rule
from hotcocci.rules.rulebook import RULES
from hotcocci.tree.kernel import Tree
from hotcocci.tree.source import readable

_TEMPLATES = jinja2.Environment(
    loader=jinja2.PackageLoader("hotcocci.output"),
    autoescape=jinja2.select_autoescape(),
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)

# CSS class of a diff line, by its first character
KINDS = {"+": "added", "-": "removed", "@": "hunk"}


def render(template: str, **values: Any) -> str:
    """Render a template, in ASCII so that no encoding can break it."""
    made = _TEMPLATES.get_template(template).render(**values)
    return made.encode("ascii", "xmlcharrefreplace").decode("ascii")


SUBSYSTEMS = 12
"""Subsystems shown before the rest is folded."""
HOTTEST = 10
"""Functions of a profile shown."""
BY_SAMPLES = "by share of samples"
BY_ESTIMATE = "by cycles saved times how often the function runs"


@dataclass(frozen=True)
class About:
    """Where a page comes from: the command, the kernel's version, the date; and what is not shown."""

    command: str = ""
    version: str = ""
    date: str = ""
    left: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Subsystem:
    """A row of the summary: number of findings per rule, in total, and with a rewrite."""

    name: str
    counts: tuple[int, ...]
    total: int
    rewrites: int


@dataclass(frozen=True)
class Hot:
    """A function with findings, and its share of a profile's samples, in percent.

    ``bar`` is the share relative to the largest one, ``bound`` whether it is an upper bound.
    """

    function: str
    file: str
    share: float
    bound: bool
    findings: int
    bar: float


def page(
    tree: Tree,
    findings: Sequence[Finding],
    rewrites: Sequence[Rewrite],
    skipped: Sequence[Skip],
    texts: Mapping[str, str],
    subsystems: Mapping[str, str],
    about: About,
    proven: Mapping[str, Proof] | None = None,
) -> str:
    """Render the page, the best findings first: by samples or, without a profile, by an estimate.

    ``texts`` are the files that ``rewrites`` edit, ``subsystems`` maps each file with a finding to its
    subsystem. ``proven`` has proofs by file for the page of ``prove``.
    """
    found = {finding.rule for finding in findings}
    rules = [rule for rule in RULES if rule.code in found]
    by_finding = {rewrite.finding: rewrite for rewrite in rewrites}
    hot = hottest(findings)
    if not hot:
        findings = sorted(findings, key=lambda f: (_band(f), -worth_guessed(f)))
    made = proven or {}
    runs = Counter(e.verdict for proof in made.values() for e in proof.executions)
    return render(
        "report.html",
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
        proven=proven is not None,
        verdicts=[(proofs.WORDS[v], runs[v]) for v in proofs.WORDS if made],
        words=proofs.WORDS,
        saved=saved([gain for proof in made.values() for gain in proof.gains]),
        entries=[
            _entry(f, by_finding.get(f), subsystems[f.file], texts, made)
            for f in findings
        ],
    )


def hottest(findings: Sequence[Finding]) -> list[Hot]:
    """Return functions in the profile, hottest first; none without a profile."""
    places: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        if finding.share is not None or finding.share_at_most is not None:
            places.setdefault((finding.function or "", finding.file), []).append(
                finding
            )
    ordered = sorted(places.items(), key=lambda p: (-_share(p[1][0]), p[0]))
    most = max((_share(own[0]) for _, own in ordered), default=0.0)
    return [
        Hot(
            function,
            file,
            _share(own[0]),
            own[0].share is None,
            len(own),
            100 * _share(own[0]) / most if most else 0.0,
        )
        for (function, file), own in ordered
    ]


def _band(finding: Finding) -> int:
    return BANDS.index(finding.band) if finding.band else len(BANDS)


def _share(finding: Finding) -> float:
    return finding.share if finding.share is not None else finding.share_at_most or 0.0


def _counts(rule: Rule, findings: Sequence[Finding]) -> tuple[int, int]:
    """Count the findings of a rule, and those with a rewrite."""
    own = [finding for finding in findings if finding.rule == rule.code]
    return len(own), sum(finding.verdict == REWRITE for finding in own)


def _subsystems(
    findings: Sequence[Finding], names: Mapping[str, str], rules: Sequence[Rule]
) -> list[Subsystem]:
    counts = Counter((names[finding.file], finding.rule) for finding in findings)
    totals = Counter(names[finding.file] for finding in findings)
    rewrites = Counter(names[f.file] for f in findings if f.verdict == REWRITE)
    return [
        Subsystem(
            name,
            tuple(counts[name, rule.code] for rule in rules),
            total,
            rewrites[name],
        )
        for name, total in sorted(totals.items(), key=lambda t: (-t[1], t[0]))
    ]


def _entry(
    finding: Finding,
    rewrite: Rewrite | None,
    subsystem: str,
    texts: Mapping[str, str],
    proven: Mapping[str, Proof],
) -> dict[str, Any]:
    """Return the data of a finding for the page's script."""
    proof = None if rewrite is None else proven.get(finding.file)
    return {
        "rule": finding.rule,
        "file": finding.file,
        "line": finding.line,
        "function": finding.function or "",
        "message": finding.message,
        "band": finding.band or "",
        "saves": None if finding.saves is None else round(finding.saves.typical),
        "tag": text.tag(finding),
        "share": finding.share,
        "atMost": finding.share_at_most,
        "subsystem": subsystem,
        "diff": "" if rewrite is None else _diff(rewrite, texts[finding.file]),
        "notes": () if rewrite is None else rewrite.notes,
        "proof": None if proof is None else _proof(proof, finding),
    }


def _proof(proof: Proof, finding: Finding) -> dict[str, Any]:
    """Return the checks of a finding's file, with the gains and executions of its function."""
    own = proofs.of_function(proof, finding.function)
    return {
        "verdict": proofs.worst(own),
        "runs": [readable("\n".join(proofs.run_lines(e))) for e in own.executions],
        "gains": gains.rows(own.gains),
        "checks": [readable("\n".join(proofs.check_lines(c))) for c in own.checks],
    }


def _diff(rewrite: Rewrite, before: str) -> str:
    """Return the diff of one rewrite, which ``patch -p1`` takes."""
    made = diff.unified(rewrite.finding.file, before, apply(before, rewrite.edits))
    return readable(made[made.index("\n--- ") + 1 :]) if made else ""


def proofs_page(tree: Tree, proofs: Sequence[Proof], diffs: Mapping[str, str]) -> str:
    """Return the proofs_page for these proofs; ``diffs`` has the diff of each file."""
    executions = [e for proof in proofs for e in proof.executions]
    verdicts = Counter(execution.verdict for execution in executions)
    return render(
        "proofs.html",
        title=f"hotcocci: proofs, {tree.root.name}",
        version=__version__,
        verdicts=[(WORDS[verdict], verdicts[verdict]) for verdict in WORDS],
        saved=saved([gain for proof in proofs for gain in proof.gains]),
        files=[
            (proof, gains.rows(proof.gains), _hunks(diffs[proof.file]))
            for proof in proofs
        ],
        sentence=sentence,
        outcomes=_outcomes,
    )


def _outcomes(proof: Proof) -> str:
    """One line with the number of functions per verdict, and of failed checks."""
    counts = Counter(execution.verdict for execution in proof.executions)
    verdicts = [f"{counts[v]} {words}" for v, words in WORDS.items() if counts[v]]
    failed = len(proof.failed)
    return ", ".join([*verdicts, *([count(failed, "failed check")] if failed else [])])


def _hunks(diff: str) -> list[tuple[str, str]]:
    """The lines of a diff from its first hunk, each with its CSS class."""
    hunks = diff[diff.find("\n@@ ") + 1 :] if "\n@@ " in diff else ""
    return [
        (KINDS.get(line[:1], ""), line) for line in readable(hunks).split("\n")[:-1]
    ]


@dataclass(frozen=True)
class Saved:
    """Instructions on the non-faulting path for one target, summed over functions with a known path.

    ``unknown`` counts the other functions.
    """

    target: str
    functions: int
    unknown: int
    before: int
    after: int

    @property
    def percent(self) -> float:
        """The change in percent; negative for fewer instructions."""
        return 100 * (self.after - self.before) / self.before if self.before else 0.0

    @property
    def bar(self) -> float:
        """The length of the bar after, in percent of the longer of both."""
        return 100 * self.after / max(self.before, self.after, 1)


def saved(made: Sequence[Gain]) -> list[Saved]:
    """Return the instructions saved per target, in order of appearance."""
    result = []
    for target in dict.fromkeys(gain.target for gain in made):
        own = [gain for gain in made if gain.target == target]
        paths = [(g.before.success, g.after.success) for g in own]
        known = [(b, a) for b, a in paths if b is not None and a is not None]
        before = sum(b.instructions for b, _ in known)
        after = sum(a.instructions for _, a in known)
        result.append(Saved(target, len(known), len(own) - len(known), before, after))
    return result
