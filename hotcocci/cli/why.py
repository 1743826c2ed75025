# SPDX-License-Identifier: GPL-2.0
"""``why FILE:LINE``: explain why a line was, or was not, rewritten."""

import argparse
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from hotcocci.c.source import DIRECTIVE, Source, called
from hotcocci.c.syntax import LABELS, LOOPS, Function, Statement, enclosing, innermost
from hotcocci.cli.options import add_analysis, settings_of
from hotcocci.errors import UserError, told
from hotcocci.findings import REWRITE, Facts, Finding, Rewrite
from hotcocci.names import count, printable
from hotcocci.output import text
from hotcocci.pipeline.analysis import Analysis, analyse, options_for
from hotcocci.pipeline.changes import others
from hotcocci.pipeline.examine import facts_of
from hotcocci.pipeline.filtering import Filtered
from hotcocci.pipeline.settings import Settings, chosen_rules
from hotcocci.rewrite import diff
from hotcocci.rewrite.context import contexts
from hotcocci.rewrite.copies import LARGEST, LARGEST_REPORTED
from hotcocci.rewrite.options import Options
from hotcocci.rewrite.runs import accesses_of, owner
from hotcocci.rewrite.statements import UserAccess
from hotcocci.rules.entry import LOADS
from hotcocci.rules.rulebook import REWRITE_RULES, rule
from hotcocci.rules.ua101_user_access_run import RULE as RUNS
from hotcocci.rules.ua201_scalar_copy import RULE as SCALARS
from hotcocci.saves import cycles, typical
from hotcocci.tree.kernel import find_tree
from hotcocci.tree.select import ACCESS
from hotcocci.tree.source import decode, encode, read, readable

WIDTH = 79
REWRITES = frozenset(entry.code for entry in REWRITE_RULES)
SELECTED = "--rule, or rule in a configuration, leaves it out"


def define(parser: argparse.ArgumentParser) -> None:
    """Add the description and options of the command to its parser."""
    parser.description = "Explain why one line of a file was, or was not, rewritten. Exit code: 0, 2 error."
    parser.add_argument(
        "place", metavar="FILE:LINE", help="the line, in the form that lint prints"
    )
    add_analysis(parser)


def run(options: argparse.Namespace) -> int:
    """Explain one line; returns the exit code."""
    # A line that another rule rewrites has no reason to stay as it is.
    settings = replace(settings_of(options), rules=(), cold=True)
    chosen = {entry.code for entry in chosen_rules(tuple(options.rules))}
    path, line = _place(options.place)
    tree = find_tree(path)
    source = _lines(path)
    if line > len(source):
        raise UserError(f"{path} has no line {line}, only {count(len(source), 'line')}")
    analysis = analyse(tree, [path], settings)
    aside = _explain_aside(analysis.filtered, line, settings)
    here = [
        finding
        for finding in analysis.findings
        if finding.line <= line <= finding.end_line
    ]
    for finding in here:
        _explain(finding, analysis, source, settings)
        if finding.rule in REWRITES and finding.rule not in chosen:
            print(f"{finding.rule} is not among the rules selected: {SELECTED}.")
    if not here and not aside:
        file = str(path.resolve().relative_to(tree.root))
        _explain_nothing(analysis, source, file, line, settings)
    return 0


def _explain_aside(filtered: Filtered, line: int, settings: Settings) -> bool:
    """Print findings at a line that are suppressed, and why; returns whether there are any."""
    baseline = f"baseline {settings.baseline}"
    aside = [(f, by.line, f"comment at line {by.line}") for f, by in filtered.allowed]
    aside += [(finding, finding.line, baseline) for finding in filtered.known]
    hidden = False
    for finding, place, by_what in aside:
        if line == place or finding.line <= line <= finding.end_line:
            hidden = True
            print(f"{_heading(finding)}:")
            print(textwrap.fill(printable(finding.message), WIDTH))
            print(f"Suppressed by the {by_what}: neither reported nor rewritten.")
    return hidden


def _heading(finding: Finding) -> str:
    """Return the rule and the lines of a finding."""
    lines = _lines_from(finding.line, finding.end_line)
    return f"{finding.rule} ({rule(finding.rule).title}), {lines}"


def _lines_from(first: int, last: int) -> str:
    return f"line {first}" if first == last else f"lines {first} to {last}"


def _place(text: str) -> tuple[Path, int]:
    # Also accept a compiler's FILE:LINE:COLUMN.
    file, _, number = text.partition(":")
    number = number.partition(":")[0]
    if not file or not number.isdigit() or number == "0":
        raise UserError(
            f"{text!r} does not name a line: use FILE:LINE, such as fs/ioctl.c:120"
        )
    path = Path(file)
    if path.is_dir():
        raise UserError(f"{path} is a directory: name a file and a line in it")
    return path, int(number)


