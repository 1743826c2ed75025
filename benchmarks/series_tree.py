#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Creates the series of a whole tree, and checks it as its recipients would.

The tree is copied into a git repository below FOLDER and never written to. Then:

- 'git am' applies the mails to a clean clone, which must match the branch;
- each commit alone is applied to the base and kbuild builds its files, for x86-64 with everything
  built in; files kbuild has no rule for are listed separately;
- checkpatch.pl --strict checks each mail, and the code it removes; get_maintainer.pl is run on each;
- the series is created again with an empty cache folder, with the first one, and after runs stopped
  at several moments by SIGKILL and SIGTERM: no partial branch may remain, and the bytes must be the
  same.

    python3 benchmarks/series_tree.py TREE [--work FOLDER] [--below sound] [--kills 6] [--cache-dir FOLDER]

A FOLDER given with --work is kept and reused. The exit code is 1 if any check fails.
"""

from __future__ import annotations

import argparse
import email
import email.policy
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from email.utils import getaddresses
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hotcocci.cache import default_folder  # noqa: E402
from hotcocci.tree.build import Build, locked, make, prepare  # noqa: E402
from hotcocci.tree.includes import foreign, units  # noqa: E402
from hotcocci.tree.targets import X86_64  # noqa: E402

BASE, BRANCH = "base", "user-access"
STATE = f"refs/hotcocci/series/{BRANCH}"
NAME, EMAIL, DATE = "A Developer", "dev@example.org", "2024-11-17T22:15:08 +0000"
PERSON = {
    f"GIT_{role}_{what}": value
    for role in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", NAME), ("EMAIL", EMAIL), ("DATE", DATE))
}
# The same moments in every run
SEED = 1


@dataclass(frozen=True)
class Bench:
    """The repository, a clone of it, the mails, the cache, and more options for each run."""

    tree: Path
    clone: Path
    mails: Path
    cache: Path
    more: tuple[str, ...]

    def command(self) -> list[str]:
        """The command that creates the series."""
        words = [sys.executable, str(ROOT / "run.py"), "series", "--tree", self.tree]
        words += ["--base", BASE, "--branch", BRANCH, "--output", self.mails]
        return [*map(str, words), "--cache-dir", str(self.cache), *self.more]


def git(folder: Path, *words: str) -> str:
    """Run git in a folder and return its output; it must not fail."""
    ran = subprocess.run(
        ["git", "-c", "gc.auto=0", *words],
        cwd=folder,
        env={**os.environ, **PERSON},
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if ran.returncode != 0:
        sys.exit(f"git {' '.join(words)}: {ran.stderr}")
    return ran.stdout


def repository(source: Path, tree: Path) -> None:
    """Import a tree into a repository with one commit, unless that exists."""
    if (tree / ".git").exists():
        return
    shutil.copytree(source, tree, symlinks=True)
    git(tree, "init", "-q", "-b", BASE)
    git(tree, "config", "user.name", NAME)
    git(tree, "config", "user.email", EMAIL)
    git(tree, "-c", "core.looseCompression=1", "add", "-A", "-f", ".")
    git(tree, "commit", "-q", "-m", "Import")


def forget(bench: Bench) -> None:
    """Remove a series, so that the next run starts from scratch."""
    for ref in (f"refs/heads/{BRANCH}", STATE):
        git(bench.tree, "update-ref", "-d", ref)
    section = ["git", "config", "--remove-section", f"branch.{BRANCH}"]
    subprocess.run(section, cwd=bench.tree, capture_output=True, check=False)
    shutil.rmtree(bench.mails, ignore_errors=True)


def run(bench: Bench) -> float:
    """Create the series; returns the seconds it took."""
    start = time.monotonic()
    ran = subprocess.run(bench.command(), capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        sys.exit(ran.stderr)
    return time.monotonic() - start


def bytes_of(bench: Bench) -> dict[str, bytes]:
    """Collect the results of a run: the mails, and the ID of the last commit."""
    result = {file.name: file.read_bytes() for file in sorted(bench.mails.iterdir())}
    return {**result, "": git(bench.tree, "rev-parse", BRANCH).encode()}


def patches(bench: Bench) -> list[Path]:
    """List the mails without the cover letter."""
    return sorted(bench.mails.iterdir())[1:]


def applied(bench: Bench) -> bool:
    """Whether 'git am' applies all mails to a clean clone and yields the tree of the branch."""
    git(bench.clone, "checkout", "-q", "-f", "-B", "am", f"origin/{BASE}")
    git(bench.clone, "am", "-q", *map(str, patches(bench)))
    result = git(bench.clone, "rev-parse", "HEAD^{tree}")
    git(bench.clone, "checkout", "-q", "-f", "--detach", f"origin/{BASE}")
    return result == git(bench.tree, "rev-parse", f"{BRANCH}^{{tree}}")


def built(bench: Bench) -> list[str]:
    """Build each commit alone on the base; prints the totals and returns what fails to build."""
    commits = git(bench.tree, "rev-list", "--reverse", f"{BASE}..{BRANCH}").split()
    git(bench.clone, "fetch", "-q", "origin", BRANCH)
    build = prepare(bench.clone, X86_64, bench.cache)
    broken, apart, done = list[str](), list[str](), 0
    for commit in commits:
        names = git(bench.clone, "diff-tree", "-r", "--name-only", f"{commit}^", commit)
        of_file = {
            file: [
                unit
                for unit in units(bench.clone, file, X86_64.folder)
                if not foreign(unit, X86_64.folder)
            ]
            for file in names.split("\n")[:-1]
        }
        both = {unit for several in of_file.values() for unit in several}
        git(bench.clone, "cherry-pick", "--no-commit", commit)
        there = compiled(build, both)
        git(bench.clone, "checkout", "-q", "-f", f"origin/{BASE}", "--", ".")
        git(bench.clone, "reset", "-q", "--hard")
        for file, several in of_file.items():
            if there & set(several):
                done += 1
            elif compiled(build, several):
                broken.append(f"{commit[:12]} {file}")
            else:
                apart.append(file)
    print(f"files built with their commit alone: {done}")
    print(f"files that do not build on the base either, for x86-64: {len(apart)}")
    print("".join(f"  {file}\n" for file in apart), end="")
    return broken


def compiled(build: Build, sources: Sequence[str] | set[str]) -> set[str]:
    """Return the sources that kbuild builds an object for."""
    objects = {source: f"{source.removesuffix('.c')}.o" for source in sources}
    with locked(build.lock):
        for name in objects.values():
            (build.out / name).unlink(missing_ok=True)
        if objects:
            make(build, sorted(objects.values()))
    return {source for source, name in objects.items() if (build.out / name).exists()}


def complaints(bench: Bench) -> list[str]:
    """Return new checkpatch.pl --strict complaints, ignoring those about replaced lines."""
    script = ["perl", "scripts/checkpatch.pl", "--strict", "--no-signoff", "--terse"]
    script += ["--no-summary"]
    new, old = list[str](), 0
    for mail in patches(bench):
        back = mail.parent.with_name("back.diff")
        commit = mail.read_text(errors="replace").split()[1]
        back.write_text(git(bench.tree, "diff", commit, f"{commit}^"))
        before = {complaint(line) for line in script_lines(bench, [*script, str(back)])}
        for line in script_lines(bench, [*script, str(mail)]):
            if complaint(line) in before:
                old += 1
            else:
                new.append(line)
    print(f"checkpatch.pl complaints that apply to the old lines, too: {old}")
    return new


def complaint(line: str) -> str:
    """The text of a terse checkpatch.pl line, FILE:LINE: TEXT."""
    return line.split(":", 2)[-1]


def other_recipients(bench: Bench) -> list[str]:
    """Return the mails whose To and Cc differ from get_maintainer.pl's."""
    script = ["perl", "scripts/get_maintainer.pl", "--norolestats"]
    script += ["--nogit", "--nogit-fallback"]
    wrong = []
    for mail in patches(bench):
        head = email.message_from_bytes(mail.read_bytes(), policy=email.policy.default)
        fields = [str(head[name]) for name in ("To", "Cc") if head[name]]
        own = {address.lower() for _, address in getaddresses(fields)}
        named = [f for f in script_lines(bench, [*script, str(mail)]) if "@" in f]
        if own != {address.lower() for _, address in getaddresses(named)}:
            wrong.append(mail.name)
    return wrong


