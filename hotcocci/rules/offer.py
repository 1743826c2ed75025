# SPDX-License-Identifier: GPL-2.0
"""Decide which rewrites are worth a maintainer's time: by what they save, how often they run, and what else changes the lines.

Every command, the hooks, editors and the scripts of coccicheck decide here; docs/cycles.md has the
rule. A rewrite that saves nothing is a report with its reason.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from hotcocci.findings import (
    BANDS,
    COLD,
    NEW,
    PERHAPS,
    READ,
    REPORT,
    REWRITE,
    SAFE,
    TIERS,
    WORTH,
    Finding,
    Rewrite,
    Saves,
)
from hotcocci.heat.heats import HOT, UNKNOWN, work
from hotcocci.names import count
from hotcocci.rules.entry import LOADS, for_any_program
from hotcocci.rules.rulebook import rule
from hotcocci.saves import cycles, typical
from hotcocci.tree.touched import Touched

# Cycles that a rewrite must save, times how often its function runs for each operation that busy programs repeat:
# ten cycles in a function that runs for each of them, or five hundred where it runs for one of a hundred.
WORTH_IT = 5.0
PERHAPS_WORTH_IT = WORTH_IT / 4
# The same for each line that it adds, where it is known how often the function runs: reviewers read these for ever.
LINE = 1.0
# The part of an operation below which nobody can measure a gain in it: runs of one benchmark differ by more.
MEASURABLE = 0.01
# Cycles below which a gain is not felt in any code, and those that a figure may be wrong by.
FELT = 4.0
CERTAIN = 20.0
# The part of an estimate that compiled code is nearly sure to save: kvm_htab_write() of 7.2 saves 63 cycles of 86.
ESTIMATED = 2 / 3
# The part of a gain that some processor may lose where it is not felt beside what others gain: 6.1's arm64
# has no windows, and checks the range once more.
LOST = 0.1
# How often code runs, at least, in which it is not needed to know what a rewrite saves.
HOT_UNRATED = 0.5
# How often a function that a profile has runs, at least.
SAMPLED = 1.0

# Nobody waits for these: samples/, tools/testing/selftests/, drivers/firmware/efi/test/.
TESTS = frozenset({"samples", "selftests", "test", "tests"})

# A scope has one form on all processors, where older windows have two and an end for each exit: some
# want that for no cycles.
SIMPLER = frozenset({"UA103"})

NO_GAIN = "no-gain"
ONE_COPY = "one-copy"
SMALL_GAIN = "small-gain"
MACRO_BODY = "macro-body"
OWN_MACRO = "own-macro"


@dataclass(frozen=True)
class Refusal:
    """Why a rewrite is not offered: a reason from the rulebook, and a message."""

    reason: str
    message: str


def refused(finding: Finding, saves: Saves | None) -> Refusal | None:
    """Why a rewrite that saves these cycles is not offered at all; None if it may be."""
    if saves is None:
        return None
    if saves.most < 0 or saves.most == 0 and finding.rule not in SIMPLER:
        return Refusal(NO_GAIN, "saves no cycles on any processor")
    if saves.dearer:
        said = f"costs cycles on every processor of {', '.join(saves.dearer)}"
        return Refusal(NO_GAIN, said)
    return None


def too_cold(finding: Finding, saves: Saves | None) -> Refusal | None:
    """The refusal of a rewrite that saves these cycles and is in the band COLD for it; None in another band."""
    heat = heat_of(finding)
    if _is_of_test(finding):
        said = "it is in a sample or a test"
    elif _is_of_loads(finding):
        said = "no profile has the function, and the compiler may save the loads itself"
    elif saves is None and heat >= HOT_UNRATED:
        return None
    elif saves is None:
        said = "what it saves is not known, and it runs seldom"
    elif heat == 0:
        said = f"saves {typical(saves)} cycles where nothing is known to call it"
    elif _may_lose(finding, saves) and not _is_unsure(saves):
        said = f"saves few cycles, and costs some processors: {cycles(saves)} cycles"
    elif _is_unsure(saves):
        said = f"may cost as much as it saves: {cycles(saves)} cycles"
    elif saves.typical < 1:
        said = "saves less than a cycle"
    elif saves.typical < FELT:
        said = f"saves only {typical(saves)} cycles"
    elif not _is_measurable(finding, saves):
        said = f"saves {typical(saves)} cycles of the ~{work(finding.per):,.0f} {finding.per}"
    elif _is_long(finding, saves):
        lines = count(finding.lines, "line")
        said = f"saves {typical(saves)} cycles for {lines} more"
    elif saves.typical * heat < PERHAPS_WORTH_IT:
        said = f"saves {typical(saves)} cycles where it runs seldom"
    else:
        return None
    return Refusal(SMALL_GAIN, said)


def _is_unsure(saves: Saves) -> bool:
    """Whether some processor loses what a typical one gains."""
    return saves.typical + min(saves.least, 0.0) <= 0


def _may_lose(finding: Finding, saves: Saves) -> bool:
    """Whether some processor loses, where a typical one gains less than the figures may be wrong by."""
    return saves.least < 0 and saves.typical < CERTAIN and not _is_simpler_code(finding)


def _is_measurable(finding: Finding, saves: Saves) -> bool:
    """Whether a gain is seen in the operation that the code is a part of."""
    least = 0.0 if _sampled(finding) else MEASURABLE * work(finding.per)
    return saves.typical >= least or _is_simpler_code(finding)


def _is_long(finding: Finding, saves: Saves) -> bool:
    """Whether a rewrite adds more lines than its gain is worth; nobody knows where no heat is known."""
    known = finding.heat is not None or _sampled(finding)
    return known and saves.typical * heat_of(finding) < LINE * finding.lines


def _is_simpler_code(finding: Finding) -> bool:
    """Whether a rewrite is less code: a scope, or put_user() for a copy without a cast."""
    plain = finding.rule == "UA201" and finding.tier == SAFE
    return plain or finding.rule in SIMPLER


def _is_of_test(finding: Finding) -> bool:
    """Whether nobody waits for the code, as far as is known."""
    folders = PurePath(finding.file).parent.parts
    return not TESTS.isdisjoint(folders) and not _sampled(finding)


def _is_of_loads(finding: Finding) -> bool:
    """Whether a rewrite saves loads in a function that no profile has: a cached load is cheap."""
    return rule(finding.rule).family == LOADS and not _sampled(finding)


def band(finding: Finding, saves: Saves | None) -> str:
    """The worth of a rewrite that saves these cycles: WORTH, PERHAPS or COLD."""
    if too_cold(finding, saves) is not None:
        return COLD
    if saves is None or saves.typical * heat_of(finding) < WORTH_IT:
        return PERHAPS
    return WORTH if saves.least >= -LOST * saves.typical else PERHAPS


def is_in_doubt(finding: Finding) -> bool:
    """Whether only compiling tells if a rewrite of the band PERHAPS is worth it.

    It may save less than was estimated, and a scope may be more code than the window was: 18 bytes in cp_stat64() of 7.2.
    """
    saves = finding.saves
    if saves is None or finding.counted or finding.heat is None:
        return False
    if finding.band != PERHAPS or band(finding, saves) != PERHAPS:
        return False
    less = replace(saves, typical=ESTIMATED * saves.typical)
    simpler = finding.rule in SIMPLER and saves.typical < CERTAIN
    return simpler or band(finding, less) == COLD


def band_compiled(finding: Finding, saves: Saves) -> str:
    """The band of an offered rewrite whose compiled code saves these cycles.

    One that goes along with others, see `judged`, stays in theirs unless it may cost cycles that are felt.
    """
    own = band(finding, saves)
    return best([own, finding.band or COLD]) if _is_along(finding, saves) else own


def _is_along(finding: Finding, saves: Saves) -> bool:
    """Whether a rewrite is only offered as others are."""
    alone = band(finding, finding.saves)
    return finding.band not in (None, alone) and saves.least > -FELT


def doubt(finding: Finding) -> str:
    """The condition under which a rewrite in the band PERHAPS is worth it, to follow "perhaps worth it"."""
    saves = finding.saves
    if saves is None:
        return ": what it saves is not known"
    if is_in_doubt(finding):
        return ": only compiling it tells (patch)"
    if saves.typical * heat_of(finding) < WORTH_IT:
        return " if it runs often"
    if saves.least < 0:
        return f": costs some processor {-saves.least:.0f} cycles"
    return ""  # It only goes along with others.


def judged(
    findings: Sequence[Finding],
    cold: bool,
    allow_no_gain: bool = False,
    change: Touched | None = None,
) -> dict[Finding, Finding]:
    """The rewrites of a file as they are offered: in their band, or as reports.

    ``cold`` also offers those of the band COLD, ``allow_no_gain`` what saves nothing. In lines that a
    ``change`` adds, what runs seldom is offered, too: it costs the author nothing; or one copy is advised
    instead, also of ``findings`` that are reports, unless windows are asked for by ``cold``.
    If a function changes for one rewrite, the others of the rule go along unless they may cost cycles
    that are felt: reviewers ask why half of a function is as it was. So do those of a file whose rewrites look alike
    (`Rule.alike`), as in cp_new_stat() and cp_old_stat(), and the same accesses for another kind of program, as in
    x32_rt_sigreturn() beside rt_sigreturn().
    """
    offered = {
        finding: _one_copy(finding)
        for finding in findings
        if not cold and _is_simpler(finding, change)
    }
    for finding in findings:
        macros = finding.reason in (MACRO_BODY, OWN_MACRO) and finding.base
        if macros and _adds(change, finding):
            offered[finding] = replace(finding, band=NEW)
    why = {
        finding: None if allow_no_gain else refused(finding, finding.saves)
        for finding in findings
        if finding.verdict == REWRITE and finding not in offered
    }
    alone = {
        finding: band(finding, finding.saves)
        for finding, refusal in why.items()
        if not refusal
    }

    def with_others(finding: Finding) -> str:
        if finding.saves is None or finding.saves.least <= -FELT:
            return alone[finding]
        return best(
            alone[other]
            for other in alone
            if other == finding or _goes_with(finding, other)
        )

    for finding, refusal in why.items():
        found = COLD if refusal else with_others(finding)
        if found == COLD and not refusal and _is_new(finding, change):
            offered[finding] = replace(finding, band=NEW)
            continue
        if not refusal and found == COLD and not cold:
            refusal = too_cold(finding, finding.saves)
        offered[finding] = (
            refuse(finding, refusal) if refusal else replace(finding, band=found)
        )
    return offered


def _is_new(finding: Finding, change: Touched | None) -> bool:
    """Whether a change adds the lines of a finding, whose rewrite is sure to save something."""
    if finding.saves is None or _is_unsure(finding.saves):
        return False
    return not _is_of_loads(finding) and _adds(change, finding)


def _is_simpler(finding: Finding, change: Touched | None) -> bool:
    """Whether a change adds accesses that one copy should make: where no window can, or they run seldom."""
    if finding.record is None:
        return False
    possible = finding.verdict == REWRITE
    seldom = not possible or heat_of(finding) < HOT
    return seldom and _adds(change, finding)


def _adds(change: Touched | None, finding: Finding) -> bool:
    """Whether a change adds the lines of a finding."""
    return change is not None and change.adds(finding.line, finding.end_line)


def _one_copy(finding: Finding) -> Finding:
    """A report that advises one copy."""
    record = finding.record or ""
    name = record.removesuffix("[]")
    array = name != record
    if finding.direction == READ:
        better = f"use one copy_from_user() into {name if array else f'a {name}'}"
    else:
        better = f"use one copy_to_user() of {name if array else f'a zeroed {name}'}"
    said = finding.message.partition("; ")[0]
    return replace(
        refuse(finding, Refusal(ONE_COPY, better)),
        message=f"{said}; {better}",
        band=NEW,
    )


def best(bands: Iterable[str]) -> str:
    """The first of some bands, in the order in which they are shown."""
    return min(bands, key=BANDS.index)


def _goes_with(finding: Finding, other: Finding) -> bool:
    """Whether a rewrite is made where another one is."""
    if finding.rule != other.rule or other.tier not in (SAFE, finding.tier):
        return False
    if rule(finding.rule).alike:
        return True
    if finding.function is None or other.function is None:
        return False
    return finding.function == other.function or _twin(finding) == _twin(other)


def _twin(finding: Finding) -> tuple[object, ...]:
    """The part that a rewrite in a function shares with that for another kind of program."""
    stem = for_any_program(finding.function or "")
    return stem, finding.base, finding.accesses, finding.direction


def heat_of(finding: Finding) -> float:
    """The rate of a finding's function for each operation that busy programs repeat."""
    if _sampled(finding):
        return SAMPLED
    return UNKNOWN if finding.heat is None else finding.heat


