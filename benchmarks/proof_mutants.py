#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Counts how many wrong rewrites running the code finds out, of those made by breaking right ones.

Every window that a rewrite of the tree opens is broken in one way at a time: two accesses change
places, one is missing or made twice, a value is narrowed, another member is meant, the range
is too short, the direction is the other one, an end is missing, a fault returns 0, an early return
leaves the window open, what was begun is not tested, a value loses a bit or its sign, is wrong for
one number, or is read once more.

What stands around the windows is broken as well: a call changes places with the statement after it
(a lock that is given back too early, memory that is freed before it is used), is made with
another argument or not at all, an initialiser or memset() is dropped, kzalloc() becomes kmalloc(), a
check of what is returned or of a range is dropped, a READ_ONCE() or readl() changes its width.

A sample of these is proven against the original, and must be refused. What is not refused is printed, for a person to say whether it
really does something else: a range that is one byte too short may still cover what is accessed.

    python3 benchmarks/proof_mutants.py TREE [--sample N] [--seed N] [--target NAME] [PATH…]
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hotcocci.cli.analyse import analyse, trees  # noqa: E402
from hotcocci.cli.gated import changes  # noqa: E402
from hotcocci.cli.main import parser as commands  # noqa: E402
from hotcocci.errors import UserError  # noqa: E402
from hotcocci.findings import DIFFERENT  # noqa: E402
from hotcocci.proof.executions import run_all  # noqa: E402
from hotcocci.proof.task import Task, tasks  # noqa: E402
from hotcocci.tree.build import prepare  # noqa: E402
from hotcocci.tree.targets import KERNELS, TARGETS  # noqa: E402

BEGIN = re.compile(r"^(?P<indent>\t+)if \(!user_(?P<mode>read_|write_)?access_begin\(")
ACCESS = re.compile(r"^\t+unsafe_(?:get|put)_user\(")
PUT = re.compile(
    r"^(?P<head>\t+unsafe_put_user\()(?P<value>.*?)(?P<tail>,\s*&?[^,()]+,\s*\w+\);)$",
    re.DOTALL,
)
# Statements around the windows of a function.
CALL = re.compile(r"^(?P<indent>\t+)(?P<name>[a-z_]\w*)\((?P<arguments>[^()]*)\);$")
RELEASE = re.compile(
    r"^\t+(?:\w*free|\w*unlock\w*|\w*put\w*|up_read|up_write)\([^;]*\);$"
)
CLEARED = re.compile(r"^\t+memset\(.*\);$")
INITIALISED = re.compile(r"^(?P<head>\t+struct \w+ \w+) = \{\s*(?:0\s*)?\};$")
CHECK = re.compile(
    r"^(?P<head>\t+if \()(?P<what>!?access_ok\(.*\)|[a-z]\w* (?:<|>|!=) \w+|![a-z]\w*)\)$"
)
WIDTHS = {"readl(": "readw(", "writel(": "writew(", "readq(": "readl("}
END = re.compile(r"^\t+user_(?:read_|write_)?access_end\(\);$")
NAMES = tuple(target.name for target in KERNELS)


@dataclass(frozen=True)
class Mutant:
    """A broken file: how it was broken, and at which line of the rewritten file."""

    kind: str
    line: int
    text: str