def _lines(path: Path) -> list[str]:
    with told(f"read {path}"):
        return decode(read(path)).split("\n")


def _explain(
    finding: Finding, analysis: Analysis, source: Sequence[str], settings: Settings
) -> None:
    where = f" in {finding.function}()" if finding.function else ""
    print(f"{_heading(finding)}{where}:")
    print(textwrap.fill(printable(finding.message), WIDTH))
    if settings.profile is not None:
        print(f"Profile: {finding.function}() is {text.share(finding)}.")
    print()
    _quote(source, finding.line, finding.end_line)
    print()
    for measured in text.benched(finding):
        print(textwrap.fill(f"In a booted kernel: {measured}.", WIDTH))
    if finding.verdict == REWRITE:
        print(f"Rewritten in tier {finding.tier}.")
        if finding.saves is not None:
            said = f"Saves {typical(finding.saves)} cycles {finding.per or ''}".rstrip()
            # Nobody has published figures of stac: machine/costs/processors/ has the sources.
            opens = rule(finding.rule).family != LOADS
            made = f"modelled{'; opens and closes are estimates' if opens else ''}"
            range_ = f", {cycles(finding.saves)} by processor ({made})"
            several = finding.saves.least != finding.saves.most
            print(f"{said}{range_ if several else ''}: {text.worth(finding)}.")
        for rewrite in (r for r in analysis.rewrites if r.finding == finding):
            _show_rewrite(rewrite, analysis.texts)
        return
    print(textwrap.fill(text.refusal(finding.reason or "", finding.message), WIDTH))
    for rewrite in analysis.possible:
        if rewrite not in analysis.rewrites and _is_of(rewrite, finding):
            _show_rewrite(rewrite, analysis.texts)


def _is_of(rewrite: Rewrite, finding: Finding) -> bool:
    """Whether a finding reports that a rewrite is not offered."""
    own = rewrite.finding
    place = own.rule, own.file, own.line, own.end_line
    same = place == (finding.rule, finding.file, finding.line, finding.end_line)
    return same and finding.message.startswith(own.message)


def _show_rewrite(rewrite: Rewrite, texts: Mapping[str, str]) -> None:
    # A rewrite of loads has no API.
    of_loads = rule(rewrite.finding.rule).family == LOADS
    print("Rewrite:\n" if of_loads else f"Rewrite ({rewrite.api} API):\n")
    for other in others([rewrite], texts):
        print(readable(diff.unified(other.file, other.old, other.new)), end="")
    print(text.patch_of(rewrite, texts), end="")
    for note in rewrite.notes:
        if note not in rewrite.finding.message:
            print(textwrap.fill(note, WIDTH))


def _explain_nothing(
    analysis: Analysis, source: Sequence[str], file: str, line: int, settings: Settings
) -> None:
    _quote(source, line, line)
    print()
    for paragraph in _nothing_here(analysis, source, file, line, settings):
        print(textwrap.fill(paragraph, WIDTH))
    if analysis.findings:
        listed = sorted(analysis.findings, key=lambda finding: finding.line)
        places = ", ".join(f"{f.rule} at {_lines_of(f)}" for f in listed)
        print(textwrap.fill(f"Findings in this file: {places}.", WIDTH))


def _lines_of(finding: Finding) -> str:
    """The lines of a finding: "224", or "224-227"."""
    first, last = finding.line, finding.end_line
    return str(first) if first == last else f"{first}-{last}"


def _nothing_here(
    analysis: Analysis, source: Sequence[str], file: str, line: int, settings: Settings
) -> list[str]:
    """Return paragraphs on a line without a finding."""
    missed = analysis.unseen.get(file, ())
    if line in missed:
        return [
            "spatch did not see this access: spatch could not parse the surrounding code, "
            "or the access is a macro argument."
        ]
    failed = [skip.reason for skip in analysis.skipped] if not missed else []
    if failed:
        return [f"The file was skipped: {reason}." for reason in failed]
    facts = facts_of(analysis.tree, RUNS, file, settings)
    options = options_for(analysis.tree, settings)
    explained = explain_isolated("\n".join(source), facts, options, line)
    if explained:
        return explained
    if ACCESS.pattern.search(encode(source[line - 1])):
        return [
            "This looks like an access but is part of a comment, a string or a macro."
        ]
    copies = facts_of(analysis.tree, SCALARS, file, settings).accesses
    if any(copy.line == line for copy in copies):
        return [
            f"No rule looks at this copy: it has to be of an integer or of a structure with a name, and its "
            f"size known here and at most {LARGEST} bytes ({LARGEST_REPORTED} in hot code)."
        ]
    return ["No finding on this line."]


