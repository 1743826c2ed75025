# SPDX-License-Identifier: GPL-2.0
"""Describe the processor of this machine."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

CPUINFO = Path("/proc/cpuinfo")
# Names in /proc/cpuinfo of features that select code of copies (asm/cpufeatures.h).
FEATURES = {"fsrm": "FSRM", "erms": "ERMS", "fsrs": "FSRS"}


@dataclass(frozen=True)
class Machine:
    """This machine's processor: its name, and the flags of /proc/cpuinfo."""

    name: str
    flags: frozenset[str]

    @cached_property
    def features(self) -> tuple[str, ...]:
        """The kernel's names of the features that select copy routines."""
        return ("ALWAYS", *(FEATURES[f] for f in FEATURES if f in self.flags))


def machine(file: Path = CPUINFO) -> Machine | None:
    """Describe this machine's processor; None if it is not x86-64."""
    try:
        text = file.read_text()
    except OSError:
        return None
    known = dict(
        re.findall(r"^(model name|flags|cpu family|model)\s*: (.*)$", text, re.M)
    )
    if "lm" not in known.get("flags", "").split():
        return None
    number = f"family {known.get('cpu family', '?')}, model {known.get('model', '?')}"
    name = f"{known.get('model name', 'unknown processor').strip()} ({number})"
    return Machine(name, frozenset(known["flags"].split()))
