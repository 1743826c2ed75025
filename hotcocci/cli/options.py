# SPDX-License-Identifier: GPL-2.0
"""Options shared by several commands."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hotcocci import baseline
from hotcocci.cli.terminal import progress, warn
from hotcocci.errors import UserError, told
from hotcocci.findings import MIN_RUN, Finding, SHOWS, TIERS
from hotcocci.names import count
from hotcocci.pipeline.paths import trees
from hotcocci.pipeline.settings import APIS, Observer, Settings
from hotcocci.tree.kernel import Tree, find_root, find_tree
from hotcocci.tree.source import decode, read_named
from hotcocci.tree.source import read as contents
from hotcocci.tree.targets import ALL, NAMES
from hotcocci.tree.touched import Touched, since

if TYPE_CHECKING:
    from hotcocci.tree.incoming import Patch

OBSERVER = Observer(progress, warn, warn)
QUIET = Observer(warn=warn)
MOST_PROCESSES = 512


def positive(text: str) -> int:
    """Parse a positive number."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive number")
    return number


def _processes(text: str) -> int:
    """Parse a number of processes, which the configuration of a tree may set."""
    if positive(text) > MOST_PROCESSES:
        raise argparse.ArgumentTypeError(f"{text} is more than {MOST_PROCESSES}")
    return int(text)


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


# The types of values, by their placeholders; others are texts.
_TYPES = {
    **dict.fromkeys(("DIR", "FILE", "PATH"), Path),
    **dict.fromkeys(("N", "SECONDS"), positive),
    "PERCENT": _percent,
}
# The options that several commands have
_SHARED = {
    "paths PATH": "a kernel tree, or a directory or file in one (default: the current directory)",
    "--rule CODE": "use only this rule; may be repeated",
    "--api": "API to write windows with (default: what the tree has)",
    "--min-run N": "rewrite runs of at least N accesses (default: %(default)s)",
    "--profile FILE": "order by samples; FILE is perf.data, or what perf report, script, top or annotate "
    "print, or folded stacks",
    "--hot PERCENT": "with --profile, omit functions with less than this share of all samples",
    "--baseline FILE": "omit findings listed in FILE, written with --write-baseline of 'lint' or 'check'",
    "--write-baseline FILE": "write all findings to FILE, for --baseline",
    "--diff-base REV": "only code changed since this git revision",
    "--diff FILE": "only what these patches add, applied or not: a diff, a mail, an mbox, "
    "a 'git format-patch' directory, or - for standard input; may be repeated",
    "--stdin": "take the text of the one file named from standard input, unsaved as it may be",
    "--prove": "take only rewrites proven equivalent for all inputs",
    "--quiet": "show no progress and no totals",
    "--jobs N": "number of processes (default: one per CPU)",
    "--timeout SECONDS": "time limit per file (default: %(default)s)",
    "--cache-dir DIR": "where results are cached (default: %(default)s)",
}
SEVERAL: dict[str, Any] = {"action": "append", "default": []}
PROFILE = ("--profile", "--hot")
RUNNING = ("--quiet", "--jobs", "--timeout", "--cache-dir")


def settings_of(options: argparse.Namespace) -> Settings:
    """Return the settings of a command line; an option's ``dest`` is the name of its field.

    Raises UserError if ``--bench`` could not boot a kernel: it is known before minutes of other work.
    """
    chosen: dict[str, Any] = {}
    for each in fields(Settings):
        value = getattr(options, each.name, None)
        if value is not None:
            chosen[each.name] = tuple(value) if isinstance(value, list) else value
    if chosen.get("bench"):
        # Most runs boot nothing.
        from hotcocci.bench.catalogue import X86_64, require

        require(X86_64)
    quiet = getattr(options, "quiet", False)
    return Settings(**chosen, observer=QUIET if quiet else OBSERVER)


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


def add_named(
    parser: argparse._ActionsContainer, names: Mapping[str, str], **more: Any
) -> None:
    """Add options, each with its help: with a placeholder they take a value, without they are set or not.

    ``more`` is what else argparse has to know of each of them.
    """
    for name, text in names.items():
        flag, _, value = name.partition(" ")
        own: dict[str, Any] = {} if "choices" in more else {"action": "store_true"}
        if value:
            own = {"metavar": value, "type": _TYPES.get(value, str)}
        parser.add_argument(flag, help=text, **{**own, **more})


def add(parser: argparse.ArgumentParser, *names: str) -> None:
    """Add some of the options that several commands have; "paths" is what they are about."""
    defaults = Settings()
    more: dict[str, dict[str, Any]] = {
        "paths": {"nargs": "*", "default": [Path(".")]},
        "--rule": {"dest": "rules", **SEVERAL},
        "--api": {"choices": APIS, "default": "auto"},
        "--min-run": {"default": MIN_RUN},
        "--diff": {"type": str, **SEVERAL},
        "--jobs": {"type": _processes, "default": defaults.jobs},
        "--timeout": {"default": defaults.timeout},
        "--cache-dir": {"default": defaults.cache_dir},
    }
    known = {name.partition(" ")[0]: name for name in _SHARED}
    for name in names:
        add_named(parser, {known[name]: _SHARED[known[name]]}, **more.get(name, {}))


