# SPDX-License-Identifier: GPL-2.0
"""Findings as lines of text, in the style of compilers or as annotations (workflow commands) of GitHub."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hotcocci.c.source import apply
from hotcocci.findings import (
    BENCH,
    MANUAL,
    PERHAPS,
    REWRITE,
    WORTH,
    Finding,
    Gain,
    Proof,
    Rewrite,
    Saves,
    Skip,
    Violation,
)
from hotcocci.names import count, printable, quoted, wrapped
from hotcocci.pipeline.filtering import UNUSED, Filtered
from hotcocci.pipeline.ranking import heat, is_kept
from hotcocci.pipeline.settings import Settings
from hotcocci.rewrite.diff import unified
from hotcocci.rules.offer import ONE_COPY, SMALL_GAIN, doubt, heat_of
from hotcocci.rules.rulebook import REASONS, rule
from hotcocci.saves import is_of, saves, typical
from hotcocci.tree.source import readable
from hotcocci.tree.targets import guarded

if TYPE_CHECKING:
    from hotcocci.pipeline.changes import Gated


Show = Callable[[str], str]

_REMARK = re.compile(r" \((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)(?=;|$)")
# What to write instead, where more follows
_INSTEAD = re.compile(r"; (?:use|cache|load) [^;]*(?=; )")
_FUNCTION = re.compile(r" in \w+\(\)(?=;|$)")
# The columns of a line, and the fewest of a message.
COLUMNS = 160
SHORTEST = 30


def shown_from(root: Path) -> Show:
    """Return a function that writes a tree file's path relative to this directory, absolute if outside it.

    Names with control characters are quoted.
    """
    here = Path.cwd()

    def show(file: str) -> str:
        path = root / file
        return quoted(
            os.path.relpath(path, here) if path.is_relative_to(here) else str(path)
        )

    return show


def annotated_from(root: Path) -> Show:
    """As `shown_from`, but relative to the tree if that is elsewhere: an annotation is of a repository's file."""
    return shown_from(root) if root.is_relative_to(Path.cwd()) else quoted


def line(finding: Finding, show: Show = str, profiled: bool = False) -> str:
    """Format a finding as ``file:line: CODE message [verdict/tier or reason]``.

    A rewrite begins with its typical savings, and its band is given unless it is worth it. With a
    profile, the share of its function is added. What does not fit in `COLUMNS` goes on, indented, in the next line.
    """
    detail = tag(finding)
    if finding.band not in (None, WORTH):
        detail = f"{detail}, {worth(finding)}"
    if profiled:
        detail = f"{detail}, {share(finding)}"
    start = f"{show(finding.file)}:{finding.line}: {finding.rule} {gain(finding)}"
    # The way to a tree that is elsewhere takes none of a reason.
    way = max(0, len(show(finding.file)) - len(finding.file))
    room = COLUMNS - len(start) - len(detail) - len(" []")
    room += 0 if finding.verdict == REWRITE else way
    said = printable(finding.message)
    if finding.verdict != REWRITE and len(said) > room:
        # Why it is not written, not what would be.
        said = _INSTEAD.sub("", _REMARK.sub("", said))
    advice = finding.verdict != REWRITE and finding.band is not None
    if finding.tier != MANUAL and not advice:
        # What a reader has to decide or to write is said in full.
        said = shortened(said, room)
    return "\n".join(_folded(f"{start}{said} [{detail}]"))


def refused(finding: Finding, show: Show = str) -> list[str]:
    """Format a rewrite that a check refused, with all of the reason, on lines that are indented after the first."""
    place = f"{show(finding.file)}:{finding.line}: {finding.rule}"
    return _folded(f"{place} {printable(finding.message)} [{tag(finding)}]")


def _folded(said: str) -> list[str]:
    """A line as it is if it has `COLUMNS` at most, else as several, indented after the first."""
    return [said] if len(said) <= COLUMNS else wrapped(said, COLUMNS, others="    ")


def benched(finding: Finding) -> list[str]:
    """The results of a booted kernel for a finding's rewrite, a sentence each; none if nobody measured it."""
    if finding.benched is None:
        return []
    return [*finding.benched] or [f"no benchmark reaches {finding.function}()"]


def worth(finding: Finding) -> str:
    """The band of a rewrite in words, with what decides whether it is worth it."""
    if finding.band == PERHAPS:
        return f"perhaps worth it{doubt(finding)}"
    return finding.band or ""


def shortened(said: str, room: int) -> str:
    """A message in so many columns, at least thirty; `why` has all of it.

    First its remarks in parentheses are left out, then what to use instead, then the function's name.
    """
    room = max(room, SHORTEST)
    if len(said) > room:
        said = _REMARK.sub(" (…)", said)
    if len(said) <= room:
        return said
    found, _, _ = said.rpartition("; ")
    for start in (found, _FUNCTION.sub("", found)):
        if start and len(start) + len("; …") <= room:
            return f"{start}; …"
    return said[: room - 2].rpartition(" ")[0].rstrip(",;:(") + " …"


def gain(finding: Finding) -> str:
    """The typical gain of a rewrite, as the start of a sentence; empty if there is none or it is unknown."""
    if finding.verdict != REWRITE or not finding.saves or finding.saves.typical < 0.5:
        return ""
    per = f" {finding.per}" if finding.per else ""
    return f"saves {typical(finding.saves)} cycles{per}: "


