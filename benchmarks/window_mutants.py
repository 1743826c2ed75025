#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Breaks the windows of a kernel tree in many ways, and counts the mutants that the checkers catch.

Each mutant changes one line of one function so that it violates a rule at a known line. It is caught
if the engine reports that rule at that line, or, if the line depends on later paths, in that
function. Nothing is written into the tree.

    python3 benchmarks/window_mutants.py TREE [--engine spatch] [--sample N] [--seed N] [--missed]
"""

from __future__ import annotations

import argparse
import dataclasses
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hotcocci.c.matches import load  # noqa: E402
from hotcocci.cache import Cache, default_folder  # noqa: E402
from hotcocci.engines import spatch  # noqa: E402
from hotcocci.errors import EngineError  # noqa: E402
from hotcocci.findings import (  # noqa: E402
    SPATCH,
    Facts,
    Report,
)
from hotcocci.layout import DATA  # noqa: E402
from hotcocci.pipeline.unit_engines import ENGINES  # noqa: E402
from hotcocci.rules.entry import WINDOW_SCRIPT  # noqa: E402
from hotcocci.rules.rulebook import rule  # noqa: E402
from hotcocci.tree.build import BuildError, prepare  # noqa: E402
from hotcocci.tree.command import Unit, commands  # noqa: E402
from hotcocci.tree.kernel import Tree, find_tree  # noqa: E402
from hotcocci.tree.select import (  # noqa: E402
    WINDOW,  # noqa: E402
    mentioning,
    mentions,
)
from hotcocci.tree.source import decode, encode, lay, moved  # noqa: E402
from hotcocci.windows.check import Options, check  # noqa: E402

JOBS = 2
TIMEOUT = 60

BEGIN = re.compile(r"^(\s*)if \(!(user_(?:read_|write_)?access_begin)\((.*)\)\)$")
END = re.compile(r"^(\s*)(user_(?:read_|write_)?access_end)\(\);$")
ACCESS = re.compile(r"^(\s*)(unsafe_(?:get|put)_user)\((.*), \w+\);$")
SCOPE = re.compile(
    r"^(\s*)scoped_user_(read|write|rw)_access(_size)?\((\w+), (.*)\) \{$"
)
LEAVES = re.compile(r"^\s*(?:return|goto)\b.*;$")
# No statement can be inserted after these: the line would become their body.
BRANCH = re.compile(r"^\s*(?:(?:if|for|while|list_for\w*)\b.*\)|else|do)$")


@dataclass(frozen=True)
class Mutant:
    """A file with one broken window. ``line`` is None where the rule reports another line."""

    how: str
    file: str
    text: str
    rules: frozenset[str]
    line: int | None
    within: range


@dataclass(frozen=True)
class Place:
    """A line of a function. ``first`` and ``last`` are the line indexes of the function's braces."""

    lines: list[str]
    at: int
    first: int
    last: int

    @property
    def text(self) -> str:
        """The line."""
        return self.lines[self.at]

    def before(self, pattern: str) -> bool:
        """Whether a pattern matches in the function above the line."""
        above = "\n".join(self.lines[self.first : self.at])
        return re.search(pattern, above) is not None


# Replacement lines, the rules they break, and which of the new lines is reported
Change = tuple[list[str], set[str], int | None]


def end_dropped(place: Place) -> Iterator[Change]:
    if match := END.match(place.text):
        # Everything after it runs with the window open.
        yield [f"{match[1]};"], {"UW02", "UW06", "UW09", "UW10"}, None


def end_of_another_flavour(place: Place) -> Iterator[Change]:
    other = {"user_read_access_end": "write", "user_write_access_end": "read"}
    match = END.match(place.text)
    if match and match[2] in other and not place.before("masked_user_access_begin"):
        yield [f"{match[1]}user_{other[match[2]]}_access_end();"], {"UW03"}, 0


def end_twice(place: Place) -> Iterator[Change]:
    if END.match(place.text):
        yield [place.text, place.text], {"UW02", "UW16"}, 1


def end_only_sometimes(place: Place) -> Iterator[Change]:
    following = place.lines[place.at + 1]
    if (match := END.match(place.text)) and re.match(r"^\s*return\b", following):
        yield [f"{match[1]}if (jiffies & 1)", f"\t{place.text}"], {"UW02"}, 2


def begin_not_tested(place: Place) -> Iterator[Change]:
    if match := BEGIN.match(place.text):
        begun = f"{match[1]}{match[2]}({match[3]});"
        yield [begun, f"{match[1]}if (0)"], {"UW01"}, 0


