# SPDX-License-Identifier: GPL-2.0
"""Check the chosen rewrites and keep those that pass."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import zip_longest

from hotcocci.cache import known_answer
from hotcocci.findings import (
    MANUAL,
    REWRITE,
    Check,
    Finding,
    Gain,
    Proof,
    Rewrite,
    Skip,
)
from hotcocci.names import count, lines_named
from hotcocci.pipeline.analysis import options_for
from hotcocci.pipeline.changes import Gated, Rewritten
from hotcocci.pipeline.checks import check_changes, with_extra_targets
from hotcocci.pipeline.examine import decide
from hotcocci.pipeline.fingerprint import state_of_run, status_of
from hotcocci.pipeline.inputs import prepared
from hotcocci.pipeline.measured import (
    Measured,
    costs_more,
    keep,
    measured,
    saves_too_little,
)
from hotcocci.pipeline.paths import scratch_tree
from hotcocci.pipeline.ranking import heats_of
from hotcocci.pipeline.run import running
from hotcocci.pipeline.settings import Settings, chosen_rules
from hotcocci.pipeline.window_reports import window_checks
from hotcocci.records import rebuilt
from hotcocci.rules.offer import NO_GAIN, Refusal, left_alone, refuse
from hotcocci.rules.rulebook import rule
from hotcocci.saves import is_of, loads_saved
from hotcocci.tree.build import Build, BuildError
from hotcocci.tree.kernel import Tree
from hotcocci.tree.targets import usual


def pass_gate(tree: Tree, wanted: Sequence[Rewritten], settings: Settings) -> Gated:
    """Check the changes; if a file fails, check its rewrites one by one."""
    if not wanted:
        return Gated()
    build, why_not = _build(tree, settings)
    gate = _Gate(tree, build, settings)
    several = gate.failing(wanted)
    alone = ([c.only([rewrite]) for rewrite in c.rewrites] for c in several)
    # Each round checks one rewrite per file, so that a proof is for that rewrite.
    for number in zip_longest(*alone):
        gate.failing([change for change in number if change is not None])
    refused = gate.refused
    good = [
        c for c in wanted if c not in several and not refused.keys() & {*c.rewrites}
    ]
    kept: list[Rewritten] = []
    for change in several:
        passing = [r for r in change.rewrites if r not in refused]
        others = {r: refused[r] for r in change.rewrites if r in refused}
        refused |= left_alone(passing, others)
        left = [rewrite for rewrite in passing if rewrite not in refused]
        kept += [change.only(left)] if left else []
    verdicts = gate.verdicts(kept) if kept else {}
    for change in kept:
        verdict = verdicts[change.file]
        if verdict:
            refused |= dict.fromkeys(change.rewrites, verdict)
        else:
            good.append(change)
    keep(tree.root, gate.known, settings)
    proofs = gate.proofs
    unseen = [
        Skip(change.file, _not_compiled(proofs[change.file], why_not))
        for change in good
        if not proofs[change.file].compiled
    ]
    left_out = set() if settings.allow_uncompiled else {skip.file for skip in unseen}
    passed = sorted(
        (change for change in good if change.file not in left_out),
        key=lambda change: change.file,
    )
    return Gated(
        tuple(passed),
        tuple(refuse(rewrite.finding, why) for rewrite, why in refused.items()),
        () if settings.allow_uncompiled else tuple(unseen),
        tuple(unseen) if settings.allow_uncompiled else (),
        tuple(proofs[change.file] for change in passed),
    )


@dataclass
class _Gate:
    """Rounds of checks; the last proof of each file, and what all rounds show of single rewrites."""

    tree: Tree
    build: Build | None
    settings: Settings
    proofs: dict[str, Proof] = field(default_factory=dict)
    refused: dict[Rewrite, Refusal] = field(default_factory=dict)
    known: dict[Rewrite, Measured] = field(default_factory=dict)

    def verdicts(self, wanted: Sequence[Rewritten]) -> dict[str, Refusal | None]:
        """Check the changes; returns by file why it is refused, None if it passes."""
        self.proofs |= _prove(self.tree, wanted, self.build, self.settings)
        return {
            c.file: _against(c, self.proofs[c.file], self.build, self.settings)
            for c in wanted
        }

    def failing(self, wanted: Sequence[Rewritten]) -> list[Rewritten]:
        """Check the changes, and refuse a rewrite that fails alone; returns those of several that fail."""
        verdicts = self.verdicts(wanted)
        several: list[Rewritten] = []
        for change in wanted:
            verdict = verdicts[change.file]
            if verdict and len(change.rewrites) != 1:
                several.append(change)
                continue
            if verdict:
                self.refused[change.rewrites[0]] = verdict
            proof = self.proofs[change.file]
            for each in change.rewrites:
                one = measured(each, change.rewrites, proof, verdict)
                if one:
                    self.known[each] = one
        return several


def _build(tree: Tree, settings: Settings) -> tuple[Build | None, str]:
    """Return a build to compile with, or None and the reason."""
    try:
        return prepared(tree, usual(tree.root), settings), ""
    except BuildError as error:
        return None, str(error)


def _prove(
    tree: Tree, wanted: Sequence[Rewritten], build: Build | None, settings: Settings
) -> dict[str, Proof]:
    """Run all checks of each file; returns proofs by file."""
    own = _again(tree, wanted, settings)
    shapes = window_checks(tree, wanted, settings)
    made = check_changes(tree, wanted, build, settings)
    proofs = with_extra_targets(tree, wanted, made, settings)
    return {
        file: replace(
            proofs[file],
            checks=(
                check,
                *([shapes[file]] if file in shapes else []),
                *proofs[file].checks,
            ),
        )
        for file, check in own.items()
    }


def _again(
    tree: Tree, wanted: Sequence[Rewritten], settings: Settings
) -> dict[str, Check]:
    """Check that each patched file still parses and has no further rewrite by the same rules.

    Another rule may find more: three scalar copies rewritten to get_user() are a run. So may a
    person: a window that was narrowed may also become a scope.
    """
    found: dict[str, list[Finding]] = {change.file: [] for change in wanted}
    files = [
        (rule, own)
        for rule in chosen_rules(settings.rules)
        if (own := [c.file for c in wanted if rule.code in _rules(c)])
    ]
    after = {change.file: change.new for change in wanted}
    with (
        scratch_tree(tree, after) as copy,
        running(copy, settings, headers=tree) as run,
    ):
        hot = heats_of(tree.root, [*after], run.cache, settings, whole=False).hot()
        options = replace(options_for(tree, settings), derived=hot)
        decided, skipped = decide(run, files, options)
    unread = {skip.file: skip.reason for skip in skipped}
    for decision in decided:
        found[decision.file] += decision.findings
    checks: dict[str, Check] = {}
    for change in wanted:
        more = [
            f
            for f in found[change.file]
            if f.verdict == REWRITE and f.tier != MANUAL and not _follows(f, change)
        ]
        possible = sum(change.possible.get(rule, 0) for rule in _rules(change))
        left = possible - sum(r.finding.tier != MANUAL for r in change.rewrites)
        if change.file in unread:
            checks[change.file] = Check("parse", "failed", unread[change.file])
        elif len(more) > left:
            lines = lines_named([finding.line for finding in more])
            detail = f"it would be rewritten again at {lines}"
            checks[change.file] = Check("again", "failed", detail)
        else:
            checks[change.file] = Check("again", "passed")
    return checks


def _follows(finding: Finding, change: Rewritten) -> bool:
    """Whether only other rules have changed a finding's function."""
    here = {
        r.finding.rule
        for r in change.rewrites
        if r.finding.function == finding.function
    }
    return bool(here) and finding.rule not in here


