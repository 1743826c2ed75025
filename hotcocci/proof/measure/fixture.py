# SPDX-License-Identifier: GPL-2.0
"""Write a recorded run as a file that the runner (runner_source.py) maps and repeats.

The file is a sequence of 64-bit words. As boot code does, calls of tracers become nops, static
branches are jumps or nops, and returns and indirect calls go through thunks only if asked.
"""

from __future__ import annotations

import bisect
import re
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from hotcocci.engines.machine.x86 import RETURN_THUNKS, TRACERS
from hotcocci.proof.execution.image import Image
from hotcocci.proof.execution.space import PAGE
from hotcocci.proof.measure.recording import WORD, Recording, changed

# Kinds of stubs in the runner.
ANSWER, COPY, FILL, CHECK = range(4)
KINDS = {
    **dict.fromkeys(("memcpy", "__memcpy", "memmove", "__memmove"), COPY),
    **dict.fromkeys(("memset", "__memset"), FILL),
    "__check_object_size": CHECK,
}
STUB = 13
# Bytes of stack that a run may use.
FRAME = 1 << 16
GENERAL = "rax rcx rdx rbx rsp rbp rsi rdi r8 r9 r10 r11 r12 r13 r14 r15".split()
INDIRECT = re.compile(r"^__x86_indirect_(?:call_|jump_)?thunk_(\w+)$")
NOP5 = bytes.fromhex("0f1f440000")
CALL, JUMP, SHORT_JUMP, SHORT_NOP = 0xE8, 0xE9, 0xEB, 0x66
# srso_alias_safe_ret (arch/x86/lib/retpoline.S): the return is predicted to the trap.
SAFE_RETURN = bytes.fromhex("e802000000 0f0b 488d642408 c3".replace(" ", ""))
PLAIN_RETURN = bytes.fromhex("c3cccccccc")


class FixtureError(Exception):
    """The run cannot be repeated by a process; the message says why."""


@dataclass(frozen=True)
class Variant:
    """How the code runs: with return thunks and retpolines, and with hardened usercopy."""

    thunks: bool = False
    hardened: bool = True


