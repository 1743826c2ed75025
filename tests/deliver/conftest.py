# SPDX-License-Identifier: GPL-2.0
"""A git repository of a miniature kernel tree."""

import shutil
from contextlib import contextmanager
from pathlib import Path

import pytest

from hotcocci.cli.main import main
from hotcocci.deliver import choose
from hotcocci.findings import Proof
from hotcocci.pipeline.changes import Gated
from tests.shared import FIXTURES, launch

TEXTS = Path(__file__).with_name("tree")

TAKE_ALL = (
    *("--allow-uncompiled", "--allow-no-gain", "--allow-unproven"),
    *("--tier", "prepared", "--jobs", "1", "--rule", "UA101", "--churn"),
)
MAINTAINERS = (TEXTS / "MAINTAINERS").read_text(encoding="utf-8")
# Answers as the real script does of MAINTAINERS above, in a tenth of its time.
GET_MAINTAINER = (TEXTS / "get_maintainer.pl").read_text(encoding="utf-8")
PLAYER = (TEXTS / "player.c").read_text(encoding="utf-8")


class Git:
    """The repository, used like its owner would."""

    def __init__(self, root):
        self.root = root

    def __call__(self, *arguments, stdin=""):
        ran = launch(["git", *arguments], cwd=self.root, input=stdin)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout.strip()

    @contextmanager
    def on(self, branch):
        """Work on a branch, and return to master."""
        self("switch", "-q", branch)
        yield
        self("switch", "-q", "master")

    def amend(self, message, *how):
        """Give the last patch of the series, the player's, a new message."""
        with self.on("hot"):
            self("commit", "-q", "--amend", *how, "-F", "-", stdin=message)

    def commit(self, file, text, subject):
        """Write a file and commit it."""
        path = self.root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        self("add", "--", file)
        self("commit", "-q", "-m", subject)
        return self("rev-parse", "HEAD")

    def subjects(self, branch="hot"):
        """The subjects of the commits that a branch adds to master, oldest first."""
        return self("log", "--reverse", "--format=%s", f"master..{branch}").splitlines()


@pytest.fixture(scope="session")
def template(tmp_path_factory):
    """A repository with two drivers from two subsystems, and some history; copied for each test."""
    root = tmp_path_factory.mktemp("template") / "clone"
    shutil.copytree(FIXTURES / "classic", root)
    # The real ones take most of the time of a series.
    (root / "scripts").mkdir()
    (root / "scripts/get_maintainer.pl").write_text(GET_MAINTAINER, encoding="utf-8")
    (root / "scripts/checkpatch.pl").write_text("exit 0;\n")
    (root / "MAINTAINERS").write_text(MAINTAINERS, encoding="utf-8")
    with pytest.MonkeyPatch.context() as monkeypatch:
        _settle(monkeypatch, root.parent)
        repository = Git(root)
        repository("init", "-q", "-b", "master")
        repository("config", "user.name", "Päul Tester")
        repository("config", "user.email", "paul@example.org")
        repository("add", "-A")
        repository("commit", "-q", "-m", "import: All of it")
        lamp = (root / "drivers/lamp.c").read_text(encoding="utf-8")
        for number, subject in enumerate(
            ("light: lamp: dim it", "treewide: rename", "light: lamp: off")
        ):
            repository.commit("drivers/lamp.c", f"{lamp}/* {number} */\n", subject)
        repository.commit("sound/player.c", PLAYER, "ALSA: player: Add a player")
    return root


def _settle(monkeypatch, home):
    """The same commits on any machine."""
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / "gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_AUTHOR_DATE", "1700000000 +0100")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "1700000000 +0100")


@pytest.fixture
def git(builds, template, tmp_path, monkeypatch):
    """A copy of the repository."""
    _settle(monkeypatch, tmp_path)
    repository = Git(shutil.copytree(template, tmp_path / "clone", symlinks=True))
    # The index has the times of the other files.
    repository("update-index", "-q", "--refresh")
    return repository


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """Share the cache, so that facts are computed once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def words(git, cache):
    """The arguments for the command on the repository; a test adds its own."""
    where = ["--tree", str(git.root), "--cache-dir", str(cache)]
    return ["series", *where, *TAKE_ALL]


@pytest.fixture
def gated(words):
    """Run the command with the real gate."""
    return lambda *arguments: main([*words, *map(str, arguments)])


@pytest.fixture
def run(gated, monkeypatch):
    """Run the command with a stand-in for the gate."""
    monkeypatch.setattr(choose, "pass_gate", pass_gate)
    monkeypatch.setattr(choose, "pass_proof", lambda _tree, gated, _settings: gated)
    return gated


def pass_gate(_tree, wanted, _options):
    """Stand-in for the gate, which takes seconds and has its own tests."""
    proofs = tuple(Proof(change.file) for change in wanted)
    return Gated(tuple(wanted), (), (), (), proofs)