def _sampled(finding: Finding) -> bool:
    """Whether a profile has the function of a finding, or one that it may be inlined into."""
    return finding.share is not None or finding.share_at_most is not None


def refuse(finding: Finding, refusal: Refusal) -> Finding:
    """Turn a finding into a report with the reason of the refusal."""
    return replace(
        finding,
        message=f"{finding.message}; {refusal.message}",
        verdict=REPORT,
        tier=None,
        reason=refusal.reason,
        band=None,
    )


def left_alone(
    passing: Sequence[Rewrite], refused: Mapping[Rewrite, Refusal]
) -> dict[Rewrite, Refusal]:
    """The rewrites of a file that pass but go with one that does not, and why.

    Those of one rule in a function go together, as does one for another kind of program that is only offered
    as the other one is, and in code that is not hot those of a rule whose rewrites look alike (`Rule.alike`)
    in a file, if one saves nothing.
    """
    found = {}
    for rewrite in passing:
        for other, why in refused.items():
            if _stays_with(rewrite, other, why):
                said = f"{other.finding.function}() at line {other.finding.line} stays as it is: {why.message}"
                found[rewrite] = Refusal(why.reason, said)
                break
    return found


def _stays_with(rewrite: Rewrite, other: Rewrite, why: Refusal) -> bool:
    own, finding = rewrite.finding, other.finding
    if own.rule != finding.rule:
        return False
    if own.function == finding.function:
        return True
    if own.saves and _is_along(own, own.saves) and _twin(own) == _twin(finding):
        return True
    # Whether loads are saved depends on the function, what an access costs does not.
    entry = rule(own.rule)
    alike = entry.alike and not entry.must_save_loads
    return why.reason == NO_GAIN and alike and own.band != WORTH


