# SPDX-License-Identifier: GPL-2.0
"""Running the semantic patches without the command line of hotcocci, as coccicheck would.

What SmPL pastes and what the package writes are made from the same decision in two ways;
the tests here hold one against the other.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from hotcocci.c.source import apply
from hotcocci.findings import SAFE, Rewrite
from hotcocci.c.facts_json import load
from hotcocci.c.seen import source_of
from hotcocci.rewrite.session import options_for
from hotcocci.rules.working import decider

COCCI = Path(__file__).resolve().parents[2] / "cocci"
RUN = COCCI / "user_access_run.cocci"
LOOP = COCCI / "user_access_loop.cocci"
COPY = COCCI / "small_copy.cocci"

_ACCESS = re.compile(rb"\b(?:get|put)_user\(")
_COPY = re.compile(rb"\bcopy_(?:to|from)_user\(")
# Two processors; a process for each gets every second file.
_SHARDS = 2
# Python's own cache has no business in the checkout.
_ENVIRONMENT = {**os.environ, "LC_ALL": "C", "PYTHONDONTWRITEBYTECODE": "1"}


def users(tree: Path, folders: Sequence[str]) -> list[str]:
    """The files below some folders of a tree that hold two accesses or more."""
    return _holding(tree, folders, _ACCESS, 2)


def copiers(tree: Path, folders: Sequence[str]) -> list[str]:
    """The files below some folders of a tree that hold a copy."""
    return _holding(tree, folders, _COPY, 1)


def _holding(
    tree: Path, folders: Sequence[str], pattern: re.Pattern[bytes], least: int
) -> list[str]:
    return sorted(
        str(path.relative_to(tree))
        for folder in folders
        for path in (tree / folder).rglob("*.c")
        if len(pattern.findall(path.read_bytes())) >= least
    )


def _spatch(
    script: Path, files: Sequence[Path], where: Path, arguments: Sequence[str]
) -> bytes:
    """The standard output of one spatch over files that are each a group of their own."""
    where.mkdir(parents=True)
    groups = where / "groups"
    groups.write_text("\n\n".join(map(str, files)) + "\n")
    ran = subprocess.run(
        ["spatch", "--very-quiet", "--sp-file", script, "--no-includes"]
        + ["--smpl-spacing", "--macro-file", COCCI / "macros.h"]
        + [*arguments, "--file-groups", groups],
        cwd=where,
        env=_ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr.decode(errors="replace")[-2000:]
    return ran.stdout


def _in_shards(
    script: Path, files: Sequence[Path], where: Path, arguments: Sequence[str]
) -> list[bytes]:
    shards = [files[n::_SHARDS] for n in range(_SHARDS) if files[n::_SHARDS]]
    with ThreadPoolExecutor(_SHARDS) as pool:
        running = [
            pool.submit(_spatch, script, shard, where / str(number), arguments)
            for number, shard in enumerate(shards)
        ]
        return [each.result() for each in running]


@dataclass(frozen=True)
class Way:
    """A script and what it is asked for."""

    script: Path
    tree: Path
    api: str
    tier: str = SAFE
    min_run: str = "2"


def rewrites(way: Way, files: Sequence[str], where: Path) -> dict[str, list[Rewrite]]:
    """The rewrites of each file as the package decides on them."""
    answers = where / "answers"
    arguments = ["--no-show-diff", "-D", "report", "-D", f"facts={answers}"]
    _in_shards(way.script, [way.tree / f for f in files], where, arguments)
    options = options_for(way.tree, way.api, way.min_run)
    decide = decider(str(way.script))
    found: dict[str, list[Rewrite]] = {}
    for line in answers.read_text().splitlines():
        record = json.loads(line)
        file = str(Path(record["file"]).relative_to(way.tree))
        facts = load(record["facts"], file)
        text = source_of(record["file"]).text
        _, made = decide(text, facts, options)
        found[file] = [r for r in made if r.finding.tier in (SAFE, way.tier)]
    return found


def written(text: str, made: Sequence[Rewrite]) -> str:
    """A text with rewrites carried out; windows that share statements share edits."""
    return apply(text, tuple(dict.fromkeys(e for r in made for e in r.edits)))


def pasted(way: Way, files: Sequence[str], where: Path) -> Path:
    """A folder with copies of the files, to which SmPL's own patch was applied."""
    settings = ["-D", "patch", "--patch", str(way.tree)]
    for name, value in (("api", way.api), ("tier", way.tier), ("min_run", way.min_run)):
        settings += ["-D", f"{name}={value}"]
    diffs = _in_shards(
        way.script, [way.tree / f for f in files], where / "spatch", settings
    )
    copies = where / "copies"
    for file in files:
        copy = copies / file
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes((way.tree / file).read_bytes())
    patch = subprocess.run(
        ["patch", "-p1", "--fuzz=0", "--no-backup-if-mismatch"],
        cwd=copies,
        input=b"".join(diffs),
        capture_output=True,
        check=False,
    )
    assert patch.returncode == 0, patch.stdout.decode(errors="replace")
    return copies
