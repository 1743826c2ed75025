# SPDX-License-Identifier: GPL-2.0
"""The one exception a user is meant to see."""

from __future__ import annotations


class UserError(Exception):
    """Something the user can put right: one line that says what to do.

    The command line prints it after ``hotcocci: `` and ends with exit code 2.
    """


class EngineError(Exception):
    """An engine could not look at one file; the message says why."""


class EngineMissing(EngineError):
    """An engine cannot look at any file; the message says what to do."""
