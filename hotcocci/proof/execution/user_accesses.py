# SPDX-License-Identifier: GPL-2.0
"""Emulate user accesses that may fault: instructions in the exception table, and copies."""

from __future__ import annotations


from hotcocci.plural import count
from hotcocci.proof.execution.marks import READ, WRITE
from hotcocci.proof.execution.processor import COPY, Copy, Step
from hotcocci.proof.execution.space import PAGE
from hotcocci.proof.execution.state import Running, joined
from hotcocci.proof.execution.trace import (
    ENDLESS,
    LOAD,
    OOPS,
    STORE,
    UNKNOWN,
    Access,
    Fault,
)

CLOSED = "user memory is accessed with user access closed"


def guarded(machine: Running, address: int, step: Step) -> bool:
    """Handle an instruction in the exception table; return False if it was emulated."""
    state = machine.state
    if step.kind == COPY:
        _guarded_copy(machine, address, step)
        return False
    assert step.access is not None
    at = machine.processor.address(machine.engine, step.access)
    state.copying = machine.image.is_copy(address)
    if is_kernel(machine, at):
        # Some architectures cover the kernel side of a copy as well.
        if not state.copying:
            state.pointers.append(at)
            reaches_kernel(machine, at)
        return True
    state.pointers.append(at)
    _check_range(machine, address, at, step)
    if not machine.processor.is_open(machine.engine, step.stores):
        state.violations.append(CLOSED)
    if _faults_at(machine, at, step.size):
        machine.event(Fault(STORE if step.stores else LOAD, at, step.size))
        _fix(machine, address)
        return False
    return True


def _check_range(machine: Running, address: int, at: int, step: Step) -> None:
    """Record a violation if an access is outside its window."""
    begun = machine.state.range
    # Routines of other objects check their arguments themselves.
    if begun is None or machine.image.function_at(address) is None:
        return
    high = machine.processor.layout.user_high
    kind = STORE if step.stores else LOAD
    what = f"{step.size}-byte {kind} at {at:#x}"
    if not begun.directions & (WRITE if step.stores else READ):
        machine.state.violations.append(f"{what} in a window for the other direction")
    elif begun.start >= high and at >= high:
        # mask_user_address() moved a bad pointer there, and every access faults. One that is outside
        # the window is outside with a good pointer as well.
        return
    elif not begun.covers(at, step.size):
        window = f"{count(begun.length, 'byte')} at {begun.start:#x}"
        machine.state.violations.append(f"{what} is outside its window: {window}")


def _guarded_copy(machine: Running, address: int, step: Step) -> None:
    copy = machine.processor.copy(machine.engine, step)
    if copy.count == 0:
        return
    state, layout = machine.state, machine.processor.layout
    stores = _is_user_side(machine, copy.target, copy.source)
    at = copy.target if stores else copy.source
    assert at is not None
    state.pointers.append(at)
    if _is_nowhere(machine, copy, stores):
        return
    if is_kernel(machine, at):
        reaches_kernel(machine, at)
        copied(machine, address, step)
        return
    done = copy.count
    lost = [each for each in state.lost if at <= each < at + copy.count]
    if lost:
        done = min(lost) - at
    elif _hits(machine, at, copy.count):
        assert state.given.hit is not None
        state.lost.add(state.given.hit[0])
        done = state.given.hit[0] - at
    elif at < layout.user_low:
        done = 0
    else:
        done = max(0, min(copy.count, layout.user_high - at))
    if not machine.processor.is_open(machine.engine, stores):
        state.violations.append(CLOSED)
    kind = STORE if stores else LOAD
    if done > PAGE:
        machine.stop(ENDLESS, f"it copies more than {PAGE} bytes")
        return
    if done:
        data = _data(machine, copy, done)
        access = Access(kind, at, data, True)
        if not joined(state, access):
            machine.event(access)
        if stores:
            machine.space.write(copy.target, data)
        else:
            machine.write(copy.target, data)
    machine.processor.copied(machine.engine, step, done)
    if done < copy.count:
        machine.event(Fault(kind, at + done, copy.count - done))
        _fix(machine, address)
    else:
        machine.processor.go(machine.engine, address + step.length)


