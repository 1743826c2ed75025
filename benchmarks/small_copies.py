#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Counts and models copies of each size, by copy_from_user() and by UA203's helper, and back.

Functions that copy as many bytes as their caller says are appended to a file of the tree and compiled
with kbuild's flags: with copy_from_user() and copy_to_user(), and with the helpers in
include/linux/uaccess.h. For each size and direction this
prints the instructions and calls of the non-faulting path, including the routines, and the cycles
that the model gives for each processor of the target; 48 bytes, which the helpers leave to
copy_from_user() and copy_to_user(), show what their test costs.

    python3 benchmarks/small_copies.py TREE [--target NAME]... [--cache-dir FOLDER]

The tree is never written to.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hotcocci.cache import default_folder  # noqa: E402
from hotcocci.engines.compiler import compile_file  # noqa: E402
from hotcocci.errors import UserError  # noqa: E402
from hotcocci.findings import READ, WRITE, Cost, Count, Gain, Other  # noqa: E402
from hotcocci.machine.code import CALL  # noqa: E402
from hotcocci.machine.costs.streams import Counted, Stream, with_cycles  # noqa: E402
from hotcocci.proof import costs  # noqa: E402
from hotcocci.rewrite.options import SMALL_SIZES, Options  # noqa: E402
from hotcocci.rules.coccicheck import options_for  # noqa: E402
from hotcocci.rules.ua203_runtime_size import helper  # noqa: E402
from hotcocci.tree.build import Build, prepare  # noqa: E402
from hotcocci.tree.command import Unit, commands  # noqa: E402
from hotcocci.tree.kernel import Tree, find_tree  # noqa: E402
from hotcocci.tree.source import decode, lay  # noqa: E402
from hotcocci.tree.targets import TARGETS  # noqa: E402

# A small file that is compiled for every target.
FILE = "lib/strncpy_from_user.c"
LARGE = 48
SIZES = (*SMALL_SIZES, LARGE)
FUNCTION = """
int small_copy_{name}({sides}, unsigned long n);
int small_copy_{name}({sides}, unsigned long n)
{{
	return {call}(to, from, n) ? -EFAULT : 0;
}}
"""
CASE = re.compile(r"\s*case (\d+):$")
# Targets with words of 32 bits
NARROW = frozenset({"i386", "powerpc-8xx", "powerpc-book3s32"})
SIDES = {
    READ: "void *to, const void __user *from",
    WRITE: "void __user *to, const void *from",
}

# A direction and a size, and what they gain
Row = tuple[tuple[str, int], Gain]


def texts(tree: Tree, options: Options) -> tuple[str, str, Other]:
    """The file before and after, with the function of each direction, and the header."""
    text = decode((tree.root / FILE).read_bytes())
    header = helper.header_text(options)
    if header is None:
        raise UserError(f"{tree.root} has no {helper.HEADER}")
    sides = []
    for calls in (helper.COPIED, helper.NAMES):
        made = [
            FUNCTION.format(name=way, sides=SIDES[way], call=calls[way])
            for way in (READ, WRITE)
        ]
        sides.append(text + "".join(made))
    added = helper.addition(options, header)
    if helper.has_helper(header, READ):
        return sides[0], sides[1], Other(helper.HEADER, header, header)
    (at,) = added.edits
    new = header[: at.start] + at.text + header[at.end :]
    return sides[0], sides[1], Other(helper.HEADER, header, new)


def codes(
    build: Build, before: str, after: str, header: Other, place: Path
) -> list[costs.Code]:
    """Both sides, compiled."""
    command = commands(build, [FILE])[FILE]
    lines = costs.changed(before, after)
    found = []
    sides = (("old", before, header.old), ("new", after, header.new))
    for (name, text, head), touched in zip(sides, lines, strict=True):
        root = place / name
        lay(build.tree, {FILE: text, header.file: head}, root)
        made = compile_file(build, command, root, place / f"{name}.o", costs.FLAGS)
        if made.object is None:
            raise UserError(f"{FILE} does not compile: {made.error}")
        unit = Unit(build, command, root / FILE, root)
        found.append(costs.Code(costs.Side(unit, made.object, touched), FILE))
    return found


