# SPDX-License-Identifier: GPL-2.0
"""Output of a semantic patch under "make coccicheck": reports, a patch, or marked lines.

The patch is made from the same edits as that of ``hotcocci patch``. SmPL only matches.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from hotcocci.c.matches import Matches, source_of
from hotcocci.c.source import Source, apply
from hotcocci.c.syntax import Statement, innermost
from hotcocci.cache import Cache, default_folder
from hotcocci.findings import MIN_RUN, TIERS, Edit, Facts, Rewrite
from hotcocci.heat.heats import Heats, latest
from hotcocci.rewrite.diff import marked, unified
from hotcocci.rewrite.layout import styled, unix, with_ends_of
from hotcocci.rewrite.options import AUTO, Options, options_of
from hotcocci.rules.offer import resolve_overlaps
from hotcocci.rules.rulebook import REWRITE_RULES, WINDOW_RULES, implementation_of
from hotcocci.tree.kernel import find_root, probe
from hotcocci.windows import check
from hotcocci.windows.outcome import BEFORE, REPLACE, Fix

# Message prefixes for violations and rewrites, as in scripts/coccinelle
ERROR = "ERROR"
WARNING = "WARNING"
# Neither an error nor something that everybody wants to know
_ON_REQUEST = frozenset(r.code for r in WINDOW_RULES if r.on_request or r.hygiene)


@dataclass(frozen=True)
class Place:
    """A position in the form that coccilib's reports need."""

    file: str
    line: int
    column: int
    column_end: int


@dataclass(frozen=True)
class Judged:
    """The results for a file: messages by line, edits, and the text to mark, by offset."""

    reports: Sequence[tuple[int, str]]
    edits: tuple[Edit, ...]
    marked: Sequence[tuple[int, int]]


Offered = Callable[[str, Sequence[Rewrite], Options], list[Rewrite]]
"""Those of the rewrites of a file's text that are offered."""

Judge = Callable[[Path, str, Facts], Judged]
"""Judges a file, given the root of its tree, its text and its facts."""


@dataclass(frozen=True)
class Results:
    """The output of each mode of coccicheck for some files."""

    reports: tuple[tuple[Place, str], ...] = ()
    patch: str = ""
    context: str = ""


def results(matches: Matches, files: Sequence[str], judge: Judge) -> Results:
    """Judge the files that spatch has just processed; files outside a kernel tree are ignored."""
    reports: list[tuple[Place, str]] = []
    patch = context = ""
    for file in files:
        facts = matches.facts(file)
        root = find_root(Path(file))
        if root is None or not facts.accesses:
            continue
        name = str(Path(file).resolve().relative_to(root))
        source = source_of(file)
        judged = judge(root, source.text, replace(facts, file=name))
        reports += [(_place(source, line), said) for line, said in judged.reports]
        patch += unified(name, source.text, apply(source.text, judged.edits))
        context += marked(name, source.text, _lines(source, judged.marked))
    return Results(tuple(reports), patch, context)


def show(diff: str) -> None:
    """Print a diff in the encoding of the file, whatever the locale."""
    sys.stdout.flush()
    sys.stdout.buffer.write(diff.encode("utf-8", "surrogateescape"))
    sys.stdout.buffer.flush()


def rewrites(
    script: str, tier: str, offered: Offered, api: str = "", min_run: str = ""
) -> Judge:
    """Judge by all rules of a semantic patch, the rewrites up to a tier."""
    name = Path(script).resolve().name  # the script may be called through a link
    rules = [rule for rule in REWRITE_RULES if Path(rule.script).name == name]
    tiers = TIERS[: TIERS.index(tier) + 1]

    def judge(root: Path, text: str, facts: Facts) -> Judged:
        with Cache(default_folder()) as cache:
            known = latest(root, [facts.file], cache) or Heats()
        options = replace(options_for(root, api, min_run), derived=known.hot())
        possible = [
            replace(r, finding=known.on(r.finding, text))
            for rule in rules
            for r in _rewrites(rule.code, text, facts, options)
        ]
        in_tier = [r for r in possible if r.finding.tier in tiers]
        wanted = offered(text, in_tier, options)
        wanted.sort(key=lambda one: (one.finding.line, one.finding.rule))
        shown, _ = resolve_overlaps(wanted)
        # A semantic patch changes one file at a time.
        chosen = [rewrite for rewrite in shown if not rewrite.additions]
        edits = tuple(dict.fromkeys(edit for r in chosen for edit in r.edits))
        return Judged(
            [(r.finding.line, f"{WARNING}: {_said(r)}") for r in shown],
            edits,
            [(edit.start, edit.end) for edit in edits],
        )

    return judge


