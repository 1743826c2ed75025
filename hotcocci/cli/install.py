# SPDX-License-Identifier: GPL-2.0
"""``install --tree DIR``: install the semantic patches for "make coccicheck"."""

import argparse

from hotcocci.cli.options import add_named
from hotcocci.deliver.installed import put_scripts
from hotcocci.errors import told
from hotcocci.layout import DATA, IMPORTS
from hotcocci.names import count
from hotcocci.pipeline.fingerprint import modules_of

PACKAGE = "hotcocci"


def define(parser: argparse.ArgumentParser) -> None:
    """Add the description and options of the command to its parser."""
    parser.description = (
        "Copy the semantic patches and the Python modules they use to scripts/coccinelle/hotcocci "
        "in a kernel tree. 'make coccicheck' then runs them along with the tree's own; git ignores them."
    )
    add_named(parser, {"--tree DIR": "root of a kernel tree"}, required=True)
    text = "remove them; refused if an installed file was edited"
    add_named(parser, {"--remove": text})


def run(options: argparse.Namespace) -> int:
    """Install or remove the scripts; returns the exit code."""
    change = put_scripts(options.tree, {} if options.remove else needed())
    done, unchanged = "installed", "already up to date"
    if options.remove:
        done, unchanged = "removed", "nothing installed"
    result = f"{count(change.files, 'file')} {done}" if change.changed else unchanged
    print(f"{change.folder}: {result}")
    return 0


def needed() -> dict[str, bytes]:
    """Return the semantic patches and all modules they import, by file name.

    The target directory must have the package's name: the scripts import the package from its parent.
    """
    scripts = sorted((DATA / "cocci").glob("*.cocci"))
    # Rules are discovered by name, so no script imports them.
    rules = set((IMPORTS / PACKAGE / "rules").glob("**/*.py"))
    modules = rules | {m for file in (*scripts, *rules) for m in modules_of(file)}
    # A module also needs the __init__.py of every package above it.
    root = IMPORTS / PACKAGE
    for module in tuple(modules):
        above = (
            folder / "__init__.py" for folder in module.parents if folder != IMPORTS
        )
        modules |= {m for m in above if m.is_relative_to(root) and m.is_file()}
    files = {str(module.relative_to(root)): module for module in modules}
    files |= {script.name: script for script in scripts}
    files["macros.h"] = DATA / "cocci/macros.h"
    read = {}
    for name, path in sorted(files.items()):
        with told(f"read {path}", "restore it"):
            read[name] = path.read_bytes()
    return read
