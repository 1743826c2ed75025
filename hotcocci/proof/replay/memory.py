# SPDX-License-Identifier: GPL-2.0
"""The memory of one run: pages are filled on first use, the same on both sides."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import unicorn

from hotcocci.proof.objects.image import PAGE, Layout
from hotcocci.proof.symbolic.answer import Memory, Origin

# Physical addresses tell kernel memory, stack and user memory apart.
KERNEL_BASE, STACK_BASE, USER_BASE = 0x0000_0000, 0x1000_0000, 0x2000_0000
PAGES = 1024
# Contents of the stack that the run has not written
POISON = b"\xa5"


class OutOfMemory(Exception):
    """The run touched more pages than the emulator has."""


@dataclass(frozen=True)
class Page:
    """A mapped page; ``clean`` is its content before the run."""

    address: int
    physical: int
    clean: bytes


class Space:
    """The pages of one emulator.

    A page is filled from the ``segments`` of the image, or else with random numbers that follow from
    its address; single bytes that the input sets and ``constants`` take their place.
    """

    def __init__(
        self,
        engine: unicorn.Uc,
        layout: Layout,
        segments: Mapping[int, bytearray],
        constants: Mapping[int, bytes],
        values: Mapping[Origin, int],
    ) -> None:
        self.engine = engine
        self.layout = layout
        self._segments = segments
        self._constants = constants
        self._values = dict(_bytes(values))
        self._pages: dict[int, Page] = {}
        self._by_physical: dict[int, Page] = {}
        engine.mem_map(KERNEL_BASE, PAGES * PAGE)
        engine.mem_map(STACK_BASE, layout.stack_size)
        engine.mem_map(USER_BASE, PAGES * PAGE)
        self._free = {
            user: iter(range(base, base + PAGES * PAGE, PAGE))
            for user, base in ((False, KERNEL_BASE), (True, USER_BASE))
        }

    def physical(self, address: int) -> int:
        """The physical address of a virtual one; maps the page if needed."""
        return self._page(address).physical + address % PAGE

    def virtual(self, physical: int) -> int:
        """The virtual address that a physical one is mapped at."""
        return self._by_physical[physical & -PAGE].address + physical % PAGE

    def clean(self, address: int) -> int:
        """The byte that was at an address before the run."""
        return self._page(address).clean[address % PAGE]

    def read(self, address: int, size: int) -> bytes:
        """Read bytes at a virtual address."""
        data = b""
        while size:
            part = min(size, PAGE - address % PAGE)
            data += bytes(self.engine.mem_read(self.physical(address), part))
            address, size = address + part, size - part
        return data

    def write(self, address: int, data: bytes) -> None:
        """Write bytes at a virtual address."""
        while data:
            part = min(len(data), PAGE - address % PAGE)
            self.engine.mem_write(self.physical(address), data[:part])
            address, data = address + part, data[part:]

    def is_stack(self, address: int) -> bool:
        """Whether an address is on the stack of the run."""
        return 0 <= address - self.layout.stack < self.layout.stack_size

    def is_user(self, address: int) -> bool:
        """Whether an address is in user space."""
        return self.layout.user_low <= address < self.layout.user_high

    def _page(self, address: int) -> Page:
        start = address & -PAGE
        page = self._pages.get(start)
        if page is None:
            page = Page(start, self._place(start), self._content(start))
            self._pages[start] = self._by_physical[page.physical] = page
            self.engine.mem_write(page.physical, page.clean)
        return page

    def _place(self, start: int) -> int:
        if self.is_stack(start):
            return STACK_BASE + (start - self.layout.stack)
        found = next(self._free[self.is_user(start)], None)
        if found is None:
            raise OutOfMemory
        return found

    def _content(self, start: int) -> bytes:
        if self.is_stack(start):
            return POISON * PAGE
        parts = [
            (base, data)
            for base, data in self._segments.items()
            if base < start + PAGE and start < base + len(data)
        ]
        content = bytearray(PAGE if parts else filling(f"page {start:#x}", PAGE))
        for base, data in parts:
            low, high = max(base, start), min(base + len(data), start + PAGE)
            content[low - start : high - start] = data[low - base : high - base]
        for address, known in self._constants.items():
            if address & -PAGE == start:
                content[address - start : address - start + len(known)] = known
        for at, byte in self._values.items():
            if at & -PAGE == start:
                content[at - start] = byte
        return bytes(content)


def _bytes(values: Mapping[Origin, int]) -> Iterator[tuple[int, int]]:
    """The bytes of memory that an input sets, by address."""
    for origin, value in values.items():
        if isinstance(origin, Memory):
            for number in range(origin.size):
                yield origin.address + number, value >> 8 * number & 0xFF


def filling(what: str, size: int) -> bytes:
    """Pseudo-random bytes derived from a name."""
    return hashlib.shake_128(what.encode()).digest(size)


def word(what: str) -> int:
    """A pseudo-random 64-bit number derived from a name."""
    return int.from_bytes(filling(what, 8), "little")
