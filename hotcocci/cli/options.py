# SPDX-License-Identifier: GPL-2.0
"""Options shared by several commands."""

from __future__ import annotations

import argparse
from dataclasses import fields
from pathlib import Path
from typing import Any

from hotcocci.cli.progress import progress, warn
from hotcocci.findings import MIN_RUN, SHOWS, TIERS
from hotcocci.pipeline.settings import APIS, Observer, Settings
from hotcocci.tree.kernel import Tree
from hotcocci.tree.targets import ALL, NAMES
from hotcocci.tree.touched import Touched, since

OBSERVER = Observer(progress, warn, warn)
QUIET = Observer(warn=warn)


def settings_of(options: argparse.Namespace) -> Settings:
    """Return the settings of a command line; an option's ``dest`` is the name of its field."""
    chosen: dict[str, Any] = {}
    for each in fields(Settings):
        value = getattr(options, each.name, None)
        if value is not None:
            chosen[each.name] = tuple(value) if isinstance(value, list) else value
    quiet = getattr(options, "quiet", False)
    return Settings(**chosen, observer=QUIET if quiet else OBSERVER)


def add_all(parser: argparse.ArgumentParser, dest: str, help: str) -> None:
    """Add ``--all``."""
    parser.add_argument("--all", dest=dest, action="store_true", help=help)