def begin_tested_wrongly(place: Place) -> Iterator[Change]:
    if match := BEGIN.match(place.text):
        yield [place.text.replace(f"!{match[2]}", match[2])], {"UW01"}, 0


def begin_dropped(place: Place) -> Iterator[Change]:
    if match := BEGIN.match(place.text):
        yield [f"{match[1]}if (!access_ok({match[3]}))"], {"UW21", "UW02"}, None


def begin_hinted(place: Place) -> Iterator[Change]:
    if match := BEGIN.match(place.text):
        hinted = f"{match[1]}if (unlikely(!{match[2]}({match[3]})))"
        yield [hinted], {"UW18"}, 0


def access_of_another_direction(place: Place) -> Iterator[Change]:
    other = {"unsafe_get_user": "unsafe_put_user", "unsafe_put_user": "unsafe_get_user"}
    directed = place.before(r"user_(?:read|write)_access")
    both = place.before(r"masked_user_access_begin|\buser_access_begin|user_rw_")
    if (match := ACCESS.match(place.text)) and directed and not both:
        yield [place.text.replace(match[2], other[match[2]], 1)], {"UW04"}, 0


def access_after_end(place: Place) -> Iterator[Change]:
    before = place.lines[place.at - 1]
    if (
        END.match(place.text)
        and ACCESS.match(before)
        and _has_room(place.lines, place.at - 1)
    ):
        yield [place.text, before], {"UW21"}, 1


def scope_of_another_direction(place: Place) -> Iterator[Change]:
    other = {"read": "write", "write": "read", "rw": "read"}
    if match := SCOPE.match(place.text):
        line = place.text.replace(f"_{match[2]}_", f"_{other[match[2]]}_", 1)
        body = "\n".join(place.lines[place.at : place.last])
        if re.search(r"unsafe_(?:get|put)_user\(", body):
            yield [line], {"UW04"}, None


def scope_of_an_expression(place: Place) -> Iterator[Change]:
    if match := SCOPE.match(place.text):
        line = place.text.replace(f"({match[4]},", f"(&{match[4]}[0],", 1)
        yield [line], {"UW13"}, 0


def _inserted(code: str, broken: str) -> Callable[[Place], Iterator[Change]]:
    def operator(place: Place) -> Iterator[Change]:
        opened = place.before(r"user_(?:\w+_)?access(?:_begin|_size)?\(")
        if (match := ACCESS.match(place.text)) and opened:
            if _has_room(place.lines, place.at):
                yield [f"{match[1]}{code}", place.text], {broken}, 0

    return operator


def return_inserted(place: Place) -> Iterator[Change]:
    opened = place.before(r"user_(?:read_|write_)?access_begin\(")
    scoped = place.before("scoped_user_")
    if (match := ACCESS.match(place.text)) and opened and not scoped:
        if _has_room(place.lines, place.at):
            yield (
                [f"{match[1]}if (jiffies & 1)", f"{match[1]}\treturn 0;", place.text],
                {"UW02"},
                1,
            )


OPERATORS: dict[str, Callable[[Place], Iterator[Change]]] = {
    "end dropped": end_dropped,
    "end of another flavour": end_of_another_flavour,
    "end twice": end_twice,
    "end only sometimes": end_only_sometimes,
    "begin not tested": begin_not_tested,
    "begin tested wrongly": begin_tested_wrongly,
    "begin dropped": begin_dropped,
    "begin hinted": begin_hinted,
    "access of another direction": access_of_another_direction,
    "access after the end": access_after_end,
    "scope of another direction": scope_of_another_direction,
    "scope of an expression": scope_of_an_expression,
    "call": _inserted('printk("x\\n");', "UW06"),
    "sleep": _inserted("schedule();", "UW09"),
    "get_user": _inserted(
        "if (get_user(current->exit_code, (int __user *)0)) ;", "UW10"
    ),
    "second begin": _inserted("if (!user_access_begin((void __user *)0, 4)) ;", "UW10"),
    "range check": _inserted("if (!access_ok((void __user *)0, 4)) ;", "UW22"),
    "return": return_inserted,
}


def _has_room(lines: list[str], at: int) -> bool:
    before = lines[at - 1]
    return not BRANCH.match(before) and not before.rstrip().endswith((",", "("))


def mutants(tree: Tree, file: str) -> Iterator[Mutant]:
    """Yield all mutants of a file's functions; macros are left alone."""
    lines = decode((tree.root / file).read_bytes()).split("\n")
    first = 0
    for last, line in enumerate(lines):
        if line == "{":
            first = last
        if line != "}" or not first:
            continue
        for at in range(first + 1, last):
            if lines[at].endswith("\\"):
                continue
            place = Place(lines, at, first, last)
            for how, operator in OPERATORS.items():
                for new, rules, where in operator(place):
                    drop = at - 1 if how == "access after the end" else at
                    text = "\n".join([*lines[:drop], *new, *lines[at + 1 :]])
                    reported_at = None if where is None else drop + where + 1
                    within = range(first + 1, last + len(new) + 1)
                    yield Mutant(how, file, text, frozenset(rules), reported_at, within)
        first = 0


