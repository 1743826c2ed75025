#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Counts what a window saves where it saves most: snd_pcm_ioctl_sync_ptr_compat() on PowerPC 8xx.

sound/core/pcm_native.c is compiled as it is and as UA101 rewrites it. The write part is what
runs where nothing fails: it begins with the first instruction that the debug information
(addr2line, with what it was inlined into) puts on a line of the nine stores, or of what opens
their window, and ends with the switch of user access behind the ninth store. That must be one
straight piece of code. What is reached on a fault only lies elsewhere and does not count.

The check of the range is part of it where the compiler makes one. Two of the nine stores need
none before the rewrite, and the window needs none after it: the read part made the same check.

    python3 benchmarks/powerpc_sync_ptr.py TREE [--show]

The tree is never written to; needs gcc-powerpc-linux-gnu.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hotcocci.c.source import apply  # noqa: E402
from hotcocci.cache import Cache  # noqa: E402
from hotcocci.engines import spatch  # noqa: E402
from hotcocci.errors import UserError  # noqa: E402
from hotcocci.findings import WRITE  # noqa: E402
from hotcocci.rewrite.decide import decide_runs  # noqa: E402
from hotcocci.c.facts_json import load  # noqa: E402
from hotcocci.c.seen import source_of  # noqa: E402
from hotcocci.rewrite.session import options_for  # noqa: E402
from hotcocci.tree.build import Build, prepare  # noqa: E402
from hotcocci.tree.command import commands, generate  # noqa: E402
from hotcocci.tree.kernel import find_tree  # noqa: E402
from hotcocci.tree.overlay import lay, moved  # noqa: E402
from hotcocci.tree.targets.powerpc_8xx import POWERPC_8XX  # noqa: E402

FILE = "sound/core/pcm_native.c"
FUNCTION = "snd_pcm_ioctl_sync_ptr_compat"
# The special register whose value lets the kernel at user memory, or keeps it away.
STORES = 9
STORE = re.compile(r"st[bhw]\w*\s")
SWITCH = re.compile(r"mtspr\s+794,")
INSTRUCTION = re.compile(r"^\s*([0-9a-f]+):\s+(?:[0-9a-f]{2} ){4}\s*(.*)$")


@dataclass(frozen=True)
class Instruction:
    """One instruction, and the lines of the file that it comes from, innermost first."""

    address: str
    text: str
    lines: frozenset[int]


def main() -> int:
    """Compile twice and print what was counted; returns the exit code."""
    options = parse()
    try:
        tree = find_tree(options.tree).root
        build = prepare(tree, POWERPC_8XX, options.cache_dir)
        texts = {
            "before": source_of(str(tree / FILE)).text,
            "after": rewritten(tree, options.cache_dir),
        }
        print("| | before | after |")
        print("|---|--:|--:|")
        parts = {name: measured(build, text) for name, text in texts.items()}
    except UserError as error:
        print(error, file=sys.stderr)
        return 2
    for label, pattern in (
        ("instructions of the write part", r""),
        ("stores", STORE.pattern),
        ("switches of user access (mtspr 794)", SWITCH.pattern),
        ("checks of the range (comparisons)", r"cmp"),
        ("calls", r"bl\s"),
    ):
        counts = (
            str(sum(bool(re.match(pattern, i.text)) for i in part))
            for part in parts.values()
        )
        print(f"| {label} | {' | '.join(counts)} |")
    if options.show:
        for name, part in parts.items():
            print(f"\n{name}:")
            print("\n".join(f"{i.address:>8}  {i.text}" for i in part))
    return 0


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tree", type=Path, help="a clean kernel tree")
    parser.add_argument("--show", action="store_true", help="print the instructions")
    parser.add_argument(
        "--cache-dir", type=Path, default=Path.home() / ".cache/hotcocci"
    )
    return parser.parse_args()


