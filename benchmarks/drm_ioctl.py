#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Counts what a switch over common sizes saves in drm_ioctl(), and its cost in bytes.

drivers/gpu/drm/drm_ioctl.c is compiled with kbuild's flags, as it is and as rewritten by UA203, and
disassembled. For each listed size and direction, the success path is counted, from function entry
to the end of user access after the last word: instructions, calls, and opens and closes of user
access. For the general copy only the call is counted, not the callee. Paths come from
hotcocci/engines/machine/paths.py.

    python3 benchmarks/drm_ioctl.py TREE... [--file FILE --function NAME] [--cache-dir FOLDER]

The trees are never written to.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hotcocci.c.facts_json import load  # noqa: E402
from hotcocci.c.source import apply  # noqa: E402
from hotcocci.cache import Cache, default_folder  # noqa: E402
from hotcocci.engines import spatch  # noqa: E402
from hotcocci.engines.compiler import compile_file  # noqa: E402
from hotcocci.engines.machine.code import Instruction  # noqa: E402
from hotcocci.engines.machine.counts import Counter, routines  # noqa: E402
from hotcocci.engines.machine.elf import Address, Symbol  # noqa: E402
from hotcocci.engines.machine.paths import paths  # noqa: E402
from hotcocci.engines.machine.reading import Reading  # noqa: E402
from hotcocci.errors import UserError  # noqa: E402
from hotcocci.findings import READ, Count, Rewrite  # noqa: E402
from hotcocci.proof import costs  # noqa: E402
from hotcocci.rules.ua203_runtime_size.decide import decide  # noqa: E402
from hotcocci.rules.ua203_runtime_size.emit import parts  # noqa: E402
from hotcocci.rules.coccicheck import options_for  # noqa: E402
from hotcocci.tree.build import Build, prepare  # noqa: E402
from hotcocci.tree.command import Command, commands  # noqa: E402
from hotcocci.tree.kernel import Tree, find_tree  # noqa: E402
from hotcocci.tree.overlay import lay  # noqa: E402
from hotcocci.tree.source import decode  # noqa: E402
from hotcocci.tree.targets import usual  # noqa: E402
from hotcocci.tree.unit import Unit  # noqa: E402

SCRIPT = ROOT / "cocci/small_copy.cocci"
CASE = re.compile(r"^\s*case (\d+):$")


@dataclass(frozen=True)
class State:
    """One compiled form of the file."""

    reading: Reading
    counter: Counter
    function: str

    def lines(self, address: Address) -> set[int]:
        """Lines of the file's own functions that an instruction comes from, inlining included."""
        return {frame.line for frame in self.reading.lines.frames(address)}

    def path(self, wanted: Callable[[set[int]], bool], number: int) -> Count | None:
        """Count the path through this many accesses on wanted lines; None if there is no such path."""
        symbol = self.symbol()
        found = frozenset(
            insn.address
            for insn in self.instructions(symbol)
            if self.counter.accesses(insn) and wanted(self.lines(insn.address))
        )
        if not found:
            return None
        candidates = paths(self.reading.flow, symbol, found)
        path = candidates.shortest(number, self.counter.weight)
        return self.counter.total(path) if path else None

    def instructions(self, symbol: Symbol) -> Iterator[Instruction]:
        """Decode the function's instructions, first to last."""
        assert symbol.address is not None
        end = symbol.address.offset + symbol.size
        insn = self.reading.flow.instruction(symbol.address)
        while insn is not None and insn.address.offset < end:
            yield insn
            insn = self.reading.flow.instruction(insn.following)

    def symbol(self) -> Symbol:
        """Find the symbol of the function."""
        return next(
            s
            for s in self.reading.object.symbols
            if s.name == self.function and s.address is not None
        )


def rewrites_of(tree: Tree, file: str, cache_dir: Path) -> tuple[str, list[Rewrite]]:
    """Read the file and rewrite it with UA203."""
    text = decode((tree.root / file).read_bytes())
    with Cache(cache_dir) as cache:
        seen, _ = spatch.facts(tree, SCRIPT, [file], cache, 1, 120, None)
    options = options_for(tree.root, "", "")
    _, rewrites = decide(text, load(seen[file], file), options)
    return text, rewrites