def copied(machine: Running, address: int, step: Step) -> None:
    """Emulate a copy within the kernel."""
    copy = machine.processor.copy(machine.engine, step)
    if _is_nowhere(machine, copy, None):
        return
    if copy.count > 16 * PAGE:
        machine.stop(ENDLESS, f"it copies more than {16 * PAGE} bytes")
        return
    if copy.count:
        machine.write(copy.target, _forward(machine, copy, step.size))
    machine.processor.copied(machine.engine, step, copy.count)
    machine.processor.go(machine.engine, address + step.length)


def _is_nowhere(machine: Running, copy: Copy, stores: bool | None) -> bool:
    """End the run if the kernel side of a copy is not a kernel address; both sides for None."""
    source = [copy.source] if stores is not False else []
    target = [copy.target] if stores is not True else []
    for at in (*source, *target):
        # Non-canonical addresses count as kernel memory, as they do for plain loads.
        layout = machine.processor.layout
        if (
            at is not None
            and copy.count
            and not layout.user_high <= at < layout.end + PAGE
        ):
            machine.stop(OOPS, f"accessing {at:#x}")
            return True
    return False


def _data(machine: Running, copy: Copy, size: int) -> bytes:
    if copy.source is None:
        return copy.fill * (size // len(copy.fill))
    return machine.space.read(copy.source, size)


def _forward(machine: Running, copy: Copy, unit: int) -> bytes:
    """What a copy upwards stores, element by element: it may load again what it stored."""
    data = bytearray(_data(machine, copy, copy.count))
    ahead = copy.target - copy.source if copy.source is not None else 0
    if not 0 < ahead < copy.count:
        return bytes(data)
    for at in range(ahead, copy.count):
        # The last bytes of an element that overlaps itself are loaded before it is stored.
        if at % unit < ahead:
            data[at] = data[at - ahead]
    return bytes(data)


def _is_user_side(machine: Running, target: int, source: int | None) -> bool:
    """Whether a copy stores to user memory, judging by its addresses."""
    if source is None or machine.space.is_user(target):
        return True
    if machine.space.is_user(source) or not is_kernel(machine, source):
        return False
    return not is_kernel(machine, target)


def reaches_kernel(machine: Running, address: int) -> None:
    """Record a user access to kernel memory; the frames of the two sides are not in the same place."""
    space = machine.space
    at = space.layout.stack if space.is_stack(address) else address
    machine.state.unchecked.add(at)


def is_kernel(machine: Running, address: int) -> bool:
    """Whether an address is one of kernel memory."""
    # The top page holds no memory: error pointers, and masks of bad addresses.
    layout = machine.processor.layout
    return layout.kernel <= address < layout.end


def _faults_at(machine: Running, address: int, size: int) -> bool:
    """Whether an access faults. Its bytes fault again: nothing maps a page during a call."""
    lost, layout = machine.state.lost, machine.processor.layout
    if any(address <= each < address + size for each in lost):
        return True
    if _hits(machine, address, size):
        assert machine.state.given.hit is not None
        lost.add(machine.state.given.hit[0])
        return True
    return address < layout.user_low or address + size > layout.user_high


def _hits(machine: Running, address: int, size: int) -> bool:
    """Whether this is the n-th access to the planned address (Input.hit)."""
    hit = machine.state.given.hit
    if hit is None or not address <= hit[0] < address + size:
        return False
    machine.state.hits += 1
    return machine.state.hits == hit[1]


def _fix(machine: Running, address: int) -> None:
    why = machine.processor.fault(machine.engine, machine.image.fixups[address])
    if why:
        machine.stop(UNKNOWN, why)
