# SPDX-License-Identifier: GPL-2.0
"""Find violations of the window rules with all engines."""

import re
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path

from hotcocci import baseline
from hotcocci.c.source import Source
from hotcocci.cache import known_answer
from hotcocci.errors import UserError, unreadable
from hotcocci.findings import (
    CLANG_TIDY,
    ENGINES,
    OBJECTS,
    OBJTOOL,
    SMATCH,
    SPATCH,
    Note,
    Report,
    Seen,
    Skip,
    Violation,
    merge,
    violated,
)
from hotcocci.names import lines_named
from hotcocci.pipeline.filtering import UNUSED, Allowance, heeded, read_baseline
from hotcocci.pipeline.fingerprint import state_of_run, status_of
from hotcocci.pipeline.paths import (
    changed_files,
    check_outside,
    edited,
    is_at,
    of_change,
    texts_of,
)
from hotcocci.pipeline.run import Run, running
from hotcocci.pipeline.settings import Settings
from hotcocci.records import rebuilt
from hotcocci.rules.rulebook import ASKED, WINDOW_RULES, rule
from hotcocci.tree.includes import searched
from hotcocci.tree.kernel import Tree
from hotcocci.tree.select import ALLOWANCE, WINDOW, mentioning, mentions
from hotcocci.tree.source import decode, read
from hotcocci.tree.touched import Touched
from hotcocci.windows.helpers import touched_by

# Accesses outside any window, and arguments that are evaluated twice: their function shares them.
_BY_FUNCTION = ("UW11", "UW21")
# A wrong pointer, which a helper may be given.
_BY_POINTER = "UW14"
# What is said of paths, which may not exist
_OF_PATHS = ("UW01", "UW02", "UW10", "UW21")
_WORD = re.compile(r"\w+")
# What files with windows mention, for grep
_WINDOWS = "access_begin|access_end|scoped_user|unsafe_(get|put|copy)"
# "unsafe_put_user()" at the start of a message
_ACCESSOR = re.compile(r"unsafe_\w+\(\) ")


@dataclass(frozen=True)
class Checked:
    """The violations in one tree, and the files that an engine could not check.

    ``violations`` has one report per cause, ``each`` one per line, as a baseline has them. ``texts`` are the
    files with windows, ``gone`` counts the entries of the baseline that no longer occur. ``missed`` are
    the skips of code that spatch did not follow, or without it no engine; ``unread`` those of code that a
    change touches, each with a line of it.
    """

    tree: Tree
    violations: tuple[Violation, ...]
    each: tuple[Violation, ...]
    skipped: tuple[Skip, ...]
    texts: dict[str, str]
    gone: int = 0
    missed: tuple[Skip, ...] = ()
    unread: tuple[Skip, ...] = ()


def check(
    tree: Tree,
    paths: Sequence[Path],
    settings: Settings,
    touched: Mapping[str, Touched] | None = None,
) -> Checked:
    """Check all windows in files at and below the paths; ``touched`` selects changed lines only.

    These are also the lines of functions that use what a change touches: it may be what ends their windows. Raises
    UserError for an unknown rule, a requested engine that is missing, or a baseline that cannot be read.
    """
    rules = checked_rules(settings.rules, settings.hygiene)
    known = read_baseline(tree, paths, rules, settings)
    check_outside(settings.cache_dir, tree)
    failed: list[Skip] = []
    helpers = frozenset[str]()
    if touched is not None:
        below = paths
        paths, failed = changed_files(tree, paths, touched, settings)
        helpers, users = _helpers(tree, paths, touched)
        paths += [tree.root / user for user in users if is_at(tree, user, below)]
    engines = tuple(settings.engines or ENGINES)
    seen = Seen()
    with (
        running(tree, settings) as run,
        settings.observer.progress(f"checking {tree.root.name}"),
    ):
        mentioned, skipped = mentions(tree, paths, run.cache, ASKED)
        texts, missed = _read(tree, mentioning(mentioned, WINDOW))
        skipped += [*failed, *missed]
        if texts:
            seen = reports_on(run, texts, engines)
            skipped += seen.skipped
    wanted = [r for r in seen.reports if r.rule in rules and r.file in texts]
    commented = texts_of(tree, mentioning(mentioned, ALLOWANCE)) | texts
    left, comments = suppress(
        merge(wanted), commented, engines, _failed(skipped, commented)
    )
    violations = [
        *left,
        *(v for v in comments if rules > {v.rule} or not settings.rules),
    ]
    if touched is not None:
        violations = [
            v
            for v in violations
            if _is_touched(v, touched) or _uses(v, commented, helpers)
        ]
    violations.sort(key=lambda v: (v.file, v.line, v.rule))
    gone = 0
    if known is not None:
        violations, gone = baseline.new(violations, known, texts)
    skipped = sorted(set(skipped), key=lambda skip: (skip.file, skip.reason))
    missed = [skip for skip in skipped if _is_missed(skip, engines)]
    return Checked(
        tree,
        tuple(per_cause(violations)),
        tuple(violations),
        tuple(skipped),
        texts,
        gone,
        tuple(missed),
        tuple(of_change(tree, missed, touched or {}, [WINDOW])),
    )


