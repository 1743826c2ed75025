# SPDX-License-Identifier: GPL-2.0
"""Exceptions for users and engines."""

from __future__ import annotations


class UserError(Exception):
    """An error that the user can fix; the message is one line and says how.

    The command line prints it after ``hotcocci: `` and exits with code 2.
    """


class EngineError(Exception):
    """An engine failed on one file; the message says why."""


class EngineMissing(EngineError):
    """An engine cannot run at all; the message says what to do."""