@lru_cache(maxsize=4)
def options_for(root: Path, api: str, min_run: str) -> Options:
    """The options for a tree, with the settings of ``-D``, which are empty by default."""
    return options_of(root, probe(root), api or AUTO, int(min_run or MIN_RUN))


def _rewrites(code: str, text: str, facts: Facts, options: Options) -> list[Rewrite]:
    """The rewrites that a rule decides on."""
    plain = unix(text)
    _, possible = implementation_of(code).decide(plain, facts, options)
    made = styled(plain, possible)
    return [replace(one, edits=with_ends_of(text, one.edits)) for one in made]


def _said(rewrite: Rewrite) -> str:
    """The message of a rewrite; one that needs another file changed is not made here."""
    finding = rewrite.finding
    files = ", ".join(addition.file for addition in rewrite.additions)
    more = f"; not rewritten here, as it also changes {files}" if files else ""
    return f"{finding.rule} {finding.message}{more}"


def _place(source: Source, number: int) -> Place:
    line = source.line(number)
    return Place(source.file, number, len(line) - len(line.lstrip()), len(line))


def _lines(source: Source, parts: Sequence[tuple[int, int]]) -> set[int]:
    """The lines of some parts of a text; an insertion has none."""
    return {
        line
        for start, end in parts
        if start < end
        for line in range(source.line_of(start), source.line_of(end - 1) + 1)
    }


def judge_windows(root: Path, text: str, facts: Facts) -> Judged:
    """Check the windows of a file; see `hotcocci.rules.coccicheck.Judge`."""
    checked = check.violations(text, facts, _tree_of(root))
    source = checked.source
    reports: dict[tuple[int, str], str] = {}
    marked: list[tuple[int, int]] = []
    edits: dict[int, Edit] = {}
    for function, found in sorted(checked.found, key=lambda f: f[1].at):
        line = source.line_of(found.at)
        if found.rule in _ON_REQUEST or (line, found.rule) in reports:
            continue
        reports[line, found.rule] = f"{ERROR}: {found.rule} {found.message}"
        node = innermost(function, found.at)
        if node is function.body:
            continue
        marked.append((node.start, node.end))
        # Elsewhere a statement before it would need braces.
        listed = node.parent and node.parent.kind in ("block", "label", "switch")
        if found.fix is not None and node.start == found.at and listed:
            edits[node.start] = _fixed(source, node, found.fix)
    return Judged(
        [(line, said) for (line, _), said in reports.items()],
        tuple(edits.values()),
        marked,
    )


@lru_cache(maxsize=4)
def _tree_of(root: Path) -> check.Options:
    return check.Options(root, not probe(root).masked_directed)


def _fixed(source: Source, node: Statement, fix: Fix) -> Edit:
    """The edit that fixes a statement; removing a statement removes its line."""
    end = f"{fix.end}();"
    if fix.how == REPLACE:
        return Edit(node.start, node.end, end)
    if fix.how == BEFORE:
        return Edit(node.start, node.start, f"{end}\n{source.indent(node.start)}")
    first = source.text.rfind("\n", 0, node.start) + 1
    last = source.text.find("\n", node.end) + 1
    before, after = source.text[first : node.start], source.text[node.end : last]
    if before.strip() or after.strip():
        return Edit(node.start, node.end, "")
    return Edit(first, last, "")