def check_text(tree: Tree, path: Path, text: str, settings: Settings) -> Checked:
    """Return the violations of a file as if it had this text; only spatch checks it."""
    settings = replace(settings, engines=(SPATCH,))
    with edited(tree, path, text, settings.cache_dir) as (there, file):
        checked = check(there, [file], settings)
    return replace(checked, tree=tree)


def _helpers(
    tree: Tree, files: Sequence[Path], touched: Mapping[str, Touched]
) -> tuple[frozenset[str], list[str]]:
    """The macros and static functions that a change touches, and the files with windows that use those of headers."""
    # Why one cannot be read is said where it is checked.
    changed, _ = _read(tree, [str(path.relative_to(tree.root)) for path in files])
    found = {file: touched_by(touched[file], text) for file, text in changed.items()}
    names = {name for file in found if file.endswith(".h") for name in found[file]}
    users = searched(tree.root, ["-lE", _WINDOWS], ("*.c", "*.h")) if names else []
    texts, _ = _read(tree, [user.removeprefix("./") for user in users])
    return frozenset[str]().union(*found.values()), [
        user
        for user, text in texts.items()
        if not names.isdisjoint(_WORD.findall(text))
    ]


def _uses(
    violation: Violation, texts: Mapping[str, str], helpers: frozenset[str]
) -> bool:
    """Whether the function of a violation uses one of these."""
    text = texts[violation.file]
    at = Source("", text).line_starts[violation.line - 1]
    start, end = max(text.rfind("\n{", 0, at), 0), text.find("\n}", at)
    return not helpers.isdisjoint(_WORD.findall(text, start, end))


def _is_touched(violation: Violation, touched: Mapping[str, Touched]) -> bool:
    """Whether a change touches a violation or a line of its notes."""
    change = touched.get(violation.file)
    if change is None:
        return False
    lines = [n.line for n in violation.notes if n.file == violation.file]
    lines.append(violation.line)
    return any(change.touches(line, line) for line in lines) or change.cuts_within(
        min(lines), max(lines)
    )


def _is_missed(skip: Skip, engines: Sequence[str]) -> bool:
    """Whether no engine examined code that was skipped: spatch examines all that it can parse."""
    others = _engines(skip) & {*ENGINES} - {SPATCH}
    return not others or others >= {*engines}


def _engines(skip: Skip) -> set[str]:
    """The engines that a skip's reason starts with."""
    return set(skip.reason.partition(":")[0].split(", "))


def _failed(skipped: Sequence[Skip], texts: Mapping[str, str]) -> dict[str, set[str]]:
    """Return the engines that failed on a file."""
    failed: dict[str, set[str]] = {}
    for skip in skipped:
        for file in texts if skip.file == "." else [skip.file]:
            failed.setdefault(file, set()).update(_engines(skip))
    return failed


def checked_rules(codes: Sequence[str], hygiene: bool) -> frozenset[str]:
    """Return the window rules with these codes; without codes, all that are not only on request.

    Rules of ``hygiene`` are on request unless it is asked for.

    Raises UserError for an unknown code or the code of a rewrite rule.
    """
    if not codes:
        return frozenset(
            r.code
            for r in WINDOW_RULES
            if not r.on_request and (hygiene or not r.hygiene)
        )
    chosen = [rule(code) for code in codes]
    for entry in chosen:
        if entry not in WINDOW_RULES:
            raise UserError(f"{entry.code} is not a window rule: see 'lint --help'")
    return frozenset(entry.code for entry in chosen)


def _read(tree: Tree, files: Sequence[str]) -> tuple[dict[str, str], list[Skip]]:
    texts: dict[str, str] = {}
    skipped = []
    for file in files:
        try:
            texts[file] = decode(read(tree.root / file))
        except OSError as error:
            skipped.append(Skip(file, unreadable(error)))
    return texts, skipped


def per_cause(violations: Sequence[Violation]) -> list[Violation]:
    """Combine the violations of each cause into the first of them, which says where the others are."""
    causes: dict[Hashable, list[Violation]] = {}
    for violation in violations:
        cause = _cause(_in_helper(violation, violations) or violation)
        causes.setdefault(cause, []).append(violation)
    return [_combined(several) for several in causes.values()]


def _in_helper(violation: Violation, all_: Sequence[Violation]) -> Violation | None:
    """The violation of the same window at the call of a helper, if this is the access in it.

    clang-tidy reports the access, and spatch the call that gives the helper a wrong pointer.
    """
    if violation.rule != _BY_POINTER or violation.engines != (CLANG_TIDY,):
        return None
    for other in all_:
        if other.rule == _BY_POINTER and other.engines == (SPATCH,):
            if other.function != violation.function and _opened(other, violation):
                return other
    return None


