#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Counts the code of the 2011 permission check: original, rewritten, and with user_ns in struct cred.

    python3 benchmarks/acl_permission_check.py

The function is kernel-fixtures/LD301/chain-2011.c. The second form uses the macro that
current_user_ns() wraps; the third is the second with the namespace in struct cred, as 47a150edc2ae did. All instructions of the function are counted, and those of
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

from hotcocci.machine.arm64 import Arm64  # noqa: E402
from hotcocci.machine.code import CALL, Architecture  # noqa: E402
from hotcocci.machine.elf import Address, ObjectFile  # noqa: E402
from hotcocci.machine.powerpc import PowerPC  # noqa: E402
from hotcocci.machine.x86 import X86  # noqa: E402

FIXTURES = ROOT / "kernel-fixtures"
CASE = "LD301/chain-2011.c"
FUNCTION = "other"
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


def rewritten(text: str) -> str:
    """The check with the macro that current_user_ns() wraps."""
    return re.sub(rf"(?<!\w){ACCESSOR}\(\)", f"_{ACCESSOR}()", text)


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
    """Compile, count and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        old = (FIXTURES / CASE).read_text(encoding="utf-8")
        new = rewritten(old)
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