def by_shape(tree: Tree, population: list[Mutant]) -> list[list[Report]]:
    """Run the SmPL checker on each mutant."""
    options = Options(tree.root, not tree.features.masked_directed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "tree").mkdir()
        files = [f"{number}.c" for number in range(len(population))]
        for file, mutant in zip(files, population, strict=True):
            (folder / "tree" / file).write_bytes(encode(mutant.text))
        moved = dataclasses.replace(tree, root=folder / "tree")
        with Cache(folder / "cache") as cache:
            facts, _ = spatch.facts(
                moved, DATA / WINDOW_SCRIPT, files, cache, JOBS, TIMEOUT
            )
        results = []
        for file, mutant in zip(files, population, strict=True):
            known = facts.get(file)
            seen = load(known, mutant.file) if known else Facts(mutant.file)
            results.append(list(check(mutant.text, seen, options).reports))
        return results


def by_unit(
    tree: Tree, population: list[Mutant], name: str
) -> list[list[Report] | None]:
    """Run a compiler-based engine on each mutant; None for one that does not compile."""
    engine = ENGINES[name]
    results: list[list[Report] | None] = []
    for mutant in population:
        found: list[Report] | None = None
        for target in engine.targets(mutant.file):
            try:
                build = prepare(tree.root, target, default_folder(), JOBS)
                command = commands(build, [mutant.file]).get(mutant.file)
                if command is None:
                    continue
                with tempfile.TemporaryDirectory() as folder:
                    place = Path(folder) / "tree"
                    lay(tree.root, {mutant.file: mutant.text}, place)
                    argv = tuple(moved(command.argv, tree.root, place))
                    compiled = dataclasses.replace(command, argv=argv)
                    unit = Unit(build, compiled, place / mutant.file, place)
                    found = list(engine.look(unit, Path(folder))[0])
                break
            except (EngineError, BuildError):
                continue
        results.append(found)
    return results


def caught(mutant: Mutant, reports: list[Report]) -> bool:
    """Whether the broken rule is reported at the expected line."""
    return any(
        report.rule in mutant.rules
        and (
            report.line in mutant.within
            if mutant.line is None
            else report.line == mutant.line
        )
        for report in reports
    )


def main() -> None:
    """Print the number of mutants caught, by operator."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tree", type=Path)
    parser.add_argument("--engine", choices=[SPATCH, *ENGINES], default=SPATCH)
    parser.add_argument(
        "--sample", type=int, help="limit to N mutants, chosen at random"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--missed", action="store_true", help="list missed mutants")
    options = parser.parse_args()
    tree = find_tree(options.tree)
    with tempfile.TemporaryDirectory() as folder, Cache(Path(folder)) as cache:
        files = mentioning(mentions(tree, [tree.root], cache, [WINDOW])[0], WINDOW)
    population = [
        mutant
        for file in files
        for mutant in mutants(tree, file)
        if any(options.engine in rule(code).engines for code in mutant.rules)
    ]
    if options.sample and options.sample < len(population):
        population = random.Random(options.seed).sample(population, options.sample)
    if options.engine == SPATCH:
        results: list[list[Report] | None] = [*by_shape(tree, population)]
    else:
        results = by_unit(tree, population, options.engine)
    count: Counter[tuple[str, str]] = Counter()
    missed = []
    for mutant, reports in zip(population, results, strict=True):
        outcome = "not compiled" if reports is None else "missed"
        if reports is not None and caught(mutant, reports):
            outcome = "caught"
        elif reports is not None:
            missed.append(mutant)
        count[mutant.how, outcome] += 1
    for how in OPERATORS:
        parts = [
            f"{count[how, o]} {o}"
            for o in ("caught", "missed", "not compiled")
            if count[how, o]
        ]
        if parts:
            print(f"{how:28} {', '.join(parts)}")
    total = Counter(outcome for (_, outcome), n in count.items() for _ in range(n))
    print(
        f"{len(population)} mutants: {total['caught']} caught, {total['missed']} missed, {total['not compiled']} not compiled"
    )
    for mutant in missed if options.missed else ():
        print(f"{mutant.file}:{mutant.line or mutant.within.start}: {mutant.how}")


if __name__ == "__main__":
    main()
