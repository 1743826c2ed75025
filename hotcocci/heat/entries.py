# SPDX-License-Identifier: GPL-2.0
"""The entry points of the kernel, and how often they are called: the only names that heat is derived from.

All are interfaces: system calls, slots of operations structures, ioctl commands, and the calls
that register handlers. They are in entries.toml.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HOT = 1.0
"""Busy programs do this all the time."""

SIGNAL = 0.3
"""A signal that is handled: some programs have timers by signals, most have none."""

WARM = 0.03
"""Many programs do it, now and then; or a few do it all the time."""

IOCTL = 0.02
"""A driver's ioctl of which nothing else is known."""

COLD = 0.0003
"""Once per start, mount, connection or administrator."""


@dataclass(frozen=True)
class Entry:
    """An entry point: its rate, what it runs once for, and what its loops run over if that is one thing."""

    rate: float
    per: str
    each: str = ""


DATA: dict[str, Any] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)

OF_CALL = "sys_"
OF_COMPAT = "compat_sys_"
"""What a system call has before its name, and one of 32-bit programs."""

INIT = "__init"
"""What an init or exit function is entered by."""

COMPAT = 0.5
"""How often programs of 32 bits make a system call, against those of 64."""

_FOR_32_BITS = frozenset(DATA["calls"]["for-32-bits"].split())


def _called(name: str, rate: float, each: str = "") -> Entry:
    """The entry of a system call."""
    if name in _FOR_32_BITS or name.endswith(("_time32", "gettime32", "_ia32")):
        return Entry(rate * COMPAT, f"32-bit {name}()", each)
    return Entry(rate, f"{name}()", each)


def _named(section: str) -> Iterator[tuple[str, Entry]]:
    """The names in a section, each with its entry."""
    for said, names in DATA[section].items():
        rate, _, per = said.partition(" ")
        per, _, each = per.partition(" | ")
        yield from ((name, Entry(float(rate), per, each)) for name in names.split())


SYSTEM_CALLS = {
    **{name: _called(name, WARM) for name in DATA["calls"]["warm"].split()},
    **{name: _called(name, HOT) for name in DATA["calls"]["hot"].split()},
    "rt_sigreturn": Entry(SIGNAL, "signal"),
    **{
        name: _called(name, HOT, each)
        for each, names in DATA["looping"].items()
        for name in names.split()
    },
}
"""System calls by the name in SYSCALL_DEFINE(); the others are cold."""

GUARDED = dict.fromkeys(
    ("CONFIG_X86_X32_ABI", "CONFIG_X86_X32"), Entry(0.01, "of an x32 program")
)
"""How often code under an option runs, against the rest: distributions leave x32 out, or disable it at boot.

arch/x86/Kconfig of Debian's 6.12 has X86_X32_DISABLED for that. The shorter name is that of 5.10.
"""

SLOTS = {
    (kind, slot): entry
    for name, entry in _named("slots")
    for kind, _, slot in [name.partition(".")]
}
"""Entry points by structure and slot."""

DISPATCHED = {"ioctls": Entry(0.3, "DRM ioctl")}
"""A table of ioctls by its member (drm_driver.ioctls): the function that indexes it runs for all of them."""

DRIVER_SLOTS = dict(_named("driver-slots"))
"""Slots that run once per device or mount, in a structure of any type."""

IOCTL_SLOTS = {
    "ioctl": Entry(IOCTL / 2, "ioctl"),
    "compat_ioctl": Entry(IOCTL / 4, "32-bit ioctl"),
}
"""Slots for ioctls in a structure of any type: who calls through one of another type does not count."""

COMMANDS = {
    f"{word}{bits}": Entry(each.rate * COMPAT, f"{each.per} of a 32-bit program")
    if bits
    else each
    for word, each in _named("commands")
    for bits in ("", "32")
}
"""Entry points by words of a command's name, with 32 behind those that only programs of 32 bits use."""

REGISTERED = dict(_named("registered"))
"""Entry points by the function that registers them."""

DEFINED = dict(_named("defined"))
"""Entry points by the macro that defines them; system calls apart."""

FROM_ASSEMBLY = dict(_named("from-assembly"))
"""What assembly calls, and the generic entry code and scheduler around it, by name."""


def entry_of(name: str) -> Entry | None:
    """The entry point that a function is by its name; None if it is none."""
    if name.startswith(OF_CALL):
        name = name.removeprefix(OF_CALL)
        return SYSTEM_CALLS.get(name) or Entry(COLD, f"{name}()")
    if name.startswith(OF_COMPAT):
        name = re.sub("^(?:ia32|x32)_", "", name.removeprefix(OF_COMPAT))
        known = SYSTEM_CALLS.get(name) or Entry(COLD, f"{name}()")
        if known.per.startswith("32-bit "):
            return known
        return Entry(known.rate * COMPAT, f"32-bit {known.per}", known.each)
    return FROM_ASSEMBLY.get(name)
