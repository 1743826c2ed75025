#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Counts what windows save in snd_pcm_ioctl_sync_ptr_compat(), on every target.

sound/core/pcm_native.c is compiled as it is and as rewritten by UA101, and, if a second tree is
given, as it is there: Linux 7.x has the windows that Christophe Leroy added. x86-64 also has the x32
variant, in a file that pcm_native.c #includes.

A part is the code on the success path that belongs to the lines of the accesses and their window,
including inlined callees; hotcocci/machine/counts.py picks that path. "Code" counts the
compiler's output, as the mail does; "run" also counts the instructions inside __get_user_4() and
the like. A range check counts if the compiler emits one: on PowerPC the window needs none, because
the read part made the same check.

    python3 benchmarks/sync_ptr.py TREE [HUMAN] [--target NAME] [--show]

The trees are never written to; needs the cross compilers listed by 'run.py doctor'.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hotcocci.c.matches import load, source_of  # noqa: E402
from hotcocci.c.source import apply  # noqa: E402
from hotcocci.cache import Cache  # noqa: E402
from hotcocci.engines import spatch  # noqa: E402
from hotcocci.engines.compiler import compile_file  # noqa: E402
from hotcocci.errors import UserError  # noqa: E402
from hotcocci.findings import Count  # noqa: E402
from hotcocci.machine.code import BRANCH, Instruction  # noqa: E402
from hotcocci.proof import costs  # noqa: E402
from hotcocci.rules.coccicheck import options_for  # noqa: E402
from hotcocci.rules.ua101_user_access_run import decide  # noqa: E402
from hotcocci.tree.build import Build, prepare  # noqa: E402
from hotcocci.tree.command import Unit, commands  # noqa: E402
from hotcocci.tree.kernel import find_tree  # noqa: E402
from hotcocci.tree.process import run  # noqa: E402
from hotcocci.tree.source import lay  # noqa: E402
from hotcocci.tree.targets import (  # noqa: E402
    KERNELS,
    TARGETS,
    Target,  # noqa: E402
)

UNIT = "sound/core/pcm_native.c"
# The functions and their files; the second one is only compiled for x32.
FUNCTIONS = {
    "snd_pcm_ioctl_sync_ptr_compat": UNIT,
    "snd_pcm_ioctl_sync_ptr_x32": "sound/core/pcm_compat.c",
}
# Patterns for the lines of a part
PARTS = {
    "read": re.compile(r"get_user\(|user_read_access_(?:begin|end)\("),
    "write": re.compile(r"put_user\(|user_write_access_(?:begin|end)\("),
}
FIGURES = ("code", "run", "calls", "switches", "fences")
LISTED = re.compile(r"^\s*([0-9a-f]+):\s+(.*)$")


@dataclass(frozen=True)
class Part:
    """One part of one function in one state: its instructions and their cost."""

    path: tuple[Instruction, ...]
    code: Count
    run: Count

    def figure(self, name: str) -> int:
        """Return one of `FIGURES`."""
        if name in ("code", "run"):
            return int(getattr(self, name).instructions)
        return int(getattr(self.run, name))


@dataclass(frozen=True)
class State:
    """A state of the files: its name, its tree, and the texts."""

    name: str
    tree: Path
    texts: dict[str, str]


def main() -> int:
    """Compile each state for each target and print the counts; returns the exit code."""
    options = parse()
    targets = [TARGETS[name] for name in options.target] or list(KERNELS)
    try:
        states = [*ours(find_tree(options.tree).root, options.cache_dir)]
        if options.human:
            states.append(as_it_is("human", find_tree(options.human).root))
        print(f"Each cell: {', '.join(state.name for state in states)}\n")
        print(f"| target | function | part | {' | '.join(FIGURES)} |")
        print("|---|---|---|" + "--:|" * len(FIGURES))
        shown = []
        for target in targets:
            shown += table(target, states, options)
    except UserError as error:
        print(error, file=sys.stderr)
        return 2
    print("\n".join(shown))
    return 0


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tree", type=Path, help="a clean kernel tree without windows")
    parser.add_argument("human", type=Path, nargs="?", help="one with them")
    parser.add_argument(
        "--target", action="append", default=[], choices=[t.name for t in KERNELS]
    )
    parser.add_argument("--show", action="store_true", help="print the instructions")
    parser.add_argument(
        "--cache-dir", type=Path, default=Path.home() / ".cache/hotcocci"
    )
    return parser.parse_args()


def ours(root: Path, cache_dir: Path) -> Iterator[State]:
    """Return the files as they are, and with every safe window."""
    script = ROOT / "cocci/user_access.cocci"
    files = list(FUNCTIONS.values())
    with Cache(cache_dir) as cache:
        seen, _ = spatch.facts(find_tree(root), script, files, cache, 1, 120)
    before = as_it_is("before", root)
    after = {}
    for function, file in FUNCTIONS.items():
        text = before.texts[file]
        _, rewrites = decide(
            text, load(seen[file], file), options_for(root, "classic", "3")
        )
        if function not in {r.finding.function for r in rewrites}:
            raise UserError(f"{function}() has no run of accesses in {root}")
        after[file] = apply(
            text, tuple(dict.fromkeys(e for r in rewrites for e in r.edits))
        )
    yield before
    yield State("ours", root, after)


