#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Plants ten kinds of mistakes in our rewrites, one a file, and counts those that bench --faults sees.

python3 benchmarks/planted.py TREE [KIND…]

A mistake is seen if a call with a bad or partly mapped object returns something else or leaves other
bytes, if the kernel crashes, or if its build has a new warning.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from hotcocci.bench import run as bench  # noqa: E402
from hotcocci.bench.catalogue import X86_64, catalogue, chosen  # noqa: E402
from hotcocci.bench.counts import faults  # noqa: E402
from hotcocci.cache import default_folder  # noqa: E402
from hotcocci.errors import UserError  # noqa: E402
from hotcocci.findings import PREPARED  # noqa: E402
from hotcocci.pipeline.proving import propose  # noqa: E402
from hotcocci.pipeline.settings import Settings  # noqa: E402
from hotcocci.tree.kernel import Tree, find_tree  # noqa: E402

EPOLL = "include/linux/eventpoll.h"
PCM = "sound/core/pcm_native.c"
MESSAGE = "net/compat.c"
SIGNAL = "arch/x86/kernel/signal_64.c"
TIME = "kernel/time/time.c"
# The function that objtool warns of
_NAMED = re.compile(r"objtool: (\w+)")
# The operations that run these
OPERATIONS = {
    EPOLL: "epoll_wait",
    PCM: "pcm_sync_ptr_32",
    MESSAGE: "sendmsg_recvmsg_32",
    SIGNAL: "sigreturn_frame",
    TIME: "clock_gettime",
}


@dataclass(frozen=True)
class Kind:
    """A mistake: a pattern in our rewrite of a file, and what replaces its first match."""

    file: str
    pattern: str
    replacement: str


KINDS = {
    "order of stores": Kind(
        EPOLL, r"(\tunsafe_put_user\(revents,.*\n)(\tunsafe_put_user\(.*\n)", r"\2\1"
    ),
    "range of another object": Kind(
        TIME, r"(masked_user_access_begin\(uts)", r"\1 + 1"
    ),
    "direction of an access": Kind(
        MESSAGE, r"unsafe_get_user(\(msg.msg_namelen)", r"unsafe_put_user\1"
    ),
    "end missing on a fault": Kind(
        MESSAGE, r"(\nefault:\n)\tuser_read_access_end\(\);\n", r"\1"
    ),
    "wrong errno": Kind(PCM, r"(efault_read:\n.*\n\treturn -)EFAULT", r"\1EINVAL"),
    "wrong member": Kind(MESSAGE, r"&umsg->msg_controllen", "&umsg->msg_flags"),
    "access left out": Kind(
        PCM, r"\tunsafe_put_user\(sstatus\.suspended_state.*\n", ""
    ),
    "value truncated": Kind(
        EPOLL, r"unsafe_put_user\(data", "unsafe_put_user((u32)data"
    ),
    # epoll_wait() checks the range of all events before, get_compat_msghdr() has pointers of 32 bits.
    "mask left out": Kind(TIME, r"uts = (masked_user_access_begin)", r"(void)\1"),
    "label that skips a cleanup": Kind(
        SIGNAL, r"(Efault:\n\tuser_read_access_end\(\);\n)", r"\1\treturn 0;\n"
    ),
}


def main() -> int:
    """Print how each mistake is seen; returns 1 if one is not, or if our rewrites are seen without one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tree", type=Path)
    parser.add_argument("kinds", nargs="*", metavar="KIND")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cache-dir", type=Path, default=default_folder())
    options = parser.parse_args()
    planting = Planting(find_tree(options.tree), options.jobs, options.cache_dir)
    wanted = options.kinds or list(KINDS)
    calls, differ = planting.control()
    print(f"without a mistake: {differ} of {calls} calls differ", flush=True)
    seen = 0
    for names in rounds(wanted):
        for name, said in planting.seen(names).items():
            seen += bool(said)
            print(f"{name}: {said or 'NOT SEEN'}", flush=True)
    print(f"{seen} of {len(wanted)} kinds seen")
    return int(seen < len(wanted) or differ > 0)


def rounds(names: Sequence[str]) -> list[list[str]]:
    """Kinds that are planted in one kernel: one in each file, which one operation runs."""
    found: list[list[str]] = []
    for name in names:
        for each in found:
            if all(KINDS[name].file != KINDS[other].file for other in each):
                each.append(name)
                break
        else:
            found.append([name])
    return found


class Planting:
    """A tree in whose rewrites mistakes are planted; ``right`` is what they do without one."""

    def __init__(self, tree: Tree, jobs: int, cache: Path) -> None:
        self._tree = tree
        self._job = bench.Job(
            *(tree.root, X86_64, chosen(list(OPERATIONS.values()), catalogue())),
            *(cache, jobs),
            timeout=120.0,
            titled=nullcontext,
        )
        self._texts = self._rewritten()
        self._own = bench.behaviour(self._job, {})
        self._right = bench.behaviour(self._job, self._texts)

    def control(self) -> tuple[int, int]:
        """How many calls are made, and how many our rewrites make differ from the tree's own kernel."""
        calls, differ = faults(self._own.faults, self._right.faults, self._timed)
        return calls, len(differ)

    @property
    def _timed(self) -> set[str]:
        return {each.name for each in self._job.operations if each.timed}

    def seen(self, names: Sequence[str]) -> dict[str, str]:
        """How mistakes of different files are seen; empty for one that is not.

        Raises UserError if a rewrite has no place for one.
        """
        planted = {KINDS[name].file: self._planted(KINDS[name]) for name in names}
        try:
            after = bench.behaviour(self._job, {**self._texts, **planted})
        except UserError as error:
            if len(names) == 1:
                return {names[0]: str(error)}
            return {n: said for name in names for n, said in self.seen([name]).items()}
        return {name: self._ways(KINDS[name].file, after) for name in names}

    def _ways(self, file: str, after: bench.Behaviour) -> str:
        """The ways in which a mistake in a file is seen."""
        own = f"fault {OPERATIONS[file]} "
        old, new = (
            [line for line in each.faults if line.startswith(own)]
            for each in (self._right, after)
        )
        calls, differ = faults(old, new, self._timed)
        ways = [f"{len(differ)} of {calls} calls differ"] if differ else []
        for warning in sorted(after.warnings - self._right.warnings):
            function = _NAMED.search(warning)
            if function and f"{function[1]}(" in self._texts[file]:
                ways.append(warning)
        return "; ".join(ways)

    def _planted(self, kind: Kind) -> str:
        right = self._texts.get(kind.file, "")
        text = re.sub(kind.pattern, kind.replacement, right, count=1)
        if text == right:
            raise UserError(f"our rewrite of {kind.file} has no {kind.pattern}")
        return text

    def _rewritten(self) -> dict[str, str]:
        """Our rewrites of all files."""
        job = self._job
        settings = Settings(
            tier=PREPARED, show="cold", jobs=job.jobs, cache_dir=job.cache
        )
        paths = [self._tree.root / file for file in OPERATIONS]
        changes = propose(self._tree, paths, settings).changes
        return {change.file: change.new for change in changes}


if __name__ == "__main__":
    try:
        sys.exit(main())
    except UserError as error:
        sys.exit(f"hotcocci: {error}")
