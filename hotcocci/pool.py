# SPDX-License-Identifier: GPL-2.0
"""Apply a function to many items in parallel; a failure on one item does not end the run."""

import gc
import multiprocessing
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from typing import TypeVar

from hotcocci.errors import AGAIN, TryAgain, UserError, is_of_machine

Item = TypeVar("Item")
Result = TypeVar("Result")

# More chunks cost more to distribute, fewer leave CPUs idle at the end.
CHUNKS_PER_JOB = 16
# Seconds of processor time from one look at the limits to the next
TICK = 0.05
# <linux/prctl.h>
PR_SET_PDEATHSIG = 1
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(frozen=True)
class Failure:
    """Why there is no result for an item."""

    why: str


class _TooLong(BaseException):
    """The time limit was reached; nothing below may take this for an error of its own."""


# The processor time of this process at which the limits of an item, and of those that it is a part of, are reached
_ends: list[float] = []


def spread(
    work: Callable[[Item], Result],
    items: Sequence[Item],
    jobs: int,
    least: int,
    step: Callable[[int, int], None] | None = None,
    seconds: float = 0,
) -> Iterator[tuple[Item, Result | Failure]]:
    """Apply ``work`` to items in parallel; yields each with its result, in order.

    ``work`` must be a module-level function or a partial of one. Fewer than ``least`` items are processed in this
    process: starting another one would take longer. ``step`` is called with the number of items done and their
    total. ``seconds`` of processor time are the limit for one item, if any.
    """
    apply = partial(attempted, work, seconds)
    if jobs < 2 or len(items) < least:
        for done, item in enumerate(items, 1):
            yield item, apply(item)
            if step:
                step(done, len(items))
        return
    done = 0
    for several in _in_processes(apply, items, jobs):
        yield from zip(items[done:], several)
        done += len(several)
        if step:
            step(done, len(items))


def attempted(
    work: Callable[[Item], Result], seconds: float, item: Item
) -> Result | Failure:
    """The result for one item, or why there is none."""
    depth = len(_ends)
    try:
        try:
            _limit(seconds)
            return work(item)
        finally:
            del _ends[depth:]
    except _TooLong:
        # A second one may have come before that.
        del _ends[depth:]
        if _is_over():
            # It is the time of the item that this one is a part of.
            raise
        again = f"with a longer --timeout, {AGAIN}"
        return Failure(f"it took over {seconds:.0f} s of processor time: {again}")
    except RecursionError:
        return Failure("it is nested too deeply")
    except MemoryError:
        return Failure(f"out of memory: {AGAIN}")
    except TryAgain as error:
        return Failure(str(error))
    except UserError:
        raise
    except Exception as error:
        said = f"{type(error).__name__}: {error}".split("\n")[0]
        if isinstance(error, OSError) and is_of_machine(error):
            return Failure(f"{said}: {AGAIN}")
        return Failure(f"hotcocci fails on it, report this ({said})")
    finally:
        if seconds and not _ends:
            # At its end, Python gives the signal its own meaning: to end the process.
            signal.setitimer(signal.ITIMER_PROF, 0)


def _limit(seconds: float) -> None:
    """End what takes more processor time of this process. No limit outside of the main thread."""
    if not seconds or threading.current_thread() is not threading.main_thread():
        return
    _ends.append(time.process_time() + seconds)
    if signal.getsignal(signal.SIGPROF) is not _look:
        signal.signal(signal.SIGPROF, _look)
    # Again and again: one may come where its exception ends nothing.
    if not signal.getitimer(signal.ITIMER_PROF)[1]:
        signal.setitimer(signal.ITIMER_PROF, TICK, TICK)


def _look(_number: int, _frame: object) -> None:
    if _is_over():
        raise _TooLong


def _is_over() -> bool:
    return bool(_ends) and time.process_time() >= min(_ends)


def _in_processes(
    work: Callable[[Item], Result | Failure], items: Sequence[Item], jobs: int
) -> Iterator[list[Result | Failure]]:
    """The results for chunks of the items, in order."""
    size = max(1, len(items) // (jobs * CHUNKS_PER_JOB))
    chunks = [items[start : start + size] for start in range(0, len(items), size)]
    pool = _pool(jobs)
    # A signal that reaches a worker before it resets our handlers would be lost, and we would wait for
    # that worker forever. The workers start with the first chunk.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        running = deque(pool.submit(_each, work, chunk) for chunk in chunks)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    try:
        for chunk in chunks:
            try:
                # A future keeps its result.
                yield running.popleft().result()
            except BrokenProcessPool:
                yield [_alone(work, item) for item in chunk]
    finally:
        pool.shutdown(cancel_futures=True)


def _alone(work: Callable[[Item], Result | Failure], item: Item) -> Result | Failure:
    """The result for an item from a process of its own, as one of several ended another."""
    pool = _pool(1)
    try:
        return pool.submit(work, item).result()
    except BrokenProcessPool:
        return Failure(f"its process was killed, perhaps as memory ran out: {AGAIN}")
    finally:
        pool.shutdown(cancel_futures=True)


def apart(make: Callable[[], Iterable[Result]]) -> Iterator[Result]:
    """Yield what ``make`` yields, from a process of its own: the memory that it takes is given back.

    Raises what it raises, and TryAgain if its process is killed.
    """
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(make, theirs))
    _trim()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    theirs.close()
    try:
        while (said := ours.recv()) is not None:
            if isinstance(said, Exception):
                raise said
            yield from said
    except EOFError:
        why = "a process was killed, perhaps as memory ran out"
        raise TryAgain(f"{why}: {AGAIN}") from None
    finally:
        process.kill()
        process.join()


def _send(make: Callable[[], Iterable[object]], to: Connection) -> None:
    _begin()
    try:
        for one in make():
            to.send((one,))
        to.send(None)
    except Exception as error:
        to.send(error)


def _pool(jobs: int) -> ProcessPoolExecutor:
    _trim()
    # Not multiprocessing.Pool, which waits forever if a signal kills a process that holds its queue.
    return ProcessPoolExecutor(jobs, multiprocessing.get_context("fork"), _begin)


def _trim() -> None:
    """Give back what is free here: it would be in each new process (glibc)."""
    # Most runs need no worker, and it takes a while.
    import ctypes

    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim:
        trim(0)


def _each(work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    return [work(item) for item in items]


def _begin() -> None:
    """Prepare a new process."""
    # What it has from its parent is no garbage, and would be copied if it were looked at.
    gc.freeze()
    # Most runs need no worker, and it takes a while.
    import ctypes

    # If the parent is killed: each worker has both ends of its queue, and would wait for ever.
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    # On Ctrl-C, and at the end of the terminal, the parent kills its children.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