def _rules(change: Rewritten) -> set[str]:
    return {rewrite.finding.rule for rewrite in change.rewrites}


def _against(
    change: Rewritten, proof: Proof, build: Build | None, settings: Settings
) -> Refusal | None:
    """Return the reason to refuse a rewrite, None if it passes."""
    if proof.failed:
        first = proof.failed[0]
        said = first.detail.split("\n")[0]
        return Refusal("failed-proof", f"{first.name} failed: {said}")
    worse = costs_more(proof)
    if worse and not settings.allow_no_gain:
        return worse
    # A compiler may merge the loads on one target and not on another.
    decisive = [g for g in proof.gains if build and g.target == build.target.name]
    idle = [
        gain
        for gain in decisive or proof.gains
        if _to_save_loads(change, gain) and loads_saved(gain.before, gain.after) <= 0
    ]
    if idle and not settings.allow_no_gain:
        said = f"{idle[0].function}() on {idle[0].target}: {_loads(idle[0])}"
        return Refusal(NO_GAIN, f"the rewrite saves no load: {said}")
    # Gains are counted for the targets that have a configuration.
    counted = proof.compiled and build is not None and build.target.config
    if counted and not settings.allow_no_gain:
        unknown = _not_shown(change, proof)
        if unknown is not None:
            return unknown
    if settings.allow_no_gain:
        return None
    return saves_too_little(change.rewrites, proof, settings)