def main() -> int:
    """Break, prove and count; returns the exit code."""
    options = parse()
    try:
        made = list(mutants(options))
    except UserError as error:
        print(error, file=sys.stderr)
        return 2
    random.Random(options.seed).shuffle(made)
    chosen = made[: options.sample]
    by_task: dict[int, tuple[str, Mutant]] = {}
    todo = []
    for task, mutant in chosen:
        todo.append(task)
        by_task[id(task)] = (task.file, mutant)
    refused: Counter[str] = Counter()
    all_: Counter[str] = Counter()
    for task, executions in run_all(todo, options.jobs):
        file, mutant = by_task[id(task)]
        all_[mutant.kind] += 1
        if any(e.verdict == DIFFERENT for e in executions):
            refused[mutant.kind] += 1
            continue
        said = "; ".join(f"{e.function}: {e.verdict} {e.detail}" for e in executions)
        print(f"{file}:{mutant.line}: {mutant.kind}: {said}", flush=True)
    print("| broken how | refused | of |")
    print("|---|--:|--:|")
    for kind in sorted(all_):
        print(f"| {kind} | {refused[kind]} | {all_[kind]} |")
    print(f"| all | {refused.total()} | {all_.total()} |")
    return 0


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tree", type=Path, help="a clean kernel tree")
    parser.add_argument("paths", nargs="*", help="only these files of it")
    parser.add_argument("--sample", type=int, default=150, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--target", choices=NAMES, default="x86-64")
    parser.add_argument("--jobs", type=int, default=2, metavar="N")
    parser.add_argument(
        "--cache-dir", type=Path, default=Path.home() / ".cache/hotcocci"
    )
    return parser.parse_args()


def mutants(options: argparse.Namespace) -> Iterator[tuple[Task, Mutant]]:
    """Every way to break every window of the tree's rewrites, as a task to be proven."""
    paths = [str(options.tree / path) for path in options.paths] or [str(options.tree)]
    asked = ["lint", *paths, "--cache-dir", str(options.cache_dir), "--api", "classic"]
    args = commands().parse_args(asked)
    ((tree, inside),) = trees(args.paths)
    analysis = analyse(tree, inside, args)
    build = prepare(tree.root, TARGETS[options.target], options.cache_dir)
    for change in changes(analysis.rewrites, analysis.rewrites, analysis.texts):
        # Windows that were there before are not ours to break.
        known = set(change.before.splitlines())
        broken = [m for m in ways(change.after, known)]
        wanted = [(change.file, change.before, mutant.text) for mutant in broken]
        yield from zip(
            (tasks(build, [each])[0] for each in wanted), broken, strict=True
        )


def ways(text: str, known: set[str]) -> Iterator[Mutant]:
    """The ways to break the windows of a text; lines that are known are not touched."""
    lines = text.split("\n")
    functions: set[int] = set()
    for first, line in enumerate(lines):
        begin = BEGIN.match(line)
        if not begin or line in known:
            continue
        last = next(n for n in range(first, len(lines)) if lines[n] == "}")
        start = max((n for n in range(first) if lines[n] == "{"), default=first)
        if start not in functions:
            functions.add(start)
            yield from _around(lines, start, last)
        yield from _accesses(lines, first, last)
        yield from _frame(lines, first, last)
        mode = begin["mode"]
        if mode:
            other = {"read_": "write_", "write_": "read_"}[mode]
            yield _with(
                "direction", lines, first, first + 1, line.replace(mode, other, 1)
            )
        yield _with(
            "not tested", lines, first, first + 1, line.replace("(!", "(0 && !", 1)
        )
        head = "\n".join(lines[first : first + 2])
        if "sizeof(" in head:
            short = head.replace("sizeof(", "1 + 0 * sizeof(", 1)
            yield _with("range", lines, first, first + 2, short)


def _accesses(lines: list[str], first: int, last: int) -> Iterator[Mutant]:
    found = list(_statements(lines, first, last))
    for (a, b), (c, d) in zip(found, found[1:], strict=False):
        one, two = "\n".join(lines[a:b]), "\n".join(lines[c:d])
        if b == c:
            yield _with("swapped", lines, a, d, f"{two}\n{one}")
        here, there = one.rsplit(",", 2), two.rsplit(",", 2)
        if len(here) == len(there) == 3:
            yield _with("other member", lines, a, b, f"{here[0]},{there[1]},{here[2]}")
    for a, b in found:
        one = "\n".join(lines[a:b])
        yield _with("missing", lines, a, b, "\t;")
        yield _with("twice", lines, a, b, f"{one}\n{one}")
        put = PUT.match(one)
        if put:
            narrow = f"{put['head']}(u8)({put['value']}){put['tail']}"
            yield _with("narrowed", lines, a, b, narrow)
            value = f"(unsigned long)({put['value']})"
            early = f"\tif ({value} == 5)\n\t\treturn -EINVAL;\n{one}"
            yield _with("early return", lines, a, b, early)
            for kind, value in _values(put["value"]):
                yield _with(kind, lines, a, b, f"{put['head']}{value}{put['tail']}")


def _values(value: str) -> Iterator[tuple[str, str]]:
    """A value that is wrong in a way that few numbers show."""
    same = f"(typeof({value}))"
    yield "bit lost", f"{same}((unsigned long)({value}) & ~(1UL << 3))"
    yield "sign lost", f"{same}((unsigned long)({value}) & 0x7fffffffUL)"
    yield (
        "wrong for one",
        f"{same}((unsigned long)({value}) + ((u32)(unsigned long)({value}) == 0x7fffffffU))",
    )


def _around(lines: list[str], start: int, last: int) -> Iterator[Mutant]:
    """Break the code around the windows of a function."""
    for number in range(start, last):
        line = lines[number]
        call = CALL.match(line)
        if call and not ACCESS.match(line) and not END.match(line):
            yield _with("call dropped", lines, number, number + 1, "\t;")
            yield from _moved(lines, start, number)
            if call["arguments"].strip():
                first, *rest = call["arguments"].split(", ")
                if len(rest) > 1 and rest[0] != rest[1]:
                    swapped = ", ".join([first, rest[1], rest[0], *rest[2:]])
                    broken = f"{call['indent']}{call['name']}({swapped});"
                    yield _with("wrong argument", lines, number, number + 1, broken)
        if CLEARED.match(line):
            yield _with("initialiser dropped", lines, number, number + 1, "\t;")
        cleared = INITIALISED.match(line)
        if cleared:
            bare = f"{cleared['head']};"
            yield _with("initialiser dropped", lines, number, number + 1, bare)
        if "kzalloc(" in line:
            fresh = line.replace("kzalloc(", "kmalloc(", 1)
            yield _with("allocation not zeroed", lines, number, number + 1, fresh)
        check = CHECK.match(line)
        if check:
            never = f"{check['head']}0 && ({check['what']}))"
            yield _with("check dropped", lines, number, number + 1, never)
        for wide, narrow in WIDTHS.items():
            if wide in line:
                other = line.replace(wide, narrow, 1)
                yield _with("other width", lines, number, number + 1, other)


def _moved(lines: list[str], start: int, number: int) -> Iterator[Mutant]:
    """What gives something back, in front of the window before it."""
    line = lines[number]
    begins = [n for n in range(start, number) if BEGIN.match(lines[n])]
    if RELEASE.match(line) and begins:
        first = begins[-1]
        kept = [line, *lines[first:number]]
        yield _with("released early", lines, first, number + 1, "\n".join(kept))


def _frame(lines: list[str], first: int, last: int) -> Iterator[Mutant]:
    """What stands around the accesses: ends, and what a fault returns."""
    label = False
    for number in range(first, last):
        line = lines[number]
        label = label or bool(re.match(r"\w+:$", line))
        if END.match(line):
            yield _with("no end", lines, number, number + 1, "\t;")
        if label and line.strip() == "return -EFAULT;":
            zero = line.replace("-EFAULT", "0")
            yield _with("fault returns 0", lines, number, number + 1, zero)


def _statements(lines: list[str], first: int, last: int) -> Iterator[tuple[int, int]]:
    """The accesses, each from its first line up to the one behind its last."""
    number = first
    while number < last:
        start = number
        if ACCESS.match(lines[number]):
            while not lines[number].endswith(");"):
                number += 1
            yield start, number + 1
        number += 1


def _with(kind: str, lines: list[str], start: int, end: int, text: str) -> Mutant:
    return Mutant(kind, start + 1, "\n".join([*lines[:start], text, *lines[end:]]))


if __name__ == "__main__":
    sys.exit(main())
