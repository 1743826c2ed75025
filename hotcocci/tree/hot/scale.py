# SPDX-License-Identifier: GPL-2.0
"""The scale of hotness, and the type of the lists' entries."""

from __future__ import annotations

from dataclasses import dataclass

STEP = 1.0
"""Once per step of a common operation: a path component, a packet, a directory entry."""

OPERATION = 0.5
"""Once per common operation: a system call that busy programs repeat, a device request."""

PASSED = 0.1
"""Code that such operations use, but not known to run in each of them."""

ELSEWHERE = 0.02
"""Drivers, formats and protocols that few machines use."""

SELDOM = 0.005
"""Rarely on any machine: boot, setup, debugging."""


@dataclass(frozen=True)
class Hot:
    """Functions of one file, separated by blanks, and how hot they are.

    ``weight`` is on the scale above. ``source`` is the evidence: a commit, a kernel file or a
    mail, or the callers of the functions. System calls have their name in SYSCALL_DEFINE().
    """

    file: str
    weight: float
    functions: str
    source: str