def _not_shown(change: Rewritten, proof: Proof) -> Refusal | None:
    """Refuse a rewrite that must save loads if its function was not compiled."""
    findings = [rewrite.finding for rewrite in change.rewrites]
    seen = {f.rule for f in findings if any(is_of(gain, f) for gain in proof.gains)}
    for finding in findings:
        # The same edit saves loads in another function of the file.
        shown = finding.rule in seen
        if rule(finding.rule).must_save_loads and not shown:
            said = f"{finding.function}() is not compiled in this configuration"
            return Refusal(NO_GAIN, f"cannot tell if the rewrite saves loads: {said}")
    return None


def _to_save_loads(change: Rewritten, gain: Gain) -> bool:
    """Whether all rewrites of a function must save loads."""
    rewrites = change.rewrites
    own = [r for r in rewrites if is_of(gain, r.finding)]
    return all(rule(r.finding.rule).must_save_loads for r in own or rewrites)


def _loads(gain: Gain) -> str:
    counts = [side.success or side.whole for side in (gain.before, gain.after)]
    return f"{count(counts[0].loads, 'load')} before, {counts[1].loads} after"


def _not_compiled(proof: Proof, why_not: str) -> str:
    """Return why a file was not compiled."""
    reasons = [c.detail for c in proof.checks if c.name.startswith("compile")]
    # The last is of the file's own architecture.
    return why_not or next(filter(None, reversed(reasons)), "unknown reason")


def pass_all(tree: Tree, wanted: Sequence[Rewritten], settings: Settings) -> Gated:
    """Check the changes and, with --prove, prove and, with --bench, measure those that pass."""
    if not wanted:
        return Gated()
    if settings.prove:
        return _passed(tree, wanted, settings)
    asked = f"patch {tree.root} {wanted}"
    key = state_of_run(tree, settings, asked, status_of(tree.root))
    with settings.open_cache() as cache:
        known = known_answer(cache, key, partial(rebuilt, Gated))
    if known is not None:
        return known
    gated = _passed(tree, wanted, settings)
    if gated.held or gated.uncompiled:
        # Perhaps the disk was full: that is no property of a change.
        return gated
    with settings.open_cache() as cache:
        cache.remember({key: asdict(gated)})
    return gated


def _passed(tree: Tree, wanted: Sequence[Rewritten], settings: Settings) -> Gated:
    # It imports all that reads machine code.
    from hotcocci.pipeline.proof_gate import checked, own_kernel, pass_bench

    with settings.observer.progress("checking the rewrites"):
        gated = checked(tree, wanted, settings)
    if not settings.bench or not gated.passed:
        return gated
    return pass_bench(own_kernel(tree, settings), tree, gated, settings)
