# SPDX-License-Identifier: GPL-2.0
"""Emulated memory whose pages are filled on first use and restored before every run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import unicorn
from unicorn import unicorn_const as ucc

from hotcocci.proof.execution import poison
from hotcocci.proof.execution.inputs import filling
from hotcocci.proof.execution.space import PAGE, Layout

# Physical addresses tell kernel memory, stack and user memory apart.
KERNEL_BASE, KERNEL_PAGES = 0x0000_0000, 8192
STACK_BASE = 0x1000_0000
USER_BASE, USER_PAGES = 0x2000_0000, 1024
USER_END = USER_BASE + USER_PAGES * PAGE


class OutOfMemory(Exception):
    """The run touched more pages than the emulator has."""


@dataclass
class Page:
    """A mapped page; ``clean`` is its content before a run, ``turn`` when it was last used."""

    address: int
    physical: int
    clean: bytes
    lazy: bool
    dirty: bool = False
    turn: int = 0


class AddressSpace:
    """The pages of one emulator.

    A page without a segment of the image is filled on first use, from the seed and its address.
    Physical pages are assigned in order of use.
    """

    def __init__(
        self,
        engine: unicorn.Uc,
        layout: Layout,
        segments: Mapping[int, bytearray],
        constants: Mapping[int, bytes],
        variables: Sequence[tuple[int, int]] = (),
    ) -> None:
        self.engine = engine
        self._variables = variables
        self.layout = layout
        self._segments = segments
        self._constants = constants
        self._pages: dict[int, Page] = {}
        self._by_physical: dict[int, Page] = {}
        self._seed = 0
        # The last argument of refill() in this run.
        self._salt = ""
        # Each run and each refill() starts a new turn. A page is updated when it is first used in a
        # turn. ``_begun`` is the first turn of the current run.
        self._turn = self._begun = 0
        # Single bytes by page: those set by the input, and those written by the run.
        self._values: dict[int, dict[int, int]] = {}
        self._written: dict[int, dict[int, int]] = {}
        # Free physical pages of kernel and of user memory.
        self._free = {
            False: [KERNEL_BASE + n * PAGE for n in reversed(range(KERNEL_PAGES))],
            True: [USER_BASE + n * PAGE for n in reversed(range(USER_PAGES))],
        }
        self._changed: list[Page] = []
        engine.mem_map(KERNEL_BASE, KERNEL_PAGES * PAGE)
        engine.mem_map(STACK_BASE, layout.stack_size)
        engine.mem_map(USER_BASE, USER_PAGES * PAGE)

    def reset(self, seed: int, values: Mapping[int, int]) -> None:
        """Restore memory for the next run; ``values`` are single bytes that the input sets."""
        for page in self._changed:
            self.engine.mem_write(page.physical, page.clean)
            page.dirty = False
        self._changed.clear()
        if seed != self._seed or len(self._pages) > KERNEL_PAGES // 2:
            self._seed = seed
            self._forget()
        self._salt = ""
        self._values = _by_page(values.items())
        self._written = {}
        self._next()
        self._begun = self._turn

    def physical(self, address: int) -> int:
        """The physical address of a virtual one; maps the page if needed."""
        start = address & -PAGE
        return self._page(start).physical + (address - start)

    def virtual(self, physical: int) -> int:
        """The virtual address that a physical one is mapped at."""
        start = physical & -PAGE
        return self._by_physical[start].address + (physical - start)

    def touch(self, address: int, size: int) -> None:
        """Mark up to two pages as changed because a run writes to them."""
        for start in {address & -PAGE, (address + size - 1) & -PAGE}:
            self._change(self._page(start))

    def read(self, address: int, size: int) -> bytes:
        """Read bytes at a virtual address."""
        data = b""
        while size:
            part = min(size, PAGE - address % PAGE)
            data += bytes(self.engine.mem_read(self.physical(address), part))
            address, size = address + part, size - part
        return data

    def write(self, address: int, data: bytes) -> None:
        """Write bytes at a virtual address; reset() undoes it."""
        while data:
            part = min(len(data), PAGE - address % PAGE)
            physical = self.physical(address)
            self.touch(address, part)
            self.engine.mem_write(physical, data[:part])
            address, data = address + part, data[part:]

    def keep(self, address: int, data: bytes) -> None:
        """Record bytes that the run wrote, which refill() must preserve."""
        for at, byte in enumerate(data, address):
            self._written.setdefault(at & -PAGE, {})[at] = byte

    def settle(self, address: int, size: int) -> None:
        """Fill memory from the seed, except where the run has written."""
        for start in range(address & -PAGE, address + size, PAGE):
            low, high = max(start, address), min(start + PAGE, address + size)
            data, written = self._filled(start, ""), self._written.get(start, {})
            for at in range(low, high):
                if at not in written:
                    self.write(at, data[at - start : at - start + 1])
            self._set(self._page(start), self._values)

    def clear(self, address: int, size: int) -> None:
        """Zero memory."""
        self.write(address, bytes(size))

    def words(self) -> Iterator[tuple[int, int]]:
        """The addresses and values of the words in pages of kernel memory that this run has used."""
        size = self.layout.pointer
        for page in self._pages.values():
            if (
                page.lazy
                and page.turn >= self._begun
                and not self.is_user(page.address)
            ):
                data = self.read(page.address, PAGE)
                for at in range(0, PAGE, size):
                    word = int.from_bytes(data[at : at + size], self.layout.order)
                    yield page.address + at, word

    def refill(self, salt: str, kept: Iterable[tuple[int, bytes]] = ()) -> None:
        """Change all memory filled by the seed, except what the run wrote, as other CPUs may.

        ``kept`` is memory that nobody else writes: addresses and contents. Per-CPU memory does not
        change either: the kernel takes it as constant (``current``).
        """
        self._salt = salt
        self._next()
        for address, data in kept:
            self.write(address, data)

    def _next(self) -> None:
        """Start a turn: flush the TLB, so that the emulator asks for each page."""
        self._turn += 1
        self.engine.ctl(ucc.UC_CTL_TLB_FLUSH, ucc.UC_CTL_IO_WRITE)

    def _page(self, start: int) -> Page:
        """The page at an address, updated for the current turn."""
        page = self._pages.get(start) or self._make(start)
        if page.turn == self._turn:
            return page
        if page.turn < self._begun:
            self._set(page, self._values)
        page.turn = self._turn
        if self._salt and self._is_shared(page):
            self._change(page)
            data = self._others(page, self._salt)
            self.engine.mem_write(page.physical, data)
            self._set(page, self._values)
            self._set(page, self._written)
        return page

    def _change(self, page: Page) -> None:
        """Mark a page as changed since the start of the run."""
        if not page.dirty:
            page.dirty = True
            self._changed.append(page)

    def _set(self, page: Page, by_page: Mapping[int, Mapping[int, int]]) -> None:
        """Write the single bytes that ``by_page`` has for a page."""
        for address, byte in by_page.get(page.address, {}).items():
            self._change(page)
            self.engine.mem_write(page.physical + address % PAGE, bytes([byte]))

    def _is_shared(self, page: Page) -> bool:
        """Whether others may write to a page: filled by the seed, or with variables of the object."""
        if not page.lazy:
            low, high = page.address, page.address + PAGE
            return any(start < high and low < end for start, end in self._variables)
        return not self.is_user(page.address) and not self.is_percpu(page.address)

    def _others(self, page: Page, salt: str) -> bytes:
        """The contents of a page after others have written to it."""
        data = self._filled(page.address, salt)
        if page.lazy:
            return data
        content = bytearray(page.clean)
        for start, end in self._variables:
            low = max(start, page.address) - page.address
            high = min(end, page.address + PAGE) - page.address
            if low < high:
                content[low:high] = data[low:high]
        return bytes(content)

    def is_percpu(self, address: int) -> bool:
        """Whether an address is in per-CPU memory, which includes the current task."""
        return 0 <= address - self.layout.percpu < 1 << 32

    def is_stack(self, address: int) -> bool:
        """Whether an address is on the stack of the run."""
        return 0 <= address - self.layout.stack < self.layout.stack_size

    def is_user(self, address: int) -> bool:
        """Whether an address is in user space."""
        return self.layout.user_low <= address < self.layout.user_high

    def _make(self, start: int) -> Page:
        lazy = False
        if self.is_stack(start):
            physical = STACK_BASE + (start - self.layout.stack)
            clean = poison.STACK * PAGE
        else:
            free = self._free[self.is_user(start)]
            if not free:
                raise OutOfMemory
            physical = free.pop()
            clean, lazy = self._content(start)
        page = Page(start, physical, clean, lazy)
        self._pages[start] = self._by_physical[physical] = page
        self.engine.mem_write(physical, clean)
        return page

    def _content(self, start: int) -> tuple[bytes, bool]:
        parts = [
            (base, data)
            for base, data in self._segments.items()
            if base < start + PAGE and start < base + len(data)
        ]
        content = bytearray(PAGE) if parts else bytearray(self._filled(start, ""))
        for base, data in parts:
            low, high = max(base, start), min(base + len(data), start + PAGE)
            content[low - start : high - start] = data[low - base : high - base]
        for address, known in self._constants.items():
            if address & -PAGE == start:
                content[address - start : address - start + len(known)] = known
        return bytes(content), not parts

    def _filled(self, start: int, salt: str) -> bytes:
        data = filling(self._seed, f"page {start:#x}{salt}", PAGE)
        return data if self.is_user(start) else self.layout.pointing(data)

    def _forget(self) -> None:
        """Unmap pages filled by the seed. Others stay, or code would have to be translated again."""
        for start in [p.address for p in self._pages.values() if p.lazy]:
            page = self._pages.pop(start)
            del self._by_physical[page.physical]
            self._free[self.is_user(start)].append(page.physical)


def _by_page(values: Iterable[tuple[int, int]]) -> dict[int, dict[int, int]]:
    found: dict[int, dict[int, int]] = {}
    for address, byte in values:
        found.setdefault(address & -PAGE, {})[address] = byte
    return found
