#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Counts the code of the 2011 permission check: original, rewritten, and with user_ns in struct cred.

    python3 benchmarks/acl_permission_check.py [TREE…]

First prints the findings of LD301 to LD303 in it, and in fs/namei.c of each kernel TREE, with the hot
lists and with a profile like the one in the mail. The function is kernel-fixtures/LD303/chain-2011.c.
The second form is rewritten by the tool in a miniature tree; the third is the second with the namespace
in struct cred, as 47a150edc2ae did. All instructions of the function are counted, and those of
current_user_ns() where it is called. Targets without a compiler are skipped.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hotcocci.engines.machine.code import CALL, Architecture  # noqa: E402
from hotcocci.engines.machine.arm64 import Arm64  # noqa: E402
from hotcocci.engines.machine.elf import Address, ObjectFile  # noqa: E402
from hotcocci.engines.machine.powerpc import PowerPC  # noqa: E402
from hotcocci.engines.machine.x86 import X86  # noqa: E402

FIXTURES = ROOT / "kernel-fixtures"
CASE = "LD303/chain-2011.c"
FUNCTION = "other"
HOT = FIXTURES / "hot.txt"
CODES = ("LD301", "LD302", "LD303")
MARK = re.compile(r"[ \t]*/\* want.*?\*/")
# From the mail of 2011-05-12: a path walk
PROFILE = """\
# Overhead  Command  Shared Object      Symbol
     5.41%  make     [kernel.kallsyms]  [k] __d_lookup_rcu
     1.28%  make     [kernel.kallsyms]  [k] acl_permission_check
     1.20%  make     [kernel.kallsyms]  [k] inode_permission
     1.10%  make     [kernel.kallsyms]  [k] link_path_walk
"""
ACCESSOR = "current_user_ns"
# Flags of a kernel build for these targets
TARGETS: dict[str, tuple[str, Architecture]] = {
    "x86-64": ("gcc -mno-red-zone -fcf-protection=none", X86(64)),
    "arm64": ("aarch64-linux-gnu-gcc", Arm64(0)),
    "powerpc": ("powerpc-linux-gnu-gcc", PowerPC()),
}
FLAGS = "-std=gnu11 -O2 -fno-strict-aliasing -fno-pic -fno-pie -fomit-frame-pointer -g0 -c".split()


def counted(kind: Architecture, path: Path, name: str) -> tuple[int, int, int]:
    """Count the instructions, calls and loads of a function in an object; zero if the object lacks it."""
    obj = ObjectFile(path)
    for symbol in obj.symbols:
        if symbol.name == name and symbol.address is not None:
            start = symbol.address
            end = start.offset + symbol.size
            code = [i for i in kind.decode(obj, Address(*start), end) if not i.nop]
            calls = sum(i.kind == CALL for i in code)
            return len(code), calls, sum(i.load for i in code)
    return 0, 0, 0


def miniature(folder: Path) -> Path:
    """Write the case to a file of a miniature tree."""
    tree = folder / "tree"
    shutil.copytree(FIXTURES / "classic", tree)
    shutil.copytree(FIXTURES / "harness/include", tree / "include", dirs_exist_ok=True)
    case = tree / "cases" / "check.c"
    case.parent.mkdir()
    case.write_text(MARK.sub("", (FIXTURES / CASE).read_text(encoding="utf-8")))
    return case


def run(command: str, path: Path, folder: Path, more: list[str]) -> str:
    """Run LD301 to LD303 on a path and return the output."""
    call = [sys.executable, str(ROOT / "run.py"), command, str(path)]
    call += [word for code in CODES for word in ("--rule", code)]
    call += ["--cache-dir", str(folder / "cache"), *more]
    done = subprocess.run(call, check=False, capture_output=True, text=True)
    if done.returncode == 2:
        sys.exit(done.stderr)
    return done.stdout


def rewritten(case: Path, folder: Path) -> str:
    """Return the case as rewritten by the tool."""
    more = ["--profile", str(HOT), "--tier", "prepared", "--apply"]
    run("patch", case, folder, [*more, "--allow-uncompiled"])
    return case.read_text(encoding="utf-8")


def print_findings(path: Path, root: Path, folder: Path, more: list[str]) -> None:
    """Print the findings, and the rules without one."""
    lines = run("lint", path, folder, ["--all", *more]).splitlines()
    print("\n".join(line.removeprefix(f"{root}/") for line in lines))
    missing = [code for code in CODES if not any(f" {code} " in s for s in lines)]
    print(f"no findings of: {' '.join(missing) or '-'}\n")


def compiled(text: str, command: str, options: list[str], path: Path) -> Path:
    """Compile a text in which the check is a separate function."""
    path.with_suffix(".c").write_text(
        text.replace(f"static int {FUNCTION}(", f"int {FUNCTION}(")
    )
    includes = [
        f"-I{FIXTURES / 'classic/include'}",
        f"-I{FIXTURES / 'harness/include'}",
    ]
    call = [*command.split(), *FLAGS, *options, *includes, "-o", str(path)]
    subprocess.run([*call, str(path.with_suffix(".c"))], check=True)
    return path


def main() -> None:
    """Lint, compile, count and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("trees", metavar="TREE", type=Path, nargs="*")
    trees = [tree.resolve() for tree in parser.parse_args().trees]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        case = miniature(folder)
        print("The check of 2011:")
        print_findings(case, case.parents[1], folder, ["--profile", str(HOT)])
        profile = folder / "profile"
        profile.write_text(PROFILE)
        for tree in trees:
            for what, more in (
                (", by the lists", []),
                (", by a profile", ["--profile", str(profile)]),
            ):
                print(f"{tree.name}/fs/namei.c{what}:")
                print_findings(tree / "fs/namei.c", tree, folder, more)
        old = (FIXTURES / CASE).read_text(encoding="utf-8")
        new = rewritten(case, folder)
        forms = [
            ("2011", old, []),
            ("rewritten", new, []),
            ("user_ns in struct cred", new, ["-DFIXTURE_CACHED_USER_NS"]),
        ]
        accessor = (FIXTURES / "harness/cred_2011.c").read_text(encoding="utf-8")
        print("| target | form | instructions | calls | loads |\n|---|---|--:|--:|--:|")
        for target, (command, kind) in TARGETS.items():
            if shutil.which(command.split()[0]) is None:
                print(f"{command.split()[0]} is not installed", file=sys.stderr)
                continue
            for form, text, options in forms:
                object_file = compiled(text, command, options, folder / "check.o")
                parts = [counted(kind, object_file, FUNCTION)]
                if f" {ACCESSOR}()" in text or f"({ACCESSOR}()" in text:
                    object_file = compiled(
                        accessor, command, options, folder / "accessor.o"
                    )
                    parts.append(counted(kind, object_file, ACCESSOR))
                counts = " | ".join(str(sum(each)) for each in zip(*parts))
                print(f"| {target} | {form} | {counts} |")


if __name__ == "__main__":
    main()
