# SPDX-License-Identifier: GPL-2.0
"""``doctor``: list external programs and what needs them."""

import argparse
import textwrap
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from hotcocci.cli.config import NAME, read
from hotcocci.engines.programs import Found, look
from hotcocci.errors import UserError
from hotcocci.layout import setup_hint
from hotcocci.names import quoted

# The extras of setup.cfg: a command that needs each, and its libraries
EXTRAS = {
    "prove": ("prove", "archinfo pycparser pyvex unicorn z3-solver"),
    "cluster": ("prove", "distributed"),
    "lsp": ("lsp", "pygls"),
    "shell": ("completion", "argparse-manpage shtab"),
}

WIDTH = 100
NOTHING = "nothing"
_TABLE = """\
lint, why, check --engine spatch, lsp, rules, doctor | nothing | the cache
patch, prove, loads, check with any other engine \
| its Makefiles and scripts, host programs built from it (objtool, fixdep), `scripts/checkpatch.pl` \
| the cache; the tree only with `patch --apply`
bench, patch --bench, prove --bench, series --bench \
| as `patch`; and it boots a kernel built from the tree under QEMU; with `--native` nothing \
| the cache; the file of `--save`
series | as `patch`, and `scripts/get_maintainer.pl` \
| the cache; the branch, its configuration and `refs/hotcocci/`; the mails of `--output`
cache, completion | nothing | `cache clear` and `prune` remove parts of the cache
install --tree, checkers install --smatch | nothing \
| that tree, until you use `--remove`; that smatch tree
checkers build | nothing | this checkout: `checkers/clang-tidy/build`
"""
# Commands, what they run from the tree, what they write
TABLE = [line.split(" | ") for line in _TABLE.splitlines()]


def define(parser: argparse.ArgumentParser) -> None:
    """Add the description and options of the command to its parser."""
    parser.description = (
        "List external programs with their versions, and what does not work without them. "
        "Exit code: 0, 2 if a required program is missing."
    )
    parser.add_argument(
        "tree",
        nargs="?",
        type=Path,
        metavar="PATH",
        help="a kernel tree, or a file in one, whose configuration file to print (default: the current directory)",
    )


def run(options: argparse.Namespace) -> int:
    """Print the table; returns the exit code. Raises UserError if there is no such tree."""
    start = options.tree or Path()
    if not start.exists():
        raise UserError(f"there is no {start}: name a kernel tree")
    found = look()
    width = max(len(entry.program.name) for entry in found)
    for entry in found:
        if entry.problem:
            state = f"{'unusable':<12} {entry.problem}"
        elif entry.path:
            state = f"{entry.version or 'found':<12} {entry.path}{_untested(entry)}"
        else:
            state = f"{'missing':<12} without it: {entry.program.lost}; to install: {entry.program.remedy}"
        print(f"{entry.program.name:<{width}}  {state}")
    for extra, (command, libraries) in EXTRAS.items():
        for library in libraries.split():
            hint = setup_hint(extra, command)
            print(f"{library:<{width}}  {_library(library, hint)}")
    print(*from_the_tree(), sep="\n")
    if options.config is None:
        where = "here" if options.tree is None else f"in {quoted(str(start))}"
        print(f"no configuration file ({NAME}) {where} or above")
    else:
        print(f"options from {options.config}:")
        for name, value in read(options.config).items():
            print(f"  {name} = {value}")
    return 2 if any(entry.program.needed and not entry.path for entry in found) else 0


def _library(name: str, hint: str) -> str:
    """The version of a Python library, or how to install it."""
    try:
        return f"{metadata.version(name):<12} Python library"
    except metadata.PackageNotFoundError:
        return f"{'missing':<12} to install: {hint}"


def _untested(entry: Found) -> str:
    """A remark on a version that the tests were not run with."""
    tested = entry.program.tested
    if not tested or entry.version in tested:
        return ""
    return f" (tested with {', '.join(tested)})"


def from_the_tree() -> Iterator[str]:
    """Yield what commands run from the tree, for a terminal."""
    yield "what commands run from the tree:"
    quiet = ", ".join(names for names, runs, _ in TABLE if runs == NOTHING)
    rows = [(names, runs) for names, runs, _ in TABLE if runs != NOTHING]
    for names, runs in [(quiet, NOTHING), *rows]:
        said = f"{names}: {runs}".replace("`", "")
        yield from textwrap.wrap(
            said, WIDTH, initial_indent="  ", subsequent_indent="    "
        )