class _More(argparse.Action):
    """Store a word of SHOWS unless one that shows more was given."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        """Store the word of the option, or its constant."""
        known = getattr(namespace, self.dest, None)
        given = [word for word in (known, values or self.const) if word]
        setattr(namespace, self.dest, max(given, key=list(SHOWS).index))


def add_show(parser: argparse.ArgumentParser, reports: bool) -> None:
    """Add ``--show``, and the words for two of its values; ``reports`` allows "all"."""
    parser.add_argument(
        "--show",
        action=_More,
        choices=[word for word in SHOWS if reports or word != "all"],
        help="how much: rewrites that are worth it, perhaps worth it, or also those in code that runs seldom"
        + ("; all: also what is not rewritten, with the reason" if reports else "")
        + " (default: perhaps)",
    )
    for flag, word in [("--churn", "cold"), *[("--all", "all")] * reports]:
        parser.add_argument(
            flag, action=_More, dest="show", nargs=0, const=word, help=f"--show {word}"
        )


def add_analysis(parser: argparse.ArgumentParser, reports: bool = False) -> None:
    """Add the options of commands that analyse source files; ``reports`` as in `add_show`."""
    parser.add_argument(
        "--rule",
        dest="rules",
        action="append",
        default=[],
        metavar="CODE",
        help="use only this rule; may be repeated",
    )
    parser.add_argument(
        "--api",
        choices=APIS,
        default="auto",
        help="API to write windows with (default: what the tree has)",
    )
    parser.add_argument(
        "--min-run",
        type=positive,
        default=MIN_RUN,
        metavar="N",
        help="rewrite runs of at least N accesses (default: %(default)s)",
    )
    add_profile(parser)
    add_show(parser, reports)
    add_baseline(parser)
    add_running(parser)


def add_profile(parser: argparse.ArgumentParser) -> None:
    """Add --profile and --hot."""
    parser.add_argument(
        "--profile",
        type=Path,
        metavar="FILE",
        help="order by samples; FILE is perf.data, or what perf report, script, top, annotate or "
        "data convert print, or folded stacks",
    )
    parser.add_argument(
        "--hot",
        type=_percent,
        metavar="PERCENT",
        help="with --profile, omit functions with less than this share of all samples",
    )
    parser.add_argument(
        "--sizes",
        type=Path,
        metavar="FILE",
        help="sizes that copies have at run time, for UA203; FILE is a bpftrace map, @[SIZE]: COUNT or "
        "@[FUNCTION, SIZE]: COUNT, or what perf script or perf trace prints of a probe with the size",
    )


def add_baseline(parser: argparse.ArgumentParser) -> None:
    """Add ``--baseline``."""
    parser.add_argument(
        "--baseline",
        type=Path,
        metavar="FILE",
        help="omit findings listed in FILE, written with --write-baseline",
    )


def add_baseline_writing(parser: argparse.ArgumentParser) -> None:
    """Add ``--write-baseline``."""
    parser.add_argument(
        "--write-baseline",
        type=Path,
        metavar="FILE",
        help="write all findings to FILE, for --baseline",
    )


def add_diff_base(parser: argparse.ArgumentParser) -> None:
    """Add ``--diff-base``."""
    parser.add_argument(
        "--diff-base",
        metavar="REV",
        help="only code changed since this git revision",
    )


def touched_by(tree: Tree, diff_base: str | None) -> dict[str, Touched] | None:
    """Return what changed in a tree since ``--diff-base``, None without that option."""
    return None if diff_base is None else since(tree.root, diff_base)


def add_running(parser: argparse.ArgumentParser) -> None:
    """Add --jobs, --timeout, --cache-dir and --quiet."""
    defaults = Settings()
    parser.add_argument(
        "--quiet", action="store_true", help="show no progress and no totals"
    )
    parser.add_argument(
        "--jobs",
        type=positive,
        default=defaults.jobs,
        metavar="N",
        help="number of processes (default: one per CPU)",
    )
    parser.add_argument(
        "--timeout",
        type=positive,
        default=defaults.timeout,
        metavar="SECONDS",
        help="time limit per file (default: %(default)s)",
    )
    parser.add_argument(
        "--cache-dir",
        type=Path,
        default=defaults.cache_dir,
        metavar="DIR",
        help="where results are cached (default: %(default)s)",
    )


def add_tier(parser: argparse.ArgumentParser, default: str | None, text: str) -> None:
    """Add ``--tier``."""
    parser.add_argument("--tier", choices=TIERS, default=default, help=text)


def add_prove(parser: argparse.ArgumentParser) -> None:
    """Add ``--prove``."""
    parser.add_argument(
        "--prove",
        action="store_true",
        help="take only rewrites proven equivalent for all inputs",
    )


def add_bench(parser: argparse.ArgumentParser, more: str) -> None:
    """Add ``--bench``; ``more`` says what else it does."""
    parser.add_argument(
        "--bench",
        action="store_true",
        help="boot the tree under QEMU, and count instructions of system calls before and after"
        + more,
    )


def add_gate(parser: argparse.ArgumentParser) -> None:
    """Add the options on what a rewrite must pass before it is printed or committed."""
    add_bench(parser, "; take no rewrite that one runs and that makes none shorter")
    proving = "" if parser.get_default("prove") else "with --prove, "
    for flag, what in (
        ("--allow-uncompiled", "also take rewrites that cannot be compiled here"),
        ("--allow-no-gain", "also take rewrites that cost more than they save"),
        (
            "--allow-unproven",
            f"{proving}also take rewrites that are not proven",
        ),
    ):
        parser.add_argument(flag, action="store_true", help=what)
    parser.add_argument(
        "--target",
        action="append",
        choices=(*NAMES, ALL),
        default=[],
        dest="extra_targets",
        metavar="NAME",
        help="also compile and count for this target and, with --prove, compare there; may be repeated "
        f"({', '.join(NAMES)}, {ALL}). x86-64, or a file's own architecture, is always included",
    )


def add_paths(parser: argparse.ArgumentParser) -> None:
    """Add the paths to analyse."""
    parser.add_argument(
        "paths",
        nargs="*",
        type=Path,
        default=[Path(".")],
        metavar="PATH",
        help="a kernel tree, or a directory or file in one (default: the current directory)",
    )


def positive(text: str) -> int:
    """Parse a positive number."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive number")
    return number


def _percent(text: str) -> float:
    try:
        number = float(text.removesuffix("%"))
    except ValueError:
        number = -1.0
    if not 0 < number <= 100:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a percentage above 0 and at most 100"
        )
    return number
