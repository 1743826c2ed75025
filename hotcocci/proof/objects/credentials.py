# SPDX-License-Identifier: GPL-2.0
"""The assumption on credentials: calls do not change those of the current task.

A task's credentials are changed only by the task itself, and a struct cred is immutable once
installed (Documentation/security/credentials.rst). So other CPUs may write everything except
current->cred, current->real_cred and what these point to. Calls that change credentials change these
as well: functions of the file and its headers are judged by their text, others by their names.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hotcocci.proof.objects.signatures import Signatures
from hotcocci.rules.ld301_credential_reload.changes import changers, names_change
from hotcocci.tree.source import decode, read

ASSUMED = "called functions do not change current->cred"
# x86 per-CPU variables that hold or begin with the current task (arch/x86/include/asm/current.h).
# Elsewhere a register holds the task, placed at the start of the per-CPU area.
CURRENT = ("pcpu_hot", "const_pcpu_hot", "current_task", "const_current_task")
_MEMBERS = ("cred", "real_cred")


@dataclass(frozen=True)
class Credentials:
    """Offsets in bytes of the credential pointers in a task, and the size of a struct cred.

    ``changers`` are the functions of the file and its headers that change credentials.
    """

    offsets: tuple[int, ...]
    size: int
    changers: frozenset[str] = frozenset()

    def changed_by(self, name: str) -> bool:
        """Whether a call of this name changes credentials."""
        # gcc appends .isra.0 and the like to the names of static functions.
        return names_change(name) or name.partition(".")[0] in self.changers


def changers_in(root: Path, file: str) -> frozenset[str]:
    """The functions in a file of a tree, and in its headers, that change credentials."""
    return changers(decode(read(root / file)), root, file)


def credentials(signatures: Signatures, changing: frozenset[str]) -> Credentials:
    """Read the layout of credentials from debug information; no ``offsets`` if it has none."""
    offsets = [signatures.offset("task_struct", member) for member in _MEMBERS]
    known = tuple(offset for offset in offsets if offset is not None)
    return Credentials(known, signatures.size("cred"), changing)
