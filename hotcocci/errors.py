# SPDX-License-Identifier: GPL-2.0
"""Exceptions for users and engines."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager


class UserError(Exception):
    """An error that the user can fix; the message is one line and says how.

    The command line prints it after ``hotcocci: `` and exits with code 2.
    """


class EngineError(Exception):
    """An engine failed on one file; the message says why."""


class EngineMissing(EngineError):
    """An engine cannot run at all; the message says what to do."""


# The end of each reason that says nothing about the code: memory, disk, time or a signal was the cause.
# The cache keeps no answer with one (hotcocci/cache.py).
AGAIN = "try again"


class TryAgain(UserError):
    """The machine failed, not the code; the message ends with `AGAIN`."""

    def __str__(self) -> str:
        return f"{self.args[0]}: {AGAIN}"


_unanswered = False


def leave_unanswered(lacks: bool = True) -> None:
    """Note whether this run lacks an answer, for a reason that ends with `AGAIN`."""
    global _unanswered
    _unanswered = lacks


def is_unanswered() -> bool:
    """Whether this run lacks an answer that the next one may have."""
    return _unanswered


# They say nothing about the file or program that the call named.
_OF_MACHINE = frozenset(
    {
        *(errno.ENOMEM, errno.EAGAIN, errno.EMFILE, errno.ENFILE, errno.EINTR),
        *(errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ESTALE),
        *(errno.ETIMEDOUT, errno.ENOBUFS),
    }
)


def is_of_machine(error: OSError) -> bool:
    """Whether an error is due to a lack of memory, disk, processes or the like."""
    return error.errno in _OF_MACHINE


@contextmanager
def told(what: str, remedy: str = "") -> Iterator[None]:
    """Raise UserError if the system refuses "read FILE", or what else is done here."""
    try:
        yield
    except OSError as error:
        more = f": {remedy}" if remedy else ""
        raise UserError(f"cannot {what}: {error.strerror}{more}") from error


def unreadable(error: OSError) -> str:
    """Why a file was skipped that could not be read."""
    why = f"cannot be read: {error.strerror}"
    return f"{why}: {AGAIN}" if is_of_machine(error) else why


_REMEDIES = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), "free some space there"),
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), "make it writable"),
    errno.EFBIG: "raise the limit on file sizes (ulimit -f)",
    errno.EMFILE: "raise the limit on open files (ulimit -n)",
}


def unwritable(error: OSError, instead: str) -> str:
    """Why files could not be written, and what to do: what the error asks for, or ``instead``, which avoids it."""
    remedy = _REMEDIES.get(error.errno or 0)
    way = f"{remedy}, or {instead}" if remedy else instead
    return f"{error.strerror or error}: {way}"