def _quote(source: Sequence[str], first: int, last: int) -> None:
    for number in range(first, last + 1):
        print(f"{number:6}  {printable(readable(source[number - 1]))}")


_LOOP = "UA102 is for a loop over more than bytes, with the access in a statement of its body"


def explain_isolated(text: str, facts: Facts, options: Options, line: int) -> list[str]:
    """One paragraph for each access on a line that is in no run.

    ``line`` counts from 1. Empty if SmPL saw no access there.
    """
    source = Source(facts.file, text)
    paragraphs: list[str] = []
    known: set[tuple[int, int]] = set()
    for context in contexts(text, facts, options):
        function, accesses = context.function, accesses_of(context)
        known |= {(h.access.line, h.access.column) for h in accesses}
        paragraphs += [
            _explained(function, one, accesses)
            for one in accesses
            if source.line_of(one.start) <= line <= source.line_of(one.end - 1)
        ]
    paragraphs += [
        f"{access.name}() is in the body or an argument of a macro, whose statements are not parsed."
        for access in facts.accesses
        if access.line == line and (access.line, access.column) not in known
    ]
    return paragraphs


def _explained(function: Function, one: UserAccess, accesses: list[UserAccess]) -> str:
    source = function.source
    base, own = one.base.key, owner(function, one.start)
    lines = _lines_from(source.line_of(own.start), source.line_of(own.end - 1))
    if own is function.body:
        lines = f"line {source.line_of(one.start)}"
    name = one.access.name
    found = f"{name}() through {base} is in {lines} of {function.name}(). "
    others = [h for h in accesses if h is not one]
    if not others:
        around = enclosing(innermost(function, one.start))
        looped = any(statement.kind in LOOPS for statement in around)
        more = f" It is in a loop, but {_LOOP}." if looped else ""
        return f"{found}It is the only access in this function; a run needs two.{more}"
    same = [h for h in others if h.base.key == base]
    if not same:
        found_at = (f"{h.base.key} at line {source.line_of(h.start)}" for h in others)
        places = ", ".join(dict.fromkeys(found_at))
        return (
            found + f"No other access here goes through {base}, only through {places}."
        )
    nearest = min(same, key=lambda h: abs(h.start - one.start))
    before, after = sorted((one, nearest), key=lambda h: h.start)
    place = source.line_of(nearest.start)
    between = _between(function, before, after, accesses)
    return f"{found}The nearest other access through {base} is at line {place}, but {between}."


def _between(
    function: Function,
    before: UserAccess,
    after: UserAccess,
    accesses: list[UserAccess],
) -> str:
    """The code that separates two accesses."""
    source = function.source
    for other in accesses:
        if before.start < other.start < after.start:
            line = source.line_of(other.start)
            return f"the access through {other.base.key} at line {line} is in between"
    first, second = (owner(function, each.start) for each in (before, after))
    above, around = ([each, *enclosing(each)] for each in (first, second))
    # A declaration belongs to its block.
    if first in around and first.kind != "block":
        return f"the later one depends on {_named(source, first)}"
    for own, outer, which in ((around, above, "later"), (above, around, "earlier")):
        inner = [s for s in own[1:] if s.kind != "block" and s not in outer]
        if inner:
            return f"only the {which} one is in {_named(source, inner[-1])}"
    shared = next(s for s in above if s in around)
    if shared.kind not in ("block", "switch"):
        return f"they are in different branches of {_named(source, shared)}"
    start = before.end if first.kind == "block" else first.end
    end = after.start if second.kind == "block" else second.start
    tokens = source.tokens_between(start, end)
    directive = next((t for t in tokens if t.kind == DIRECTIVE), None)
    call = next(called(tokens), None)
    if directive is not None:
        line = source.line_of(directive.start)
        return f"the preprocessor directive at line {line} is in between"
    if call is not None:
        line = source.line_of(call.start)
        return f"the call to {call.text}() at line {line} is in between"
    return "together they have no form that is taken for a run"


def _named(source: Source, statement: Statement) -> str:
    """A statement as messages name it, with its line."""
    line = source.line_of(statement.start)
    word = source.code_between(statement.start, statement.end)[0].text
    if statement.kind in LABELS:
        return f"the code after the label {word} at line {line}"
    if statement.kind == "macro":
        return f"the {word}() at line {line}"
    return f"the {statement.kind} at line {line}"
