#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Counts what each form of user access costs on a kernel's targets, for hotcocci/machine/costs/accesses.

    python3 benchmarks/access_costs.py TREE [--target NAME]... [--cache-dir FOLDER]

Functions with one and with two accesses of a form are compiled in place of lib/ctype.c; the second
access costs the difference. What a window costs without its accesses is what is left of it when one
access and a function's own instructions are taken away. Prints the counts of each form, by target:
instructions, calls, switches, fences, loads, copies, returns.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import astuple, fields
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hotcocci.findings import Change, Count  # noqa: E402
from hotcocci.pipeline.inputs import prepared  # noqa: E402
from hotcocci.pipeline.paths import trees  # noqa: E402
from hotcocci.pipeline.settings import Settings  # noqa: E402
from hotcocci.proof.gate import check_all  # noqa: E402
from hotcocci.tree.build import BuildError  # noqa: E402
from hotcocci.tree.targets import KERNELS  # noqa: E402

FILE = "lib/ctype.c"
HEAD = """\
#include <linux/errno.h>
#include <linux/uaccess.h>
struct two { unsigned int a, b; };
struct four { unsigned int a, b, c, d; };
"""
LEAVE = "return -EFAULT;"
# One access each, of word {n}: the arguments are int p and k, pointers to user and kernel memory.
PLAIN = {
    "get_user": "if (get_user(k[{n}], p + {n})) " + LEAVE,
    "put_user": "if (put_user(k[{n}], p + {n})) " + LEAVE,
    "__get_user": "if (__get_user(k[{n}], p + {n})) " + LEAVE,
    "__put_user": "if (__put_user(k[{n}], p + {n})) " + LEAVE,
    "get_user_inline": "if (get_user_inline(k[{n}], p + {n})) " + LEAVE,
    "put_user_inline": "if (put_user_inline(k[{n}], p + {n})) " + LEAVE,
    "copy_from_user": "if (copy_from_user(k + {n}, p + {n}, 4)) " + LEAVE,
    "copy_to_user": "if (copy_to_user(p + {n}, k + {n}, 4)) " + LEAVE,
    "__copy_from_user": "if (__copy_from_user(k + {n}, p + {n}, 4)) " + LEAVE,
    "__copy_to_user": "if (__copy_to_user(p + {n}, k + {n}, 4)) " + LEAVE,
}
# Windows of two words: how they begin and end, and the access in them.
GET, PUT = (
    f"unsafe_{name}_user(k[{{n}}], p + {{n}}, Efault);" for name in ("get", "put")
)
MASKED = "if (can_do_masked_user_access()) p = masked_user_access_begin(p); else "
WINDOWS = {
    name: (f"{masked}if (!{begin}(p, 8)) {LEAVE}", access, f"{end}();")
    for name, masked, begin, access, end in (
        ("user_read_access_begin", "", "user_read_access_begin", GET, "user_read_access_end"),
        ("user_write_access_begin", "", "user_write_access_begin", PUT, "user_write_access_end"),
        ("user_access_begin", "", "user_access_begin", GET, "user_access_end"),
        ("masked_user_access_begin read", MASKED, "user_read_access_begin", GET, "user_read_access_end"),
        ("masked_user_access_begin write", MASKED, "user_write_access_begin", PUT, "user_write_access_end"),
        ("masked_user_access_begin rw", MASKED, "user_access_begin", GET, "user_access_end"),
    )
}  # fmt: skip
SCOPES = {
    name: (f"{name}_size(p, 8, Efault) {{", access, "}")
    for name, access in (
        ("scoped_user_read_access", GET),
        ("scoped_user_write_access", PUT),
        ("scoped_user_rw_access", GET),
    )
}
# Forms that some trees lack.
LACKING = {
    "get_user_inline": "get_user_inline",
    "put_user_inline": "put_user_inline",
    **{name: "masked_user_access_begin" for name in WINDOWS if " " in name},
    **{name: name for name in SCOPES},
}