def as_it_is(name: str, root: Path) -> State:
    """Read the files of a tree."""
    return State(
        name, root, {f: source_of(str(root / f)).text for f in FUNCTIONS.values()}
    )


def table(
    target: Target, states: list[State], options: argparse.Namespace
) -> list[str]:
    """Print the rows of one target; returns the instructions for --show."""
    found: list[dict[tuple[str, str], Part]] = []
    shown = []
    with tempfile.TemporaryDirectory(prefix="hotcocci-benchmark-") as folder:
        for state in states:
            build = prepare(state.tree, target, options.cache_dir)
            place = Path(folder) / state.name
            object_ = Path(folder) / f"{state.name}.o"
            unit = compiled(build, state, place, object_)
            found.append(measured(unit, object_, state))
            if options.show:
                text = listing(target, object_)
                for (function, part), one in found[-1].items():
                    shown.append(
                        f"\n{target.name}, {function}(), {part}, {state.name}:"
                    )
                    shown += [text[insn.address.offset] for insn in one.path]
    for key in found[0]:
        cells = (
            ", ".join(str(f[key].figure(name)) if key in f else "-" for f in found)
            for name in FIGURES
        )
        print(f"| {target.name} | {' | '.join((*key, *cells))} |", flush=True)
    return shown


def compiled(build: Build, state: State, place: Path, object_: Path) -> Unit:
    """Compile the unit that contains the functions."""
    lay(build.tree, state.texts, place)
    command = commands(build, [UNIT])[UNIT]
    result = compile_file(build, command, place, object_, costs.FLAGS)
    if result.object is None:
        raise UserError(
            f"{UNIT} does not compile for {build.target.name}: {result.error}"
        )
    return Unit(build, command, place / UNIT, place)


def measured(unit: Unit, object_: Path, state: State) -> dict[tuple[str, str], Part]:
    """Count the parts of the functions in the unit, on its target."""
    found = {}
    for function, file in FUNCTIONS.items():
        for name, pattern in PARTS.items():
            lines = lines_of(state.texts[file], function, pattern)
            code = costs.Code(costs.Side(unit, object_, lines), file)
            pieces = code.pieces(function, everything=False)
            if not pieces:
                continue
            ways = code.ways(pieces[0])
            path = code.success(pieces[0], ways, ways.most)
            if path is None:
                raise UserError(f"{function}() has no path through its {name} part")
            own = part_of(path, code)
            counter = code.counter
            part = Part(own, counter.written(own), counter.total(own))
            found[function, name] = part
    return found


def part_of(path: tuple[Instruction, ...], code: costs.Code) -> tuple[Instruction, ...]:
    """Select the instructions of a path that belong to the lines of a part.

    The part ends with the last access, switch, fence or test of its result; what the compiler emits
    after that belongs to the function's epilogue. The last switch belongs to the part even if the
    compiler merged it with the one on the error path.
    """
    counter = code.counter
    own = {n for n, insn in enumerate(path) if code.touched(insn)}
    switches = [n for n, insn in enumerate(path) if counter.flow.mark(insn)]
    accesses = [n for n in own if counter.accesses(path[n])]
    tests = [n for n in own if path[n].kind == BRANCH]
    fences = [n for n in own if path[n].fence]
    end = max([*accesses, *tests, *switches, *fences])
    return tuple(
        insn
        for n, insn in enumerate(path)
        if n <= end and (n in own or n == max(switches, default=-1))
    )


def lines_of(text: str, function: str, words: re.Pattern[str]) -> frozenset[int]:
    """Return the line numbers of a part, without the error path."""
    lines = text.splitlines()
    start = next(
        n for n, s in enumerate(lines) if s.startswith(f"static int {function}(")
    )
    end = lines.index("\treturn 0;", start)
    found = set()
    depth = 0
    for number in range(start, end):
        if depth > 0 or words.search(lines[number]):
            # An access may continue on the next line.
            depth += lines[number].count("(") - lines[number].count(")")
            found.add(number + 1)
    return frozenset(found)


def listing(target: Target, object_: Path) -> dict[int, str]:
    """Disassemble .text; returns the lines by address."""
    program = f"{target.cross_compile}objdump"
    argv = [program, "-dr", "-w", "-j", ".text", str(object_)]
    dump = run(argv, object_.parent, 60)
    found = (LISTED.match(line) for line in dump.out.splitlines())
    return {int(m[1], 16): m[0] for m in found if m}


if __name__ == "__main__":
    sys.exit(main())
