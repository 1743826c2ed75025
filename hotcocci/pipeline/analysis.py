# SPDX-License-Identifier: GPL-2.0
"""From paths to findings and rewrites."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from hotcocci.errors import UserError
from hotcocci.findings import REWRITE, Finding, Rewrite, Skip
from hotcocci.heat.heats import with_changed
from hotcocci.names import lines_named
from hotcocci.pipeline.filtering import (
    Filtered,
    band_of,
    filter_findings,
    read_baseline,
)
from hotcocci.pipeline.fingerprint import remember_contents, state_of_run, status_of
from hotcocci.pipeline.known import Decision, Known, Memory, recall_all, remember_all
from hotcocci.pipeline.measured import Benched, Measured, recall
from hotcocci.pipeline.paths import (
    changed_files,
    check_outside,
    edited,
    inside,
    is_at,
    name,
    of_change,
    overlaid,
    texts_of,
)
from hotcocci.pipeline.ranking import (
    UNKNOWN,
    check_names,
    heat,
    heated,
    heats_of,
    hot_functions,
    profile_of,
    rated,
)
from hotcocci.pipeline.run import Run, running
from hotcocci.pipeline.settings import Settings, chosen_rules
from hotcocci.pool import Failure, spread
from hotcocci.rewrite.options import Options, options_of
from hotcocci.rules.entry import LOADS, Rule
from hotcocci.rules.offer import judged, left_alone, refuse, resolve_overlaps
from hotcocci.rules.rulebook import ASKED, MENTIONS
from hotcocci.tree.kernel import Tree
from hotcocci.tree.select import (
    ALLOWANCE,
    SUFFIXES,
    Mentions,
    mentioning,
    mentions,
    printable_name,
)
from hotcocci.tree.touched import Touched
from hotcocci.tree.touched import edited as lines_of

if TYPE_CHECKING:
    from hotcocci.tree.incoming import Patch


@dataclass(frozen=True)
class Analysis:
    """The findings in one tree and their rewrites, ordered by profile samples, then by file and line.

    ``rewrites`` belong to the findings whose verdict is rewrite; ``texts`` has the text of each file
    with a rewrite, which its edits apply to, and of the others that they need changed. ``unseen`` has, by file, the lines of accesses that
    spatch did not see, which are also in ``skipped``. ``possible`` are the rewrites of all findings,
    including those that ``filtered`` left out. ``sources`` are the texts of all files that may have
    findings. ``unread`` is what was skipped of the code that a change touches, each with a line of it.
    """

    tree: Tree
    findings: tuple[Finding, ...]
    rewrites: tuple[Rewrite, ...]
    skipped: tuple[Skip, ...]
    texts: dict[str, str]
    unseen: dict[str, tuple[int, ...]]
    possible: tuple[Rewrite, ...]
    filtered: Filtered
    sources: dict[str, str]
    unread: tuple[Skip, ...] = ()


def analyse(
    tree: Tree,
    paths: Sequence[Path],
    settings: Settings,
    touched: Mapping[str, Touched] | None = None,
    around: Tree | None = None,
    written: Mapping[str, Touched] | None = None,
) -> Analysis:
    """Run the rules on files at and below the paths.

    With ``touched``, only findings in lines that a change touches are shown. ``around`` is the whole
    tree if ``tree`` is an overlay, ``written`` what is new in files all of which is shown. Raises UserError
    for settings that do not fit the tree or each other.
    """
    rules = [each for each in chosen_rules(settings.rules) if _may_list(each, settings)]
    known = read_baseline(tree, paths, [rule.code for rule in rules], settings)
    failed: list[Skip] = []
    if touched is not None or written:
        # New code costs nothing to change: look at cold functions, too.
        settings = replace(settings, cold=True)
    if touched is not None:
        paths, failed = changed_files(tree, paths, touched, settings)
    options = options_for(tree, settings)
    check_outside(settings.cache_dir, tree)
    profile = profile_of(settings)
    with (
        running(tree, settings, around) as run,
        settings.observer.progress(f"reading {tree.root.name}"),
    ):
        seen = _seen(run, paths, rules, options, touched is not None, bool(written))
        made, skipped = seen.made, [*seen.skipped, *failed]
        if profile is not None:
            check_names(profile, run.around, (decision.text for decision in made))
            made = [rated(decision, profile) for decision in made]
        found = [rewrite for decision in made for rewrite in decision.rewrites]
        compiled = recall(run, found, Measured)
        benched = recall(run, found, Benched)
    made = [
        _offered(decision, settings, touched or written, compiled, benched)
        for decision in made
    ]
    rewrites = sorted(
        (rewrite for decision in made for rewrite in decision.rewrites),
        key=lambda rewrite: _order(rewrite.finding),
    )
    missed = {skip.file for skip in skipped} | {d.file for d in made if d.unseen}
    filtered = filter_findings(
        made,
        seen.commented,
        {rule.code: seen.files - missed for rule in rules},
        seen.if_hot,
        touched,
        known,
    )
    shown = set(filtered.shown)
    made_at_once, overlapping = resolve_overlaps(
        [r for r in rewrites if r.finding in shown]
    )
    findings = [overlapping.get(finding, finding) for finding in filtered.shown]
    unseen = {decision.file: decision.unseen for decision in made if decision.unseen}
    skipped += [_missed(file, lines) for file, lines in unseen.items()]
    skipped = sorted(set(skipped), key=lambda skip: (skip.file, skip.reason))
    return Analysis(
        tree,
        tuple(sorted(findings, key=lambda found: (band_of(found), _order(found)))),
        made_at_once,
        tuple(skipped),
        {decision.file: decision.text for decision in made if decision.rewrites}
        | texts_of(tree, sorted({a.file for r in rewrites for a in r.additions})),
        unseen,
        tuple(rewrites),
        filtered,
        seen.commented | {decision.file: decision.text for decision in made},
        tuple(of_change(tree, skipped, touched or {}, MENTIONS)),
    )


def analyse_patched(
    tree: Tree, paths: Sequence[Path], patches: Sequence[Patch], settings: Settings
) -> Analysis:
    """Return the findings in lines that patches add or change, at and below the paths.

    The patches are applied in an overlay, not to the tree, which may also have them already. Line
    numbers are those with all patches applied. Raises UserError if one does not apply.
    """
    # Most runs have no patch.
    from hotcocci.tree.incoming import applied_or_present, left_out

    check_outside(settings.cache_dir, tree)
    made = applied_or_present(tree.root, patches)
    if made.touched:
        with overlaid(tree, made.texts) as patched:
            wanted = [inside(patched, tree, path) for path in paths]
            analysis = analyse(patched, wanted, settings, made.touched, tree)
    else:
        analysis = analyse(tree, paths, settings, {})
    unread = [
        Skip(printable_name(file), why)
        for file, why in left_out(patches, SUFFIXES).items()
        if is_at(tree, file, paths)
    ]
    return replace(
        analysis,
        tree=tree,
        skipped=(*analysis.skipped, *unread),
        unread=(*analysis.unread, *unread),
    )


def analyse_text(tree: Tree, path: Path, text: str, settings: Settings) -> Analysis:
    """Return the findings of a file as if it had this text; what is new in it is judged as new code."""
    file = name(tree, path)
    change = lines_of(tree.root, file, text)
    written = {file: change} if change.written else None
    with edited(tree, path, text, settings.cache_dir) as (there, place):
        analysis = analyse(there, [place], settings, around=tree, written=written)
    return replace(analysis, tree=tree)


@dataclass
class _Seen:
    """The results of the rules on the files; ``commented`` are the texts of those with allowances.

    ``files`` and ``if_hot`` judge the comments, and are empty if there are none.
    """

    made: list[Decision]
    skipped: list[Skip]
    commented: dict[str, str] = field(default_factory=dict)
    files: frozenset[str] = frozenset()
    if_hot: frozenset[tuple[str, str, int]] = frozenset()


def _seen(
    run: Run,
    paths: Sequence[Path],
    rules: Sequence[Rule],
    options: Options,
    changes: bool,
    edits: bool,
) -> _Seen:
    """Run the rules, or recall what they made of a whole tree in which nothing has changed.

    ``changes`` is whether a change touches all of the paths, ``edits`` whether they are being edited.
    """
    tree, settings = run.tree, run.settings
    whole = tree.root in (path.resolve() for path in paths)
    if whole:
        at_first = status_of(tree.root)
        key = state_of_run(tree, settings, "lint", at_first)
        known = recall_all(run, key)
        if known is not None:
            return _Seen(*known)
    with settings.observer.progress(f"listing the files of {tree.root.name}"):
        mentioned, skipped = mentions(tree, paths, run.cache, ASKED)
    files = _of_rules(mentioned)
    known_heats = heats_of(run.around.root, files, run.cache, settings, whole)
    if known_heats is UNKNOWN and options.hot is None and not settings.churn:
        settings.observer.remark(
            "how often the code runs is not known yet, so what pays in hot code only is left out: "
            f"run `lint {run.around.root}` once"
        )
    # Not for a text that is being edited where nothing is known: the reader may have to be compiled first.
    if changes or (edits and known_heats is not UNKNOWN):
        new = with_changed(known_heats, tree.root, files)
        # What an edit does not add is called as it was.
        known_heats = new if changes else replace(new, read=known_heats.read)
    options = replace(options, derived=known_heats.hot())
    made, missed = _decided(run, rules, mentioned, options)
    each = partial(heated, known=known_heats)
    ranked = spread(each, made, 1, len(made), seconds=settings.timeout)
    skipped += missed
    made = []
    for decision, one in ranked:
        if isinstance(one, Failure):
            skipped.append(Skip(decision.file, one.why))
        else:
            made.append(one)
    commented = texts_of(tree, mentioning(mentioned, ALLOWANCE))
    if commented:
        from hotcocci.pipeline import examine

        if_hot = examine.if_hot(run, rules, commented, options)
        return _Seen(made, skipped, commented, frozenset(mentioned), if_hot)
    if whole:
        remember_all(run, key, made, skipped)
        remember_contents(at_first, run.cache)
    return _Seen(made, skipped)


def _of_rules(mentioned: Mapping[str, Mentions]) -> list[str]:
    """The files that mention what any rule looks at."""
    return sorted(f for f, found in mentioned.items() if not found.isdisjoint(MENTIONS))


def _decided(
    run: Run, rules: Sequence[Rule], mentioned: Mapping[str, Mentions], options: Options
) -> tuple[list[Decision], list[Skip]]:
    """Return the rules' decisions on files that mention what they are about, and the files skipped."""
    memory = Memory(run, rules, options)
    # Decisions under a profile are not remembered.
    profiled = options.hot is not None
    files = _of_rules(mentioned)
    known = Known(unknown=[*mentioned]) if profiled else memory.recall(files)
    if not known.unknown:
        return known.decisions, known.skipped
    # It imports all rules.
    from hotcocci.pipeline import examine

    left = {file: mentioned[file] for file in known.unknown}
    work = [(each, mentioning(left, each.mention)) for each in rules if each.mention]
    made, skipped = examine.decide(run, work, options)
    if not profiled:
        memory.remember(known.unknown, examine.needs_of(made), made, skipped)
    return [*known.decisions, *made], [*known.skipped, *skipped]