_LABEL = re.compile(r"^(\w+):$", re.M)


def resolve_overlaps(
    rewrites: Sequence[Rewrite],
) -> tuple[tuple[Rewrite, ...], dict[Finding, Finding]]:
    """Return the rewrites that can be applied together, and the findings of the others as reports.

    What is worth more takes precedence, then lower tiers, then the given order. Identical edits are shared.
    """
    made: dict[str, list[Rewrite]] = {}
    lost: dict[Finding, Finding] = {}
    for rewrite in sorted(rewrites, key=_precedence):
        finding = rewrite.finding
        same_file = made.setdefault(finding.file, [])
        first = next((r.finding for r in same_file if _overlap(r, rewrite)), None)
        if first is None:
            same_file.append(rewrite)
        else:
            why = f"{first.rule} also rewrites line {first.line}: take that rewrite, then run the command again"
            lost[finding] = refuse(finding, Refusal("overlaps", why))
    return tuple(r for r in rewrites if r.finding not in lost), lost


def _precedence(rewrite: Rewrite) -> tuple[int, int]:
    finding = rewrite.finding
    return BANDS.index(finding.band or COLD), TIERS.index(finding.tier or SAFE)


def _overlap(one: Rewrite, other: Rewrite) -> bool:
    """Whether two rewrites change the same code, or insert two labels of one name at the end of a function."""
    pairs = [(a, b) for a in one.edits for b in other.edits if a != b]
    labels = {edit: set(_LABEL.findall(edit.text)) for pair in pairs for edit in pair}
    return any(
        a.start < b.end
        and b.start < a.end
        or a.start == b.start
        and labels[a] & labels[b]
        for a, b in pairs
    )
