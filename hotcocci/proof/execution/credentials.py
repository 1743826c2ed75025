# SPDX-License-Identifier: GPL-2.0
"""What the emulator takes for granted of credentials: calls leave those of the task that runs alone.

Only a task itself changes its credentials, and what they hold does not change (Documentation/security/
credentials.rst). So memory that others write to meanwhile is all but current->cred, current->real_cred
and what these point to; a call that is known to change credentials changes them, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from hotcocci.proof.execution.inputs import Memory, Origin
from hotcocci.proof.execution.signatures import Signatures
from hotcocci.proof.execution.space import Layout, Registry
from hotcocci.rewrite.loads.credential_changes import names_change

ASSUMED = "called functions do not change current->cred"
# Variables of an x86 processor that begin with the task that runs (arch/x86/include/asm/current.h);
# elsewhere a register holds the task, which lies at the beginning of what belongs to a processor.
CURRENT = ("pcpu_hot", "const_pcpu_hot", "current_task", "const_current_task")
_MEMBERS = ("cred", "real_cred")


class Space(Protocol):
    """What is needed of the emulated memory."""

    layout: Layout

    def read(self, address: int, size: int) -> bytes:
        """Bytes at a virtual address."""


@dataclass(frozen=True)
class Credentials:
    """Where the pointers to credentials lie in a task, in bytes, and how large what they point to is."""

    registry: Registry
    offsets: tuple[int, ...]
    size: int

    def after(self, space: Space, name: str) -> list[tuple[int, bytes]]:
        """What a call of that name leaves alone: addresses, and the bytes there now."""
        return [] if names_change(name) else self._kept(space)

    def pointers(self, space: Space) -> Iterator[int]:
        """The addresses of the pointers, of the task that runs."""
        for task in self._tasks(space):
            for offset in self.offsets:
                yield task + offset

    def _kept(self, space: Space) -> list[tuple[int, bytes]]:
        layout = space.layout
        found = []
        for pointer in self.pointers(space):
            data = space.read(pointer, layout.pointer)
            target = int.from_bytes(data, layout.order)
            found.append((pointer, data))
            if layout.user_high <= target < layout.end - self.size:
                found.append((target, space.read(target, self.size)))
        return found

    def read(self, space: Space, origins: dict[Origin, int]) -> bool:
        """Whether a run has read one of the pointers."""
        size = space.layout.pointer
        return any(Memory(at, size) in origins for at in self.pointers(space))

    def _tasks(self, space: Space) -> Iterator[int]:
        layout = space.layout
        yield layout.percpu
        for name in CURRENT:
            symbol = self.registry.symbols.get(name)
            if symbol is not None:
                at = layout.percpu + symbol - layout.outside
                yield int.from_bytes(space.read(at, layout.pointer), layout.order)


def credentials(signatures: Signatures, registry: Registry) -> Credentials:
    """What an object's debug information says of credentials; nothing if it does not know them."""
    offsets = [signatures.offset("task_struct", member) for member in _MEMBERS]
    known = tuple(offset for offset in offsets if offset is not None)
    return Credentials(registry, known, signatures.size("cred"))