def rewritten(tree: Path, cache_dir: Path) -> str:
    """The file with every safe window of the function."""
    script = ROOT / "cocci/user_access_run.cocci"
    with Cache(cache_dir) as cache:
        seen, _ = spatch.facts(find_tree(tree), script, [FILE], cache, 1, 120)
    text = source_of(str(tree / FILE)).text
    facts = load(seen[FILE], FILE)
    _, made = decide_runs(text, facts, options_for(tree, "classic", "3"))
    own = [r for r in made if r.finding.function == FUNCTION]
    if WRITE not in {r.finding.direction for r in own}:
        raise UserError(f"{FUNCTION} has no run of writes in this tree")
    return apply(text, tuple(dict.fromkeys(e for r in own for e in r.edits)))


def measured(build: Build, text: str) -> list[Instruction]:
    """The instructions of the write part of a text."""
    with tempfile.TemporaryDirectory(prefix="hotcocci-benchmark-") as folder:
        place, object_ = Path(folder) / "tree", Path(folder) / "out.o"
        lay(build.tree, {FILE: text}, place)
        # In this order: make says nothing of an object that is there.
        command = commands(build, [FILE])[FILE]
        generate(build, FILE)
        argv = moved(command.argv, build.tree, place)
        run([*argv, "-g", "-c", "-o", str(object_), str(place / FILE)], build.out)
        return straight(instructions(object_), write_lines(text))


def straight(code: Sequence[Instruction], lines: frozenset[int]) -> list[Instruction]:
    """From the first instruction on these lines to the switch behind the last store."""
    own = [n for n, instruction in enumerate(code) if instruction.lines & lines]
    stores = [n for n in own if STORE.match(code[n].text)]
    if len(stores) != STORES:
        raise UserError(f"{len(stores)} stores on the lines of {STORES}")
    end = next(n for n in range(stores[-1], own[-1] + 1) if SWITCH.match(code[n].text))
    if set(range(own[0], end + 1)) - set(own):
        raise UserError("the write part is not one straight piece of code")
    return list(code[own[0] : end + 1])


def write_lines(text: str) -> frozenset[int]:
    """The lines of the nine stores with what opens and closes user memory for them."""
    lines = text.splitlines()
    start = next(
        n for n, s in enumerate(lines) if s.startswith(f"static int {FUNCTION}(")
    )
    end = lines.index("}", start)
    part = [
        number
        for number in range(start, end)
        if re.search(r"put_user\(|user_write_access_(begin|end)\(", lines[number])
    ]
    last = next(n for n in range(part[0], end) if lines[n] == "\treturn 0;")
    # Arguments may stand on lines of their own; a return is what follows a fault.
    return frozenset(
        number + 1 for number in range(part[0], last) if "return" not in lines[number]
    )


def instructions(object_: Path) -> list[Instruction]:
    """The whole text of an object with its lines.

    The function is inlined into its caller, so that its name says nothing: only lines do.
    """
    disassembly = run(
        ["powerpc-linux-gnu-objdump", "-d", "--section=.text", str(object_)]
    )
    found = [m.groups() for m in map(INSTRUCTION.match, disassembly.splitlines()) if m]
    told = run(
        ["powerpc-linux-gnu-addr2line", "-a", "-i", "-j", ".text", "-e", str(object_)],
        given="\n".join(address for address, _ in found),
    )
    lines: list[set[int]] = []
    for line in told.splitlines():
        if line.startswith("0x"):
            lines.append(set())
        elif found_line := re.search(rf"{re.escape(FILE)}:(\d+)", line):
            lines[-1].add(int(found_line[1]))
    return [
        Instruction(address, text, frozenset(each))
        for (address, text), each in zip(found, lines, strict=True)
    ]


def run(command: Sequence[str], where: Path | None = None, given: str = "") -> str:
    """What a program prints; raises UserError if it fails or is not there."""
    try:
        ran = subprocess.run(
            command, cwd=where, input=given, capture_output=True, text=True, check=False
        )
    except FileNotFoundError as error:
        raise UserError(
            f"{command[0]} is not installed: apt-get install gcc-powerpc-linux-gnu"
        ) from error
    if ran.returncode:
        raise UserError(f"{command[0]} failed: {ran.stderr.strip()[:500]}")
    return ran.stdout


if __name__ == "__main__":
    sys.exit(main())
