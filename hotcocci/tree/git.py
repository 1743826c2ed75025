# SPDX-License-Identifier: GPL-2.0
"""Read a tree's git repository, obeying nothing that comes with it.

A repository can name programs for git to run: clean and textconv filters, core.fsmonitor, external
diffs, hooks, a remote to fetch missing objects from, and the configuration of submodules. And its
.gitattributes can call a source binary, which hides its changes. git has no switch that turns all of
this off (2.39 lacks GIT_NO_LAZY_FETCH), so it is given a folder with the objects, references and index
of the repository, but with a configuration and attributes of ours.
"""

import errno
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from hotcocci.errors import UserError, told
from hotcocci.tree.process import Outcome, run
from hotcocci.tree.source import decode, read, readable

TIMEOUT = 120.0
# Seconds. Each file of a repository may be a pipe.
ASLEEP = 3.0
# What a user's own configuration must not do here either.
SETTINGS = (
    # These files may say other things of objects than the objects.
    "core.commitGraph=false",
    "core.multiPackIndex=false",
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.quotePath=true",
    "gc.auto=0",
    "log.showSignature=false",
)
ENVIRONMENT = {
    # An empty list: no protocol is allowed.
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}
# gitattributes(5): these come after, and so override, those of the tree.
ATTRIBUTES = "* !diff !eol !export-ignore !export-subst !filter !ident !merge !text !working-tree-encoding\n"
_SHARED = ("objects", "packed-refs", "refs", "reftable", "shallow")
_OWN = ("index", "sharedindex.*", "logs", "*_HEAD")
# How objects and references are stored, which the configuration says.
_STORED = re.compile(
    r"^[ \t]*((?:objectformat|refstorage)[ \t]*=[ \t]*\w+)[ \t\r]*$", re.I | re.M
)

Git = Callable[..., Outcome]


def plain(where: Path, *arguments: str, stdin: str | None = None) -> Outcome:
    """Run git on files outside any repository. Raises UserError without git."""
    # The folder may be in some repository.
    return _run(where, {"GIT_DIR": "/dev/null"}, arguments, stdin)


@contextmanager
def reading(tree: Path) -> Iterator[Git | None]:
    """Yield a function that runs git to read the repository around a tree; None without one.

    It takes git's arguments, and ``stdin``. Raises UserError without git.
    """
    found = top(tree)
    if found is None:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="hotcocci-git-") as name:
        _lay_out(_git_folder(found), Path(name))
        places = {"GIT_DIR": name, "GIT_WORK_TREE": str(found)}

        def git(*arguments: str, stdin: str | None = None) -> Outcome:
            return _run(tree, places, arguments, stdin)

        yield git


def top(tree: Path) -> Path | None:
    """The top of the checkout that a folder is in; None if it is in none."""
    tree = tree.resolve()
    return next((f for f in (tree, *tree.parents) if (f / ".git").exists()), None)


def said(outcome: Outcome) -> str:
    """The first line of git's complaint."""
    lines = readable(outcome.err).strip().splitlines() or ["git timed out"]
    return lines[0].removeprefix("error: ").removeprefix("fatal: ")


def _git_folder(checkout: Path) -> Path:
    place = checkout / ".git"
    if place.is_dir():
        return place
    with told(f"read {place}"):
        word, _, folder = decode(read(place)).strip().partition(": ")
        is_there = word == "gitdir" and (checkout / folder).is_dir()
    if not is_there:
        raise UserError(f"{place} does not name a git repository: see 'git worktree'")
    return checkout / folder


def _lay_out(folder: Path, place: Path) -> None:
    """Make a repository of the objects, references and index of another one."""
    try:
        common = folder
        if (folder / "commondir").is_file():
            common = folder / decode(read(folder / "commondir")).strip()
        for source, patterns in ((common, _SHARED), (folder, _OWN)):
            for entry in (e for p in patterns for e in source.resolve().glob(p)):
                if not (entry.is_file() or entry.is_dir()):
                    # git would wait at a pipe.
                    raise OSError(errno.EINVAL, "it is not a regular file", str(entry))
                if not (place / entry.name).exists():
                    (place / entry.name).symlink_to(entry)
        # git accepts no link here.
        (place / "HEAD").write_bytes(read(folder / "HEAD"))
        stored = _STORED.findall(decode(read(common / "config")))
        borrowed = common / "objects/info/alternates"
        if borrowed.exists():
            read(borrowed)
    except ValueError as error:
        raise UserError(f"cannot read the git repository {folder}: {error}") from error
    except OSError as error:
        raise UserError(
            f"cannot read the git repository {folder}: {error.filename}: {error.strerror}"
        ) from error
    (place / "info").mkdir()
    (place / "info/attributes").write_text(ATTRIBUTES, encoding="ascii")
    lines = [f"[core]\nrepositoryformatversion = {int(bool(stored))}", "[extensions]"]
    (place / "config").write_text("\n".join([*lines, *stored, ""]), encoding="ascii")


def _run(
    where: Path,
    places: Mapping[str, str],
    arguments: tuple[str, ...],
    stdin: str | None,
) -> Outcome:
    settings = [word for setting in SETTINGS for word in ("-c", setting)]
    argv = ["git", "--no-pager", *settings, *arguments]
    extra = {**ENVIRONMENT, **places}
    return run(argv, where, TIMEOUT, stdin=stdin, extra=extra, asleep=ASLEEP)