def script_lines(bench: Bench, words: list[str]) -> list[str]:
    """Run a script of the tree in a clone of the base and return its output."""
    ran = subprocess.run(words, cwd=bench.clone, stdout=subprocess.PIPE, check=False)
    return ran.stdout.decode().splitlines()


def ended(bench: Bench, seconds: float, how: signal.Signals) -> str:
    """Stop a run after some time; returns what it wrongly left behind, empty if nothing."""
    forget(bench)
    null = subprocess.DEVNULL
    process = subprocess.Popen(bench.command(), stdout=null, stderr=null)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(how)
        process.wait()
    refs = git(bench.tree, "for-each-ref", "--format=%(refname)").split()
    left = [ref for ref in refs if ref in (f"refs/heads/{BRANCH}", STATE)]
    if process.returncode == 0 or len(left) == 2:
        left = []  # the series is complete
    elif bench.mails.exists():
        left.append(bench.mails.name)
    # After SIGKILL only the next run can clean up.
    if how != signal.SIGKILL and worktrees(bench) > 1:
        left.append("a worktree")
    return ", ".join(left)


def worktrees(bench: Bench) -> int:
    """Count the worktrees of the repository, its own included."""
    return len(git(bench.tree, "worktree", "list").splitlines())


def main() -> int:
    """Create a working folder and run all checks; returns 1 if one fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tree", type=Path)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--below", action="append", default=[], metavar="PATH")
    parser.add_argument("--kills", type=int, default=6)
    parser.add_argument("--jobs", default="2")
    parser.add_argument("--cache-dir", type=Path, default=default_folder())
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        work = (options.work or Path(temporary)).resolve()
        more = ("--jobs", options.jobs, *options.below)
        cache = options.cache_dir.resolve()
        bench = Bench(work / "tree", work / "clone", work / "mails", cache, more)
        repository(options.tree.resolve(), bench.tree)
        if not bench.clone.exists():
            git(work, "clone", "-q", "--shared", str(bench.tree), str(bench.clone))
        return 1 if measure(bench, options.kills) else 0


def measure(bench: Bench, kills: int) -> int:
    """Print the figures; returns the number of failed checks."""
    forget(bench)
    print(f"the first run: {run(bench):.0f} s", flush=True)
    first = bytes_of(bench)
    stat = git(bench.tree, "diff", "--shortstat", BASE, BRANCH).strip()
    print(f"patches: {len(patches(bench))}; {stat}")
    wrong = []
    empty = bench.mails.with_name("empty")
    shutil.rmtree(empty, ignore_errors=True)
    for what, other in (
        ("knows nothing", replace(bench, cache=empty)),
        ("knows all", bench),
    ):
        forget(bench)
        again = run(other)
        same = checked(f"the same bytes by a run that {what}", bytes_of(bench) == first)
        print(f"that run: {again:.0f} s", flush=True)
        wrong.append(not same)
    wrong.append(not checked("git am applies them", applied(bench)))
    for what, found in (
        ("commits that do not build alone", built(bench)),
        ("new lines of checkpatch.pl --strict", complaints(bench)),
        ("mails to others than get_maintainer.pl names", other_recipients(bench)),
    ):
        print(f"{what}: {len(found)}", *found, sep="\n  ")
        wrong.append(bool(found))
    chance = random.Random(SEED)
    for number in range(kills):
        how = (signal.SIGKILL, signal.SIGTERM)[number % 2]
        moment = again * (number + chance.random()) / kills
        left = ended(bench, moment, how)
        run(bench)
        same = bytes_of(bench) == first and worktrees(bench) == 1
        what = f"{how.name} after {moment:.0f} s: left {left or 'nothing'}, then the same bytes"
        wrong += [bool(left), not checked(what, same)]
    return sum(wrong)


def checked(what: str, yes: bool) -> bool:
    """Print the result of a check, and return it."""
    print(f"{what}: {'yes' if yes else 'NO'}", flush=True)
    return yes


if __name__ == "__main__":
    sys.exit(main())