def patch_of(rewrite: Rewrite, texts: Mapping[str, str]) -> str:
    """The diff of one rewrite, for display; ``texts`` has that of its file."""
    before = texts[rewrite.finding.file]
    return readable(unified(rewrite.finding.file, before, apply(before, rewrite.edits)))


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


def skipped_line(skip: Skip, show: Show = str, what: str = "skipped") -> str:
    """Format a skipped file; ``what`` was done with it."""
    return printable(f"{show(skip.file)}: {what}: {skip.reason}")


def unread(skips: Sequence[Skip], root: Path) -> list[str]:
    """Return ``file:line: reason`` of changed code in a tree that was not read."""
    show = shown_from(root)
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


def checks(proofs: Sequence[Proof], named: bool) -> list[str]:
    """Return lines on how many checks passed, what system calls take, and each that was skipped, with the reason.

    ``named`` is whether those that passed are named, too.
    """
    passed: Counter[str] = Counter()
    missed: dict[str, Counter[str]] = {}
    counted: dict[str, None] = {}
    for check in (check for proof in proofs for check in proof.checks):
        if check.name == BENCH:
            counted[check.detail] = None
            continue
        if check.outcome == "skipped":
            why = check.detail.partition("\n")[0]
            missed.setdefault(check.kind, Counter())[why] += 1
        else:
            passed[check.kind] += check.outcome == "passed"
    names = ", ".join(f"{name} {n}" for name, n in sorted((+passed).items()))
    said = f"{count(passed.total(), 'check')} passed"
    lines = [said + (f": {names}" if named else " (names with -v)")] if names else []
    lines += counted
    for name, reasons in missed.items():
        (why, _), *others = reasons.most_common()
        more = f" (and {count(len(others), 'other reason')})" if others else ""
        lines.append(f"check skipped: {name} {reasons.total()}: {why}{more}")
    return lines


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


SHOWN = 10


def best_first(gated: Gated, profiled: bool, show: Show) -> list[str]:
    """Return lines on the functions that a patch changes, best first; none for a single function.

    Ordered by samples, if there is a profile, then by the cycles saved times how often the function runs.
    The first line says which.
    """
    gains = {proof.file: proof.gains for proof in gated.proofs}
    rows = []
    for change in gated.passed:
        functions: dict[str | None, list[Finding]] = {}
        for rewrite in change.rewrites:
            own = functions.setdefault(rewrite.finding.function, [])
            own.append(rewrite.finding)
        for function, own in functions.items():
            saved, first = _saves(own, gains.get(change.file, ())), own[0]
            said = [count(len(own), "rewrite")]
            said += [f"saves {typical(saved)} cycles"] if saved else []
            said += [share(first)] if profiled else []
            place = f"{show(first.file)}:{first.line}: {function}()"
            worth = (saved.typical if saved else 0) * heat_of(first)
            order = (-heat(first) if profiled else 0, -worth)
            rows.append((order, f"  {place}: {', '.join(said)}"))
    if len(rows) < 2:
        return []
    rows.sort(key=lambda row: row[0])
    if profiled:
        head = "best first, by share of samples:"
    else:
        targets = dict.fromkeys(g.target for p in gated.proofs for g in p.gains)
        where = f" on {' and '.join(map(guarded, targets))}" if targets else ""
        head = f"best first, by cycles saved{where} times how often the function runs (--profile FILE orders by samples):"
    lines = [head, *(line for _, line in rows[:SHOWN])]
    more = len(rows) - SHOWN
    return [*lines, f"  and {more} more"] if more > 0 else lines


def _saves(findings: Sequence[Finding], gains: Sequence[Gain]) -> Saves | None:
    """The gain in a function: as it was compiled, else the best estimate."""
    compiled = saves(c for g in gains if is_of(g, findings[0]) for c in g.cycles)
    estimates = [finding.saves for finding in findings if finding.saves]
    return compiled or max(estimates, key=lambda each: each.typical, default=None)


# https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands;
# escaping: packages/core/src/command.ts of https://github.com/actions/toolkit.
NOTICE = "notice"
WARNING = "warning"
ERROR = "error"


def annotation(found: Finding, show: Show = str) -> str:
    """Format a finding as a notice: it is a cost, not an error. A violation is one, with its notes on further lines."""
    if isinstance(found, Violation):
        notes = (f"{show(n.file)}:{n.line}: {n.message}" for n in found.notes)
        said = "\n".join([f"{found.message} [{', '.join(found.engines)}]", *notes])
        return _at(ERROR, show(found.file), found, said)
    said = f"{gain(found)}{found.message} [{tag(found)}]"
    return _at(NOTICE, show(found.file), found, said)


def skip_annotation(skipped: Skip, show: Show = str) -> str:
    """Format what was skipped as a warning, at its first line if it is a part of a file."""
    properties = {"title": "could not be read"}
    if skipped.file != ".":  # which is the whole tree
        lines = {"line": str(skipped.lines[0])} if skipped.lines else {}
        properties = {"file": show(skipped.file), **lines, **properties}
    return _command(WARNING, properties, skipped.reason)


def _at(kind: str, file: str, found: Finding, message: str) -> str:
    properties = {
        "file": file,
        "line": str(found.line),
        "endLine": str(found.end_line),
        "title": f"{found.rule} {rule(found.rule).title}",
    }
    # An annotation of several lines has none.
    if found.column is not None and found.line == found.end_line:
        properties |= {"col": str(found.column), "endColumn": str(found.end_column)}
    return _command(kind, properties, message)


def _command(kind: str, properties: Mapping[str, str], message: str) -> str:
    said = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{kind} {said}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