def words_at(header: str, direction: str) -> dict[int, int]:
    """The number of words left to copy at each line of a helper that makes an access."""
    lines = header.split("\n")
    name = f"{helper.NAMES[direction]}("
    start = next(n for n, line in enumerate(lines) if line.startswith(name))
    found, left = {}, None
    for number in range(start, lines.index("}", start)):
        match = CASE.match(lines[number])
        left = int(match[1]) if match else left
        if left is not None and "unsafe_" in lines[number]:
            found[number + 1] = left
    return found


def path_of(
    code: costs.Code, function: str, words: set[int], lines: dict[int, int]
) -> tuple[Count, Stream, int]:
    """The non-faulting path that copies these words inline: its counts and code, and the function's bytes.

    ``lines`` has the word of each line of the header. Without words, the path calls the routine.
    """
    (piece,) = code.pieces(function)
    wanted = set()
    for insn in code.code(piece.stretches):
        if not code.counter.accesses(insn):
            continue
        made = {lines.get(n) for n in code.lines_in(insn, helper.NAMES.values())}
        if made & words if words else insn.kind == CALL:
            wanted.add(insn.address)
    chosen = replace(piece, accesses=frozenset(wanted))
    path = code.success(chosen, code.ways(chosen), max(len(words), 1))
    if path is None:
        raise UserError(f"{function}() has no path that copies words {sorted(words)}")
    size = sum(length for _, length in piece.stretches)
    return code.counter.total(path), code.stream(path), size


def counted(build: Build, sides: Sequence[costs.Code], header: str) -> list[Row]:
    """The gain of each size and direction, with modelled cycles."""
    word = 4 if build.target.name in NARROW else 8
    names, found = [], []
    for way in (READ, WRITE):
        lines = words_at(header, way)
        for size in SIZES:
            inline = size <= 8 if word == 4 else size != LARGE
            words = set(range(1, size // word + 1)) or {0}
            name = f"small_copy_{way}"
            before = path_of(sides[0], name, set(), {})
            after = path_of(sides[1], name, words if inline else set(), lines)
            made = [Cost(count, count, bytes_) for count, _, bytes_ in (before, after)]
            gain = Gain(build.target.name, FILE, name, made[0], made[1])
            found.append(Counted(gain, (before[1], after[1])))
            names.append((way, size))
    return list(zip(names, with_cycles(found), strict=True))


def printed(rows: Sequence[Row]) -> Iterator[str]:
    """The rows of a table: counts, then cycles as modelled."""
    models = [cycles.processor for cycles in rows[0][1].cycles]
    head = ["direction", "bytes", "instructions", "calls", *models]
    yield "| " + " | ".join(head) + " |"
    yield "|---" + "|--:" * (len(head) - 1) + "|"
    for (way, size), gain in rows:
        old, new = gain.before.success, gain.after.success
        assert old is not None and new is not None
        cells = [way, str(size), f"{old.instructions} -> {new.instructions}"]
        cells.append(f"{old.calls} -> {new.calls}")
        cells += [f"{c.before:.0f} -> {c.after:.0f}" for c in gain.cycles]
        yield "| " + " | ".join(cells) + " |"


def main() -> int:
    """Measure a tree."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tree", type=Path, metavar="TREE")
    parser.add_argument("--target", dest="targets", action="append", default=[])
    parser.add_argument("--cache-dir", type=Path, default=default_folder())
    options = parser.parse_args()
    try:
        tree = find_tree(options.tree)
        made = texts(tree, options_for(tree.root, "", ""))
        for name in options.targets or ["x86-64"]:
            build = prepare(tree.root, TARGETS[name], options.cache_dir, 2)
            with tempfile.TemporaryDirectory(prefix="hotcocci-") as folder:
                sides = codes(build, *made, Path(folder))
                rows = counted(build, sides, made[2].new)
            print(f"{tree.root.name} on {name}\n")
            print("\n".join(printed(rows)) + "\n")
    except UserError as error:
        print(f"small_copies: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
