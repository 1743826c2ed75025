# SPDX-License-Identifier: GPL-2.0
"""User accesses that may fault: instructions in the exception table, and copies."""

from __future__ import annotations

from hotcocci.plural import count
from hotcocci.proof.objects.image import PAGE
from hotcocci.proof.objects.marks import READ, WRITE
from hotcocci.proof.objects.x86 import LAYOUT
from hotcocci.proof.replay.cpu import COPY, RIP, Copy, Step
from hotcocci.proof.replay.run import CLOSED, Run
from hotcocci.proof.replay.trace import (
    ENDLESS,
    LOAD,
    OOPS,
    STORE,
    UNKNOWN,
    Access,
    Fault,
)


def guarded(run: Run, address: int, step: Step) -> None:
    """Handle an instruction in the exception table."""
    if step.kind == COPY:
        _guarded_copy(run, address, step)
        return
    at = run.cpu.address(step)
    if is_kernel(at):
        run.in_kernel += 1
        return
    _check_range(run, address, at, step)
    if not run.cpu.is_open():
        run.violations.append(CLOSED)
    if _faults_at(run, at, step.size):
        run.event(Fault(STORE if step.stores else LOAD, at, step.size))
        _fix(run, address)


def _check_range(run: Run, address: int, at: int, step: Step) -> None:
    """Record a violation if an access is outside its window."""
    begun = run.range
    # Routines of other objects check their arguments themselves.
    if begun is None or run.side.image.function_at(address) is None:
        return
    kind = STORE if step.stores else LOAD
    what = f"{step.size}-byte {kind} at {at:#x}"
    if not begun.directions & (WRITE if step.stores else READ):
        run.violations.append(f"{what} in a window for the other direction")
    elif begun.start >= LAYOUT.user_high and at >= LAYOUT.user_high:
        # mask_user_address() moved a bad pointer there, and every access faults. One that is outside
        # the window is outside with a good pointer as well.
        return
    elif not begun.covers(at, step.size):
        window = f"{count(begun.length, 'byte')} at {begun.start:#x}"
        run.violations.append(f"{what} is outside its window: {window}")


def _guarded_copy(run: Run, address: int, step: Step) -> None:
    copy = run.cpu.copy(step)
    if copy.count == 0:
        return
    stores = _is_user_side(run, copy.target, copy.source)
    at = copy.target if stores else copy.source
    assert at is not None
    if _is_nowhere(run, copy, stores):
        return
    if is_kernel(at):
        run.in_kernel += 1
        copied(run, address, step)
        return
    done = _transferred(run, at, copy.count)
    if not run.cpu.is_open():
        run.violations.append(CLOSED)
    kind = STORE if stores else LOAD
    if done > PAGE:
        run.stop(ENDLESS, f"it copies more than {PAGE} bytes")
        return
    if done:
        data = _data(run, copy, done)
        run.event(Access(kind, at, data, True))
        (run.memory if stores else run).write(copy.target, data)
    run.cpu.copied(step, done)
    if done < copy.count:
        run.event(Fault(kind, at + done, copy.count - done))
        _fix(run, address)
    else:
        run.cpu.write(RIP, address + step.length)


def _transferred(run: Run, at: int, size: int) -> int:
    """How many bytes of a copy are transferred before it faults."""
    lost = [each for each in run.lost if at <= each < at + size]
    if lost:
        return min(lost) - at
    if _hits(run, at, size):
        return min(run.lost) - at
    return 0 if at < LAYOUT.user_low else max(0, min(size, LAYOUT.user_high - at))


def copied(run: Run, address: int, step: Step) -> None:
    """Emulate a copy within the kernel."""
    copy = run.cpu.copy(step)
    if _is_nowhere(run, copy, None):
        return
    if copy.count > 16 * PAGE:
        run.stop(ENDLESS, f"it copies more than {16 * PAGE} bytes")
        return
    if copy.count:
        run.write(copy.target, _forward(run, copy, step.size))
    run.cpu.copied(step, copy.count)
    run.cpu.write(RIP, address + step.length)


def _is_nowhere(run: Run, copy: Copy, stores: bool | None) -> bool:
    """End the run if the kernel side of a copy is not a kernel address; both sides for None."""
    source = [copy.source] if stores is not False else []
    target = [copy.target] if stores is not True else []
    for at in (*source, *target):
        # Non-canonical addresses count as kernel memory, as they do for plain loads.
        in_kernel = at is None or LAYOUT.user_high <= at < LAYOUT.end + PAGE
        if copy.count and not in_kernel:
            run.stop(OOPS, f"accessing {at:#x}")
            return True
    return False


def _data(run: Run, copy: Copy, size: int) -> bytes:
    if copy.source is None:
        return copy.fill * (size // len(copy.fill))
    return run.memory.read(copy.source, size)


def _forward(run: Run, copy: Copy, unit: int) -> bytes:
    """What a copy upwards stores, element by element: it may load again what it stored."""
    data = bytearray(_data(run, copy, copy.count))
    ahead = copy.target - copy.source if copy.source is not None else 0
    if not 0 < ahead < copy.count:
        return bytes(data)
    for at in range(ahead, copy.count):
        # The last bytes of an element that overlaps itself are loaded before it is stored.
        if at % unit < ahead:
            data[at] = data[at - ahead]
    return bytes(data)


def _is_user_side(run: Run, target: int, source: int | None) -> bool:
    """Whether a copy stores to user memory, judging by its addresses."""
    if source is None or run.memory.is_user(target):
        return True
    if run.memory.is_user(source) or not is_kernel(source):
        return False
    return not is_kernel(target)


def is_kernel(address: int) -> bool:
    """Whether an address is one of kernel memory."""
    # The top page holds no memory: error pointers, and masks of bad addresses.
    return LAYOUT.kernel <= address < LAYOUT.end


def _faults_at(run: Run, address: int, size: int) -> bool:
    """Whether an access faults. Its bytes fault again: nothing maps a page during a call."""
    return (
        any(address <= each < address + size for each in run.lost)
        or _hits(run, address, size)
        or not LAYOUT.user_low <= address <= LAYOUT.user_high - size
    )


def _hits(run: Run, address: int, size: int) -> bool:
    """Whether this is the n-th access to the planned address (Input.hit), whose byte is lost then."""
    hit = run.given.hit
    if hit is None or not address <= hit[0] < address + size:
        return False
    run.hits += 1
    if run.hits == hit[1]:
        run.lost.add(hit[0])
    return run.hits == hit[1]


def _fix(run: Run, address: int) -> None:
    why = run.cpu.fault(run.side.image.fixups[address])
    if why:
        run.stop(UNKNOWN, why)
