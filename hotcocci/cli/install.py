# SPDX-License-Identifier: GPL-2.0
"""``install --tree DIR``: the semantic patches where "make coccicheck" of a kernel tree finds them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from hotcocci.deliver.scripts_folder import install, remove
from hotcocci.errors import UserError
from hotcocci.pipeline.fingerprint import CHECKOUT, modules_of

PACKAGE = "hotcocci"


def add(commands: Any) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "install",
        help="put the semantic patches where 'make coccicheck' of a tree finds them",
        description=(
            "Copies the semantic patches, and the Python modules they use, into scripts/coccinelle/hotcocci "
            "of a kernel tree. 'make coccicheck' runs them with the tree's own then; git does not see them."
        ),
    )
    parser.add_argument(
        "--tree",
        metavar="DIR",
        type=Path,
        required=True,
        help="the root of a kernel tree",
    )
    parser.add_argument(
        "--remove",
        action="store_true",
        help="take them out again; refused if something there was edited since",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Put the scripts in or take them out; returns the exit code."""
    if options.remove:
        change = remove(options.tree)
        told = "files taken out" if change.files else "nothing there to take out"
    else:
        change = install(options.tree, needed())
        told = "files put in" if change.files else "all files are there already"
    print(f"{change.folder}: {f'{change.files} ' if change.files else ''}{told}")
    return 0


def needed() -> dict[str, bytes]:
    """The semantic patches and all modules that they import, by their names in one folder.

    The folder has to bear the package's name: the scripts find it beside the folder they lie in.
    """
    scripts = sorted((CHECKOUT / "cocci").glob("*.cocci"))
    # What is found by its name is imported by none of them.
    rules = set((CHECKOUT / PACKAGE / "rules").glob("**/*.py"))
    modules = rules | {m for file in (*scripts, *rules) for m in modules_of(file)}
    # A package is found by the __init__.py of all folders down to a module.
    root = CHECKOUT / PACKAGE
    for module in tuple(modules):
        above = (
            folder / "__init__.py" for folder in module.parents if folder != CHECKOUT
        )
        modules |= {m for m in above if m.is_relative_to(root) and m.is_file()}
    files = {str(module.relative_to(root)): module for module in modules}
    files |= {script.name: script for script in scripts}
    files["macros.h"] = CHECKOUT / "cocci/macros.h"
    try:
        return {name: path.read_bytes() for name, path in sorted(files.items())}
    except OSError as error:
        raise UserError(
            f"cannot read {error.filename}: {error.strerror}: restore it"
        ) from error
