# SPDX-License-Identifier: GPL-2.0
"""The one exception a user is meant to see."""

from __future__ import annotations


class UserError(Exception):
    """Something the user can put right: one line that says what to do.

    The command line prints it after ``hotcocci: `` and ends with exit code 2.
    """
