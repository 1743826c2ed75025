#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Counts how many wrong rewrites ``prove`` accepts, by breaking right ones.

Every function that a rewrite of the tree changes, and that is proven unmodified, gets one to three
seeded mutations: reordered statements, other operands, widths, constants and paths, dropped code,
values read twice or kept too long, broken windows (mutants/). A mutant that does not compile, or
compiles to the same code, does not count. Survivors are printed for review: if one turns out to be
equivalent, record the reason in mutants/explained.txt.

Mutants are named TREE/FILE:FUNCTION:SEED-NUMBER. With --log, a run resumes where the last one
stopped, and the table covers the whole log; --show prints a mutant as a diff of the rewritten file.

    python3 benchmarks/proof_mutants.py TREE [--seed N] [--count N | --hours H] [--log FILE] [PATH…]
    python3 benchmarks/proof_mutants.py TREE --only NAME [--show]
"""

from __future__ import annotations

import argparse
import difflib
import random
import sys
import time
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

from mutants import record  # noqa: E402
from mutants.compose import Composed, compose  # noqa: E402
from mutants.judge import SURVIVOR, judged, proven  # noqa: E402
from mutants.record import Record  # noqa: E402
from mutants.subjects import Subject, subjects  # noqa: E402
from proofs import collected  # noqa: E402

from hotcocci.errors import UserError  # noqa: E402

# Mutants per chosen function: its rewrite is proven once for all of them.
EACH = 6


def main() -> int:
    """Break, prove and count; returns the exit code."""
    options = parse()
    try:
        found = [each for task in collected(options)[0] for each in subjects(task)]
    except UserError as error:
        print(error, file=sys.stderr)
        return 2
    by_name = {name(options, subject): subject for subject in found}
    if options.only:
        return only(options, by_name)
    known = record.explained()
    done = record.read(options.log) if options.log else {}
    end = time.monotonic() + options.hours * 3600 if options.hours else None
    for each in mutant_names(options, by_name):
        if end is not None and time.monotonic() > end:
            break
        if is_right(each.rpartition(":")[0], by_name, options, done):
            note(each, by_name, options, done, known)
    print("\n".join(record.table(done.values(), known)))
    return 0


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tree", type=Path, help="a clean kernel tree")
    parser.add_argument("paths", nargs="*", help="only these files")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--count", type=int, metavar="N", help="number of mutants")
    parser.add_argument("--hours", type=float, metavar="H", help="stop after H hours")
    parser.add_argument("--only", metavar="NAME", help="reproduce this mutant")
    parser.add_argument("--show", action="store_true", help="only print it")
    parser.add_argument("--log", type=Path, metavar="FILE")
    parser.add_argument(
        "--cache-dir", type=Path, default=Path.home() / ".cache/hotcocci"
    )
    fixed = argparse.Namespace(every=1, target="x86-64")
    return parser.parse_intermixed_args(namespace=fixed)


def name(options: argparse.Namespace, subject: Subject) -> str:
    """Name a function by tree, file and function."""
    return f"{options.tree.resolve().name}/{subject.task.file}:{subject.function}"


def mutant_names(
    options: argparse.Namespace, by_name: Mapping[str, Subject]
) -> Iterator[str]:
    """Yield mutant names from the seed: --count of them, or without end."""
    wanted = {f"{options.tree.resolve().name}/{path}" for path in options.paths}
    names = sorted(n for n in by_name if not wanted or n.rpartition(":")[0] in wanted)
    count = options.count or (sys.maxsize if options.hours else 100)
    for number in range(count if names else 0):
        draw = random.Random(f"{options.seed} {number // EACH}")
        yield f"{draw.choice(names)}:{options.seed}-{number}"


def mutant_of(
    mutant: str, by_name: Mapping[str, Subject]
) -> tuple[Subject, Composed | None]:
    """Build a mutant from just its name and the rewrite."""
    subject = by_name[mutant.rpartition(":")[0]]
    return subject, compose(random.Random(mutant), subject.after, subject.before)


def is_right(
    function: str,
    by_name: Mapping[str, Subject],
    options: argparse.Namespace,
    done: dict[str, Record],
) -> bool:
    """Whether the unmodified rewrite is proven; otherwise its mutants say nothing."""
    if function not in done:
        start = time.monotonic()
        outcome, details = proven(by_name[function].task)
        keep(
            Record(function, (), outcome, details, time.monotonic() - start),
            options,
            done,
        )
    return done[function].outcome == SURVIVOR


def note(
    mutant: str,
    by_name: Mapping[str, Subject],
    options: argparse.Namespace,
    done: dict[str, Record],
    known: Mapping[tuple[str, str], str],
) -> None:
    """Build and judge a new mutant, and print it if it survives."""
    if mutant in done:
        return
    subject, composed = mutant_of(mutant, by_name)
    if composed is None:
        return
    start = time.monotonic()
    outcome, details = judged(subject.broken(composed.lines), subject.task)
    seconds = round(time.monotonic() - start, 1)
    judged_record = Record(
        mutant, composed.kinds, outcome, details, seconds, composed.digest
    )
    keep(judged_record, options, done)
    if outcome == SURVIVOR and judged_record.key not in known:
        kinds = ", ".join(composed.kinds)
        print(f"{mutant} {composed.digest}: {kinds}: {details}", flush=True)


def keep(record_: Record, options: argparse.Namespace, done: dict[str, Record]) -> None:
    """Save the result of a mutant."""
    done[record_.name] = record_
    if options.log:
        record.write(options.log, record_)


def only(options: argparse.Namespace, by_name: Mapping[str, Subject]) -> int:
    """Print one mutant and its result; returns the exit code."""
    if options.only.rpartition(":")[0] not in by_name:
        print(f"{options.only}: no such rewrite", file=sys.stderr)
        return 2
    subject, composed = mutant_of(options.only, by_name)
    if composed is None:
        print("no mutation applies")
        return 0
    task = subject.broken(composed.lines)
    print(", ".join(composed.kinds))
    texts = (subject.task.new.split("\n"), task.new.split("\n"))
    diff = partial(difflib.unified_diff, fromfile="right", tofile="broken", lineterm="")
    print("\n".join(diff(*texts)))
    if not options.show:
        print(": ".join(judged(task, subject.task)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
