# SPDX-License-Identifier: GPL-2.0
"""Compile a changed file otherwise than the kernel is, to see what is the same only as it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Variant:
    """Another way to compile a file: a preprocessed text that is ``rewritten``, and further flags.

    What is the same only as the kernel is compiled is not proven, for the reason ``why``.
    """

    why: str
    flags: tuple[str, ...]
    rewritten: Callable[[str], str] | None = None
