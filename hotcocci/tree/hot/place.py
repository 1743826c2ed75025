# SPDX-License-Identifier: GPL-2.0
"""One entry of the lists of hot functions, and the scale."""

from __future__ import annotations

from dataclasses import dataclass

STEP = 1.0
"""For each step of a common operation: a path component, a packet, an entry of a directory."""

OPERATION = 0.5
"""Once for each common operation: a system call that busy programs repeat, a request of a device."""

PASSED = 0.1
"""Code that such operations pass through, but that is not known to be a part of each."""

ELSEWHERE = 0.02
"""Drivers, formats, protocols that one machine in many uses."""

SELDOM = 0.005
"""Seldom on any machine: at boot, in set-up, in debugging."""


@dataclass(frozen=True)
class Hot:
    """Functions of one file, separated by blanks, and how hot they are.

    ``weight`` is on the scale above. ``source`` is where it is known from: a commit, a file of
    the kernel or a mail that measured or says it, or what calls the functions. A system call
    bears the name that SYSCALL_DEFINE() gives it.
    """

    file: str
    weight: float
    functions: str
    source: str