def add_analysis(parser: argparse.ArgumentParser, reports: bool = False) -> None:
    """Add the options of commands that analyse source files; ``reports`` as in `add_show`."""
    add(parser, "--rule", "--api", "--min-run", *PROFILE)
    add_show(parser, reports)
    add(parser, "--baseline", *RUNNING)


def add_format(parser: argparse.ArgumentParser, choices: Sequence[str]) -> None:
    """Add ``--format``; the first of the choices is the default."""
    text = "output format (default: %(default)s)"
    add_named(parser, {"--format": text}, choices=choices, default=choices[0])


def touched_by(tree: Tree, diff_base: str | None) -> dict[str, Touched] | None:
    """Return what changed in a tree since ``--diff-base``, None without that option."""
    return None if diff_base is None else since(tree.root, diff_base)


def add_tier(parser: argparse.ArgumentParser, default: str | None, text: str) -> None:
    """Add ``--tier``."""
    parser.add_argument("--tier", choices=TIERS, default=default, help=text)


def add_bench(parser: argparse.ArgumentParser, more: str) -> None:
    """Add ``--bench``; ``more`` says what else it does."""
    text = "boot the tree under QEMU, and count instructions of system calls before and after"
    add_named(parser, {"--bench": text + more})


def add_gate(parser: argparse.ArgumentParser) -> None:
    """Add the options on what a rewrite must pass before it is printed or committed."""
    add_bench(parser, "; leave out a rewrite if one runs it and gets no shorter")
    proving = "" if parser.get_default("prove") else "with --prove, "
    add_named(
        parser,
        {
            "--allow-uncompiled": "also take rewrites that cannot be compiled here",
            "--allow-no-gain": "also take rewrites that cost more than they save",
            "--allow-unproven": f"{proving}also take rewrites that are not proven",
        },
    )
    text = (
        f"also compile and count for this target; {proving}compare there, too; may be repeated "
        f"({', '.join(NAMES)}, {ALL}). x86-64, or a file's own architecture, is always included"
    )
    add_targets(parser, text, "extra_targets")


def add_targets(parser: argparse.ArgumentParser, text: str, dest: str) -> None:
    """Add ``--target``."""
    choices = (*NAMES, ALL)
    add_named(parser, {"--target NAME": text}, dest=dest, choices=choices, **SEVERAL)


def text_of(options: argparse.Namespace) -> str | None:
    """Read the text of the file; None without --stdin.

    Raises UserError if the command line does not name one file, or asks for parts of it.
    """
    if not options.stdin:
        return None
    if len(options.paths) != 1 or options.paths[0].is_dir():
        raise UserError("--stdin needs one path, that of the file in a kernel tree")
    if options.diff_base is not None or getattr(options, "diff", []):
        raise UserError("--stdin cannot be used with --diff or --diff-base: omit one")
    return decode(sys.stdin.buffer.read())


def trees_of(
    options: argparse.Namespace, edited: str | None
) -> list[tuple[Tree, list[Path]]]:
    """Return the trees of the paths, as `trees`; a file with an edited text, and its folder, need not be there yet."""
    (path, *_) = options.paths
    if edited is None or path.exists():
        return trees(options.paths)
    return [(find_tree(find_root(path) or path.parent), [path])]


STDIN = "-"


def patches_in(name: str) -> list[Patch]:
    """Read the patches of a file, a directory or, for "-", standard input.

    Raises UserError if there are none, or they cannot be read.
    """
    # Most runs have none.
    from hotcocci.tree.incoming import read

    if name == STDIN:
        return read("standard input", decode(sys.stdin.buffer.read()))
    path = Path(name)
    if path.is_dir():
        files = sorted(path.glob("*.patch"))
        if not files:
            raise UserError(
                f"{path} has no *.patch files: write them with 'git format-patch -o {path}'"
            )
        # A cover letter has no patch.
        own = [f for f in files if not f.name.startswith("0000-")]
        return [patch for file in own for patch in _read(file, contents)]
    # Whoever names a pipe wants it read.
    return _read(path, read_named)


def _read(path: Path, contents_of: Callable[[Path], bytes]) -> list[Patch]:
    from hotcocci.tree.incoming import read

    with told(f"read {path}", "name a diff, a mail, an mbox or a directory of patches"):
        return read(str(path), decode(contents_of(path)))


def write_baseline(
    file: Path, found: Sequence[Finding], texts: Mapping[str, str], what: str
) -> None:
    """Write all findings to a baseline and print their number; ``what`` is the noun to count.

    Raises UserError if it cannot be written.
    """
    baseline.write(file, found, texts)
    print(f"{count(len(found), what)} written to {file}", file=sys.stderr)
