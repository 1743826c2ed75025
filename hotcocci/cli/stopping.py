# SPDX-License-Identifier: GPL-2.0
"""Ctrl-C and SIGTERM: say so, end all children, and give the prompt back soon."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from types import FrameType
from typing import NoReturn

from hotcocci.stop import stop_all

# Seconds in which the run may clean up.
PATIENCE = 1.5
# What the shell reports of a program that a signal ended is this plus the signal's number.
SIGNALLED = 128

STDERR = 2
MESSAGE = b"hotcocci: stopping; no file is left half-written\n"

_received = 0


def install() -> None:
    """Stop the run on Ctrl-C and SIGTERM, by a KeyboardInterrupt."""
    for number in (signal.SIGINT, signal.SIGTERM):
        # A shell's background job ignores Ctrl-C.
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _stop)


def leave() -> NoReturn:
    """End the process once it has cleaned up, without the second that Python may take to free memory.

    The exit code is 130 for Ctrl-C, 143 for SIGTERM.
    """
    with suppress(OSError):
        sys.stdout.flush()
    os._exit(SIGNALLED + (_received or signal.SIGINT))


def _stop(number: int, _frame: FrameType | None) -> None:
    global _received
    if _received:
        _leave_now(number, None)
    _received = number
    # A buffered stream may be locked by the code below us.
    clear = b"\r\x1b[K" if os.isatty(STDERR) else b""
    with suppress(OSError):  # Nobody reads it.
        os.write(STDERR, clear + MESSAGE)
    # Not a thread: starting one may wait for a lock that the code below us holds.
    signal.signal(signal.SIGALRM, _leave_now)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    stop_all()
    raise KeyboardInterrupt


def _leave_now(_number: int, _frame: FrameType | None) -> None:
    """End at once; what is left over is removed by the next run."""
    stop_all()
    os._exit(SIGNALLED + _received)