def _may_list(rule: Rule, settings: Settings) -> bool:
    """Whether a rule may have findings to list: those on loads are cold unless a profile has the function."""
    asked = settings.rules or settings.cold or settings.churn
    return bool(asked) or settings.profile is not None or rule.family != LOADS


def _missed(file: str, lines: Sequence[int]) -> Skip:
    """Return a skip for lines of a file that spatch did not see."""
    why = f"{lines_named(lines)}: spatch could not parse the surrounding code"
    return Skip(file, why, tuple(lines))


def options_for(tree: Tree, settings: Settings) -> Options:
    """Return what decisions depend on: the tree's features and the settings.

    Raises UserError if the tree does not have the API asked for.
    """
    has = {"scoped": tree.features.scoped, "masked": tree.features.masked}
    if not has.get(settings.api, True):
        raise UserError(
            f"{tree.root} has no {settings.api} windows: omit --api, or use another one"
        )
    options = options_of(
        tree.root,
        tree.features,
        settings.api,
        settings.min_run,
        hot_functions(settings),
    )
    return replace(options, cold=settings.cold)


def _order(finding: Finding) -> tuple[float, str, int, str]:
    return -heat(finding), finding.file, finding.line, finding.rule


def _offered(
    decision: Decision,
    settings: Settings,
    touched: Mapping[str, Touched] | None,
    compiled: Mapping[Rewrite, Measured],
    benched: Mapping[Rewrite, Benched],
) -> Decision:
    """Return a decision with rewrites in their bands, and reports instead of those that are not offered.

    The rewrites of these are kept, with the findings that they had.
    """
    known = {r.finding: compiled[r] for r in decision.rewrites if r in compiled}
    ran = {r.finding: benched[r] for r in decision.rewrites if r in benched}
    rated = {f: _counted(f, known.get(f), ran.get(f)) for f in decision.findings}
    change = (touched or {}).get(decision.file)
    offered = judged([*rated.values()], settings.churn, settings.allow_no_gain, change)
    now = {f: offered.get(rated[f], rated[f]) for f in rated}
    kept = {
        f: replace(rewrite, finding=now[f])
        for rewrite in decision.rewrites
        for f in [rewrite.finding]
        if now[f].verdict == REWRITE
    }
    refused = {
        rewrite: why
        for f, rewrite in kept.items()
        for why in [known[f].refusal if f in known else None]
        if why
    }
    passing = [rewrite for rewrite in kept.values() if rewrite not in refused]
    refused |= left_alone(passing, refused)
    now |= {
        f: refuse(now[f], refused[rewrite])
        for f, rewrite in kept.items()
        if rewrite in refused
    }
    rewrites = tuple(
        kept[r.finding] if now[r.finding].verdict == REWRITE else r
        for r in decision.rewrites
    )
    findings = tuple(now[f] for f in decision.findings)
    return replace(decision, findings=findings, rewrites=rewrites)


def _counted(finding: Finding, known: Measured | None, ran: Benched | None) -> Finding:
    """A finding with what a booted kernel and the cycles of its compiled code say, if they are known."""
    if ran is not None:
        finding = replace(finding, benched=ran.sentences)
    if known is None or known.saves is None:
        return finding
    dearer = finding.saves.dearer if finding.saves else ()
    return replace(finding, saves=replace(known.saves, dearer=dearer), counted=True)