def compiled(
    build: Build, command: Command, text: str, function: str, place: Path
) -> State:
    """Compile one form of the file."""
    lay(build.tree, {command.file: text}, place)
    result = compile_file(build, command, place, place / "unit.o", costs.FLAGS)
    if result.object is None:
        raise UserError(f"{command.file} does not compile: {result.error}")
    unit = Unit(build, command, place / command.file, place)
    reading = Reading(unit, result.object)
    counter = Counter(reading.flow, reading.marks, routines(build))
    return State(reading, counter, function)


def cases(text: str, helper: str) -> Iterator[tuple[int, range]]:
    """For each size, find the lines of its accesses in a helper."""
    lines = text.split("\n")
    start = next(n for n, line in enumerate(lines) if line.startswith(f"{helper}("))
    end = lines.index("}", start)
    heads = [n for n in range(start, end) if CASE.match(lines[n])]
    for head in heads:
        stop = next((n for n in range(head, end) if lines[n].strip() == "break;"), head)
        if any("unsafe_" in line for line in lines[head:stop]) and not any(
            CASE.match(line) for line in lines[head + 1 : stop]
        ):
            match = CASE.match(lines[head])
            assert match is not None
            yield int(match[1]), range(head + 2, stop + 1)


def measure(tree: Tree, options: argparse.Namespace) -> None:
    """Print the table of one tree."""
    text, rewrites = rewrites_of(tree, options.file, options.cache_dir)
    rewrites = [r for r in rewrites if r.finding.function == options.function]
    if not rewrites:
        raise UserError(f"{tree.root}: UA203 rewrites nothing in {options.function}()")
    edits = tuple(dict.fromkeys(edit for r in rewrites for edit in r.edits))
    new_text = apply(text, edits)
    build = prepare(tree.root, usual(tree.root), options.cache_dir, 2)
    command = commands(build, [options.file])[options.file]
    with tempfile.TemporaryDirectory(prefix="hotcocci-") as folder:
        place = Path(folder)
        old = compiled(build, command, text, options.function, place / "old")
        new = compiled(build, command, new_text, options.function, place / "new")
        print(f"{tree.root.name} on {build.target.name}: {options.function}()")
        print("  direction  bytes  instructions    calls   opens and closes")
        for rewrite in rewrites:
            line, direction = rewrite.finding.line, rewrite.finding.direction
            before = old.path(lambda lines, at=line: at in lines, 1)  # type: ignore[misc]
            name = "copy_from_user" if direction == READ else "copy_to_user"
            helper = f"{options.function.lstrip('_')}_{name}"
            for size, where in cases(new_text, helper):
                number = len(parts(size))
                after = new.path(
                    lambda lines, where=where: bool(lines & set(where)),  # type: ignore[misc]
                    number,
                )
                print(f"  {direction or '':9}  {size:5}  {_row(before, after)}")
        sizes = [state.symbol().size for state in (old, new)]
        grown = sizes[1] - sizes[0]
        print(f"  size: {sizes[0]} -> {sizes[1]} bytes of code, {grown:+}")


def _row(before: Count | None, after: Count | None) -> str:
    if before is None or after is None:
        return "unknown"
    return (
        f"{before.instructions:4} -> {after.instructions:4}  "
        f"{before.calls:2} -> {after.calls:2}   "
        f"{before.switches:2} -> {after.switches:2}"
    )


def main() -> int:
    """Measure each tree."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("trees", nargs="+", type=Path, metavar="TREE")
    parser.add_argument("--file", default="drivers/gpu/drm/drm_ioctl.c")
    parser.add_argument("--function", default="drm_ioctl")
    parser.add_argument("--cache-dir", type=Path, default=default_folder())
    options = parser.parse_args()
    try:
        for path in options.trees:
            measure(find_tree(path), options)
    except UserError as error:
        print(f"drm_ioctl: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
