# SPDX-License-Identifier: GPL-2.0
"""The options that several commands share."""

from __future__ import annotations

import argparse
from dataclasses import fields
from pathlib import Path
from typing import Any, NoReturn

from hotcocci.cli.progress import progress, warn
from hotcocci.errors import UserError
from hotcocci.findings import TIERS
from hotcocci.pipeline.settings import APIS, Observer, Settings
from hotcocci.tree.kernel import Tree
from hotcocci.tree.targets import ALL, NAMES
from hotcocci.tree.touched import Touched, since

OBSERVER = Observer(progress, warn)


class Parser(argparse.ArgumentParser):
    """A parser whose complaints are one line, like every other error."""

    def error(self, message: str) -> NoReturn:
        """Raise UserError instead of printing the usage."""
        raise UserError(f"{message}: see '{self.prog} --help'")


def settings_of(options: argparse.Namespace) -> Settings:
    """The settings that a command line asks for: an option's ``dest`` is the name of its field."""
    chosen: dict[str, Any] = {}
    for each in fields(Settings):
        value = getattr(options, each.name, None)
        if value is not None:
            chosen[each.name] = tuple(value) if isinstance(value, list) else value
    return Settings(**chosen, observer=OBSERVER)


def add_analysis(parser: argparse.ArgumentParser) -> None:
    """What every command that looks at source files understands."""
    parser.add_argument(
        "--rule",
        dest="rules",
        action="append",
        default=[],
        metavar="CODE",
        help="only this rule; may be repeated",
    )
    parser.add_argument(
        "--api",
        choices=APIS,
        default="auto",
        help="how windows are written (default: what the tree has)",
    )
    parser.add_argument(
        "--min-run",
        type=positive,
        metavar="N",
        help="rewrite runs of at least N accesses (default: 3 for classic windows, 2 for others)",
    )
    parser.add_argument(
        "--profile",
        type=Path,
        metavar="FILE",
        help="order by the samples in the output of 'perf report --stdio', "
        "'perf script' or 'perf annotate --stdio'",
    )
    parser.add_argument(
        "--hot",
        type=_percent,
        metavar="PERCENT",
        help="with --profile, only functions that have at least this share of all samples",
    )
    add_baseline(parser)
    add_running(parser)


def add_baseline(parser: argparse.ArgumentParser) -> None:
    """``--baseline``."""
    parser.add_argument(
        "--baseline",
        type=Path,
        metavar="FILE",
        help="only what FILE, made with --write-baseline, does not know",
    )


def add_baseline_writing(parser: argparse.ArgumentParser) -> None:
    """``--write-baseline``, of the commands that list what they find."""
    parser.add_argument(
        "--write-baseline",
        type=Path,
        metavar="FILE",
        help="make all that is found known",
    )


def add_diff_base(parser: argparse.ArgumentParser) -> None:
    """``--diff-base``."""
    parser.add_argument(
        "--diff-base",
        metavar="REV",
        help="only what the changes since this revision of the tree's git repository touch",
    )


def touched_by(tree: Tree, diff_base: str | None) -> dict[str, Touched] | None:
    """What ``--diff-base`` asks for in a tree, None without it."""
    return None if diff_base is None else since(tree.root, diff_base)


def add_running(parser: argparse.ArgumentParser) -> None:
    """How a command works, whatever it looks for."""
    defaults = Settings()
    parser.add_argument(
        "--jobs",
        type=positive,
        default=defaults.jobs,
        metavar="N",
        help="processes at once (default: one for each processor)",
    )
    parser.add_argument(
        "--timeout",
        type=positive,
        default=defaults.timeout,
        metavar="SECONDS",
        help="time limit for one file (default: %(default)s)",
    )
    parser.add_argument(
        "--cache-dir",
        type=Path,
        default=defaults.cache_dir,
        metavar="FOLDER",
        help="where results are remembered (default: %(default)s)",
    )


def add_tier(parser: argparse.ArgumentParser, default: str | None, text: str) -> None:
    """``--tier``: this one and the ones before it."""
    parser.add_argument("--tier", choices=TIERS, default=default, help=text)


def add_gate(parser: argparse.ArgumentParser) -> None:
    """What a rewrite has to pass before it is printed or committed."""
    for flag, what in (
        ("--allow-uncompiled", "also what cannot be compiled on this machine"),
        ("--allow-no-gain", "also what costs more machine code than it saves"),
        ("--prove", "take only what is proven to do the same for all inputs"),
        (
            "--allow-sampled",
            "with --prove, also what did the same on all inputs that were tried",
        ),
        ("--allow-unproven", "with --prove, also what could not be compared"),
    ):
        parser.add_argument(flag, action="store_true", help=what)
    parser.add_argument(
        "--target",
        action="append",
        choices=(*NAMES, ALL),
        default=[],
        dest="extra_targets",
        metavar="NAME",
        help="compile, count and, with --prove, run it for this target besides x86-64, or what a file belongs to; "
        f"may be repeated ({', '.join(NAMES)}, {ALL})",
    )


def add_paths(parser: argparse.ArgumentParser) -> None:
    """Where to look."""
    parser.add_argument(
        "paths",
        nargs="*",
        type=Path,
        default=[Path(".")],
        metavar="PATH",
        help="a kernel tree, or a folder or file in one (default: the current folder)",
    )


def positive(text: str) -> int:
    """An argument that is a number from 1 up."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 up")
    return number


def _percent(text: str) -> float:
    try:
        number = float(text.removesuffix("%"))
    except ValueError:
        number = -1.0
    if not 0 < number <= 100:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a percentage above 0 and up to 100"
        )
    return number