def _opened(one: Violation, other: Violation) -> bool:
    """Whether two violations are in the same window."""
    places = [[(note.file, note.line) for note in v.notes] for v in (one, other)]
    return bool(places[0]) and places[0] == places[1]


def _cause(violation: Violation) -> Hashable:
    entry = rule(violation.rule)
    if entry.hygiene:
        return entry.code, violation.message
    if violation.notes or violation.rule in _BY_FUNCTION:
        # The notes say where the window was opened.
        window = violation.file, violation.function, violation.notes
        return entry.code, window, _ACCESSOR.sub("", violation.message, count=1)
    return violation


def _combined(several: Sequence[Violation]) -> Violation:
    first, *others = several
    if not others:
        return first
    if rule(first.rule).hygiene:
        more = f"{len(several)} such calls"
    else:
        more = f"also at {lines_named([each.line for each in others])}"
    return replace(
        first,
        message=f"{first.message} ({more})",
        engines=tuple(dict.fromkeys(e for v in several for e in v.engines)),
        also=tuple(Note(v.file, v.line, v.message) for v in others),
        fix=tuple(
            dict.fromkeys(e for v in several if v.file == first.file for e in v.fix)
        ),
    )


def reports_on(run: Run, texts: dict[str, str], engines: Sequence[str]) -> Seen:
    """Return the engines' reports on each file, and what they skipped and why.

    Raises UserError if spatch or a requested engine is missing.
    """
    asked = f"check {run.tree.root} {engines} {sorted(texts)}"
    key = state_of_run(run.tree, run.settings, asked, status_of(run.tree.root))
    said = known_answer(run.cache, key, partial(rebuilt, Seen))
    if said is None:
        said = _said(run, texts, engines)
        # A full disk or a busy machine is no property of a file.
        if all(skip.file == "." for skip in said.skipped):
            run.cache.remember({key: asdict(said)})
    return said


def _said(run: Run, texts: dict[str, str], engines: Sequence[str]) -> Seen:
    # They import all that reads source and machine code.
    from hotcocci.pipeline.unit_engines import engines_there, unit_reports
    from hotcocci.pipeline.window_reports import window_reports

    # Before minutes of other work.
    others, absent = engines_there(run, [e for e in engines if e != SPATCH])
    # What only conditions balance is read in the source, whichever engine is asked.
    reading = any(engine != CLANG_TIDY for engine in engines)
    seen = window_reports(run, texts) if reading else Seen()
    made, missed = unit_reports(run, texts, others) if others else ([], [])
    missed += absent
    machine = dict.fromkeys((OBJTOOL, OBJECTS), seen.conditional)
    reports = certain([*seen.reports, *made], {**machine, SMATCH: seen.helped})
    if SPATCH not in engines:
        return Seen(tuple(r for r in reports if r.engine != SPATCH), tuple(missed))
    return Seen(tuple(reports), (*seen.skipped, *missed))


def certain(
    reports: Sequence[Report], blind: Mapping[str, Collection[tuple[str, str]]]
) -> list[Report]:
    """Leave out what is said of paths by engines alone that are ``blind`` in these functions.

    Machine code does not show that two conditions go the same way, nor does smatch know that the result or an argument
    of a helper tells whether the window is open.
    """

    def is_blind(report: Report) -> bool:
        place = report.file, report.function
        return report.rule in _OF_PATHS and place in blind.get(report.engine, ())

    sure = {(r.rule, r.file, r.function) for r in reports if not is_blind(r)}
    return [
        r for r in reports if not is_blind(r) or (r.rule, r.file, r.function) in sure
    ]


_BY_CODE = {rule.code: rule for rule in WINDOW_RULES if rule.engines}


def suppress(
    violations: Sequence[Violation],
    texts: Mapping[str, str],
    asked: Collection[str],
    failed: Mapping[str, Collection[str]],
) -> tuple[list[Violation], list[Violation]]:
    """The violations that are not allowed, and those for malformed or unused comments.

    ``texts`` are the checked files, ``asked`` the engines that were to run, ``failed`` those that could not, by
    file. A comment is unused only if all engines that cover its rule were asked and at least one of them ran.
    """

    def is_judged(file: str, a: Allowance) -> bool:
        return bool(a.complaint) or _could_be_seen(a.rule, asked, failed.get(file, ()))

    unused = "nothing here violates it"
    left, _, complaints = heeded(violations, texts, True, is_judged, unused)
    return left, [
        violated(UNUSED, file, line, None, message, (SPATCH,))
        for file, line, message in complaints
    ]


def _could_be_seen(code: str, asked: Collection[str], failed: Collection[str]) -> bool:
    rule = _BY_CODE[code]
    promised = set(rule.engines)
    return (
        not (rule.on_request or rule.hygiene)
        and promised <= set(asked)
        and bool(promised - set(failed))
    )