def main() -> int:
    """Print the counts of each target as TOML."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tree", type=Path)
    parser.add_argument("--target", dest="targets", action="append", default=[])
    parser.add_argument("--cache-dir", type=Path, default=Settings().cache_dir)
    options = parser.parse_args()
    settings = Settings(cache_dir=options.cache_dir)
    ((tree, _),) = trees([options.tree])
    text = (tree.root / "include/linux/uaccess.h").read_text(encoding="utf-8")
    lacking = {name for name, needed in LACKING.items() if needed not in text}
    one, two = (_probes(number, lacking) for number in (1, 2))
    for target in KERNELS:
        if options.targets and target.name not in options.targets:
            continue
        try:
            build = prepared(tree, target, settings)
        except BuildError as error:
            print(f"{target.name}: {error}", file=sys.stderr)
            continue
        proof = next(check_all(tree.root, [Change(FILE, one, two)], build, 1))
        for failed in (one for one in proof.failed if one.name != "checkpatch"):
            print(f"{target.name}: {failed.name}: {failed.detail}", file=sys.stderr)
        paths = {
            gain.function: (gain.before.success, gain.after.success)
            for gain in proof.gains
        }
        print(f"{target.name}:")
        for name, figures in _figures(paths, lacking):
            print(f'"{name}" = {list(figures)}')
    return 0


def _probes(number: int, lacking: set[str]) -> str:
    """A file with a function for each form, which makes this number of accesses."""
    text = HEAD
    for name, access in PLAIN.items():
        if name not in lacking:
            made = "\n".join(access.format(n=n) for n in range(number))
            text += _function(name, made)
    for name, (begin, access, end) in {**WINDOWS, **SCOPES}.items():
        if name not in lacking:
            made = "\n".join(access.format(n=n) for n in range(number))
            fault = end if end != "}" else ""
            text += _function(
                name, f"{begin}\n{made}\n{end}", f"Efault:\n{fault}\n{LEAVE}"
            )
    # A range check, and copies of a structure: beside one access, so that there is a path.
    many = {
        "access_ok": "if (!access_ok(p, 4)) " + LEAVE,
        "copy_from_user 16": "if (copy_from_user(k + 4, p + 4, 16)) " + LEAVE,
        "copy_to_user 16": "if (copy_to_user(p + 4, k + 4, 16)) " + LEAVE,
    }
    first = PLAIN["__put_user"].format(n=0)
    for name, more in many.items():
        text += _function(name, "\n".join([more] * (number - 1) + [first]))
    return text


def _function(name: str, body: str, after: str = "") -> str:
    head = f"int {_symbol(name)}(unsigned int __user *p, unsigned int *k)"
    # A result of its own, or the compiler merges functions that do the same.
    own = sum(name.encode())
    return f"{head};\n{head}\n{{\n{body}\nreturn {own};\n{after}\n}}\n"


def _symbol(name: str) -> str:
    return "probe_" + name.replace(" ", "_")


def _figures(
    paths: dict[str, tuple[Count | None, Count | None]], lacking: set[str]
) -> Iterator[tuple[str, tuple[int, ...]]]:
    known: dict[str, tuple[Count, Count]] = {}
    for name in (*PLAIN, *WINDOWS, *SCOPES, "access_ok", "copy_from_user 16", "copy_to_user 16"):  # fmt: skip
        if name in lacking:
            continue
        before, after = paths.get(_symbol(name), (None, None))
        if before is None or after is None:
            print(f"{name}: path unknown", file=sys.stderr)
            continue
        known[name] = before, after
    for name, (before, after) in known.items():
        each = _less(after, before)
        if name in PLAIN or " 16" in name or name == "access_ok":
            yield name, astuple(each)
    for name, (before, after) in known.items():
        if name in WINDOWS or name in SCOPES:
            # A function's entry and exit, without what closes access after the path's last branch.
            own = _around(known["__put_user" if "write" in name else "__get_user"])
            if "read" not in name and "write" not in name:
                # Opened for both, it closes as a write does.
                own = Count(
                    own.instructions, *astuple(_around(known["__put_user"]))[1:]
                )
            each = _less(after, before)
            yield f"{name}: access", astuple(each)
            yield name, astuple(_less(_less(before, each), own))


def _around(counts: tuple[Count, Count]) -> Count:
    """What a function with one access counts without it."""
    return _less(counts[0], _less(counts[1], counts[0]))


def _less(one: Count, other: Count) -> Count:
    return Count(
        *(getattr(one, f.name) - getattr(other, f.name) for f in fields(Count))
    )


if __name__ == "__main__":
    sys.exit(main())
