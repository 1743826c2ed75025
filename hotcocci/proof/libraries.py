# SPDX-License-Identifier: GPL-2.0
"""The Python libraries that run and read code; those of the ``prove`` extra may be missing."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

from hotcocci.errors import UserError
from hotcocci.layout import setup_hint

# These affect the results.
LIBRARIES = ("unicorn", "capstone", "pyelftools", "pyvex", "z3-solver")
# The emulator. Without pyvex and z3-solver, a function that it has run is only not proven.
EMULATOR = "unicorn"
MISSING = "no version"


def libraries() -> dict[str, str]:
    """The version of each library; MISSING for a missing one."""
    found = {}
    for library in LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            found[library] = MISSING
    return found


def require_emulator() -> None:
    """Raise UserError if there is no emulator to run code in."""
    if libraries()[EMULATOR] == MISSING:
        raise UserError(
            f"the Python library {EMULATOR}, which runs the code, is missing: {setup_hint('prove', 'prove')}"
        )