def fixture(
    image: Image,
    recording: Recording,
    entry: int,
    moved: Mapping[str, int],
    variant: Variant,
    size: int,
    patches: Mapping[int, bytes],
) -> bytes:
    """The file for a run of the code in ``image``, which differs from the recorded one in its code only.

    ``entry`` is the function there, ``moved`` where functions of the object that it calls lie
    there, ``size`` that of the result in bytes, 0 for void, and ``patches`` code to overwrite.
    Raises FixtureError.
    """
    stubs = dict(_stubs(recording, moved))
    _check_room(image, stubs)
    pages = _pages(image, recording)
    code = {**_sites(image, recording, variant), **_thunks(image, variant), **patches}
    for address, data in code.items():
        _write(pages, address, data)
    for address in stubs:
        _write(pages, address, bytes(STUB))
    calls = [a for a in recording.answers if KINDS.get(a.name, ANSWER) == ANSWER]
    answers: list[int] = []
    for call in calls:
        answers += [call.value, len(call.written)]
        for address, data in call.written:
            answers += [address, int.from_bytes(data, "little")]
    words = _restored(recording)
    data = _regions(pages)
    data += _numbers([len(stubs), *(n for stub in sorted(stubs.items()) for n in stub)])
    mask = (1 << 8 * size) - 1
    data += _numbers([*recording.registers, recording.stack + WORD, entry])
    data += _numbers([recording.value, mask, recording.gs, len(words) // 3, *words])
    return data + _numbers([len(answers), *answers])


def _stubs(recording: Recording, moved: Mapping[str, int]) -> Iterable[tuple[int, int]]:
    """The address and kind of each callee's stub."""
    for answer in recording.answers:
        kind = KINDS.get(answer.name, ANSWER)
        yield moved.get(answer.name, answer.address), kind


def _check_room(image: Image, stubs: Iterable[int]) -> None:
    """Raise FixtureError if a stub would overwrite the function after the callee."""
    starts = [function.start for function in image.functions]
    for address in stubs:
        function = image.function_at(address)
        index = bisect.bisect_right(starts, address)
        if function and index < len(starts) and starts[index] < address + STUB:
            raise FixtureError(f"{function.name}() is too short for a stub")


def _pages(image: Image, recording: Recording) -> dict[int, bytearray]:
    """The memory to map: what the run used, with this image's code and data."""
    pages = {page: bytearray(data) for page, data in recording.before.items()}
    for start, data in image.segments.items():
        for page in range(start & -PAGE, start + len(data), PAGE):
            if page not in pages and not image.is_variable(start):
                pages[page] = bytearray(PAGE)
    for start, data in image.segments.items():
        if not image.is_variable(start):
            _write(pages, start, bytes(data))
    return pages


def _sites(image: Image, recording: Recording, variant: Variant) -> dict[int, bytes]:
    """What boot code patches: calls of tracers and thunks, and static branches."""
    found: dict[int, bytes] = {}
    names = {at: name for name, at in image.registry.symbols.items()}
    for start, data in image.segments.items():
        for offset in range(len(data) - 4):
            opcode = data[offset]
            if opcode not in (CALL, JUMP):
                continue
            (distance,) = struct.unpack_from("<i", data, offset + 1)
            name = names.get(start + offset + 5 + distance)
            patch = _site(name, opcode, variant) if name else None
            if patch is not None:
                found[start + offset] = patch
    for site, label in image.labels.items():
        wide = image.read(site, 1)[0] not in (SHORT_JUMP, SHORT_NOP)
        taken = label.taken != (label.key in recording.given.keys)
        found[site] = _branch(site, label.target, wide, taken)
    return found


def _site(name: str, opcode: int, variant: Variant) -> bytes | None:
    """What replaces a call or jump to an external symbol; None if it stays."""
    if name in TRACERS or (not variant.hardened and name == "__check_object_size"):
        return NOP5
    if variant.thunks:
        return None
    if name in RETURN_THUNKS:
        return PLAIN_RETURN
    thunk = INDIRECT.match(name)
    if thunk is None:
        return None
    number = GENERAL.index(thunk[1])
    prefix = b"\x41" if number > 7 else b""
    ends = opcode == JUMP
    code = prefix + bytes([0xFF, (0xE0 if ends else 0xD0) | number & 7])
    return code + (b"\xcc" if ends else b"\x90") * (5 - len(code))


def _branch(site: int, target: int, wide: bool, taken: bool) -> bytes:
    """A static branch as patched: a jump, or a nop of the same size."""
    if not taken:
        return NOP5 if wide else b"\x66\x90"
    if wide:
        return bytes([JUMP]) + struct.pack("<i", target - site - 5)
    return bytes([SHORT_JUMP]) + struct.pack("<b", target - site - 2)


def _thunks(image: Image, variant: Variant) -> dict[int, bytes]:
    """The code of the thunks that the object refers to."""
    found = {}
    for name, address in image.registry.symbols.items():
        thunk = INDIRECT.match(name)
        if name in RETURN_THUNKS:
            found[address] = SAFE_RETURN if variant.thunks else PLAIN_RETURN
        elif thunk is not None:
            found[address] = _retpoline(GENERAL.index(thunk[1]))
    return found


def _retpoline(number: int) -> bytes:
    """call 1f; 2: pause; lfence; jmp 2b; 1: mov %reg,(%rsp); ret"""
    rex = bytes([0x4C if number > 7 else 0x48])
    store = rex + bytes([0x89, 0x04 | (number & 7) << 3, 0x24])
    return bytes.fromhex("e807000000f3900faee8ebf9") + store + b"\xc3"


def _restored(recording: Recording) -> list[int]:
    """The words that a run changes, without its own frame: address, before, after."""
    found: list[int] = []
    for address, new in changed(recording.before, recording.after):
        page = address & -PAGE
        if page not in recording.before:
            raise FixtureError(f"memory at {address:#x} appears during the run")
        if _is_frame(address, recording):
            continue
        old = recording.before[page][address - page : address - page + WORD]
        found += [address, *(int.from_bytes(each, "little") for each in (old, new))]
    return found


def _is_frame(address: int, recording: Recording) -> bool:
    """Whether an address on the stack is below the arguments."""
    return 0 <= recording.stack - address < FRAME


def _write(pages: dict[int, bytearray], address: int, data: bytes) -> None:
    """Put bytes into the pages, adding pages as needed."""
    while data:
        page, offset = address & -PAGE, address % PAGE
        part = data[: PAGE - offset]
        pages.setdefault(page, bytearray(PAGE))[offset : offset + len(part)] = part
        address, data = address + len(part), data[len(part) :]


def _regions(pages: Mapping[int, bytearray]) -> bytes:
    """The memory to map: the number of regions, then address, size and bytes of each."""
    regions: list[tuple[int, bytearray]] = []
    for page, data in sorted(pages.items()):
        if regions and regions[-1][0] + len(regions[-1][1]) == page:
            regions[-1][1].extend(data)
        else:
            regions.append((page, bytearray(data)))
    parts = [_numbers([at, len(data)]) + bytes(data) for at, data in regions]
    return _numbers([len(regions)]) + b"".join(parts)


def _numbers(values: Iterable[int]) -> bytes:
    return b"".join((v & (1 << 64) - 1).to_bytes(8, "little") for v in values)
