# SPDX-License-Identifier: GPL-2.0
"""Run the semantic patches without hotcocci, as coccicheck does, and the package's own pipeline."""

import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from hotcocci.findings import MIN_RUN, SAFE
from hotcocci.pipeline.analysis import analyse
from hotcocci.pipeline.changes import changes, chosen_rewrites
from hotcocci.pipeline.settings import Settings
from hotcocci.rewrite.diff import unified
from hotcocci.rules.rulebook import REWRITE_RULES
from hotcocci.tree.kernel import find_tree

COCCI = Path(__file__).resolve().parents[2] / "cocci"
ACCESS = COCCI / "user_access.cocci"
COPY = COCCI / "small_copy.cocci"

_FILE = re.compile(r"^--- a/(.*)$", re.M)
_ACCESS = re.compile(rb"\b(?:get|put)_user\(")
_COPY = re.compile(rb"\bcopy_(?:to|from)_user\(")
# Two processors: each process gets every second file.
_SHARDS = 2
# Keep Python's cache out of the checkout.
_ENVIRONMENT = {**os.environ, "LC_ALL": "C", "PYTHONDONTWRITEBYTECODE": "1"}


def holding(tree, folders, script):
    """The files in some directories of a tree with two or more accesses, or with a copy."""
    pattern, least = (_COPY, 1) if script == COPY else (_ACCESS, 2)
    return sorted(
        str(path.relative_to(tree))
        for folder in folders
        for path in (tree / folder).rglob("*.c")
        if len(pattern.findall(path.read_bytes())) >= least
    )


def _spatch(script, files, where, arguments):
    """The output of one spatch process over files that are each a group of their own."""
    where.mkdir(parents=True)
    groups = where / "groups"
    groups.write_text("\n\n".join(map(str, files)) + "\n")
    ran = subprocess.run(
        ["spatch", "--very-quiet", "--sp-file", script, "--no-includes"]
        + ["--macro-file", COCCI / "macros.h"]
        + [*arguments, "--file-groups", groups],
        cwd=where,
        # Not what the user's own runs know of the tree
        env={**_ENVIRONMENT, "XDG_CACHE_HOME": str(where)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr.decode(errors="replace")[-2000:]
    return ran.stdout


def _in_shards(script, files, where, arguments):
    shards = [files[n::_SHARDS] for n in range(_SHARDS) if files[n::_SHARDS]]
    with ThreadPoolExecutor(_SHARDS) as pool:
        running = [
            pool.submit(_spatch, script, shard, where / str(number), arguments)
            for number, shard in enumerate(shards)
        ]
        return [each.result() for each in running]


@dataclass(frozen=True)
class Way:
    """A script and its settings."""

    script: Path
    tree: Path
    api: str
    tier: str = SAFE
    min_run: int = MIN_RUN


def printed(way, files, where):
    """The diff that the script prints for each file that it changes."""
    settings = ["-D", "patch", "-D", "churn=yes", "-D", f"tier={way.tier}"]
    for name, value in (("api", way.api), ("min_run", way.min_run)):
        settings += ["-D", f"{name}={value}"] if value else []
    output = _in_shards(way.script, [way.tree / f for f in files], where, settings)
    parts = re.split(
        r"^(?=diff --git )", b"".join(output).decode("latin-1"), flags=re.M
    )
    return {_FILE.findall(part)[0]: part for part in parts if part}


def decided(way, files, where):
    """The diff that the package makes for each file, before any check of the rewrites."""
    codes = [r.code for r in REWRITE_RULES if r.script == f"cocci/{way.script.name}"]
    settings = Settings(
        rules=tuple(codes),
        tier=way.tier,
        api=way.api or "auto",
        min_run=way.min_run,
        show="cold",
        cache_dir=where,
    )
    paths = [way.tree / file for file in files]
    analysis = analyse(find_tree(way.tree), paths, settings)
    chosen = chosen_rewrites(analysis, settings)
    # A semantic patch changes one file at a time.
    chosen = [rewrite for rewrite in chosen if not rewrite.additions]
    made = changes(chosen, analysis.possible, analysis.texts)
    return {c.file: unified(c.file, c.old, c.new) for c in made}


def pasted(way, files, where):
    """A directory with copies of the files, patched by the script's own output."""
    return patched(way, files, printed(way, files, where / "spatch"), where)


def patched(way, files, diffs, where):
    """A directory with copies of the files, to which diffs were applied."""
    copies = where / "copies"
    for file in files:
        copy = copies / file
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes((way.tree / file).read_bytes())
    patch = subprocess.run(
        ["patch", "-p1", "--fuzz=0", "--no-backup-if-mismatch"],
        cwd=copies,
        input="".join(diffs.values()).encode("latin-1"),
        capture_output=True,
        check=False,
    )
    assert patch.returncode == 0, patch.stdout.decode(errors="replace")
    return copies
