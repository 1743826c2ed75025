# SPDX-License-Identifier: GPL-2.0
"""The Python libraries that run and read code; those of the ``prove`` extra may be missing."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

from hotcocci.errors import UserError
from hotcocci.layout import setup_hint

# These affect the results.
LIBRARIES = ("unicorn", "capstone", "pyelftools", "pyvex", "z3-solver")
# Those of the ``prove`` extra
PROVERS = ("unicorn", "pyvex", "z3-solver")
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


def require_provers() -> None:
    """Raise UserError if a library that proofs need is missing."""
    found = libraries()
    absent = [name for name in PROVERS if found[name] == MISSING]
    if absent:
        raise UserError(
            f"Python libraries that proofs need are missing: {', '.join(absent)}: "
            f"{setup_hint('prove', 'prove')}"
        )
