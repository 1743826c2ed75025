# SPDX-License-Identifier: GPL-2.0
"""Stand-ins for GitHub and GitLab, each with a bare repository on disk."""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from forges import GitHub, GitLab  # noqa: E402

PROGRAM = """\
#!{python} -IS
import sys
sys.path.insert(0, {folder!r})
from forges import main
sys.exit(main({file!r}))
"""


def pytest_generate_tests(metafunc):
    """Run a test with GitLab, or with each forge if it is marked so: with GitHub in --all."""
    if "site" in metafunc.fixturenames:
        each = metafunc.definition.get_closest_marker("forges")
        github = pytest.param("github", marks=pytest.mark.slow)
        forges = [github, "gitlab"] if each else ["gitlab"]
        metafunc.parametrize("site", forges, indirect=True)


@pytest.fixture
def site(request):
    """A forge."""
    return request.getfixturevalue(request.param)


@pytest.fixture
def programs(tmp_path, monkeypatch):
    """The folder of gh and glab, first in PATH."""
    folder, here = tmp_path / "programs", str(Path(__file__).parent)
    folder.mkdir()
    for name in ("gh", "glab"):
        file = str(folder / "state")
        text = PROGRAM.format(python=sys.executable, folder=here, file=file)
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return folder


@pytest.fixture
def bare(git, tmp_path):
    """The remote "upstream": a bare repository with the clone's branches."""
    path = str(tmp_path / "linux.git")
    git("init", "-q", "--bare", "-b", "master", path)
    git("remote", "add", "upstream", path)
    git("push", "-q", "upstream", "master")
    return path


@pytest.fixture
def github(bare, programs):
    """A stand-in for GitHub Enterprise."""
    return GitHub(programs / "state", bare)


@pytest.fixture
def gitlab(bare, programs):
    """A stand-in for a self-hosted GitLab."""
    return GitLab(programs / "state", bare)


@pytest.fixture
def signed(git, run):
    """Create a reviewed, signed-off branch for the paths; returns the arguments to continue with it."""

    def make(site, *paths):
        assert run("--branch", "hot", *paths) == 0
        git("rebase", "-q", "--signoff", "master", "hot")
        git("switch", "-q", "master")
        words = ("--branch", "hot", "--pull-requests", "upstream")
        return (*words, *site.options, *paths)

    return make


@pytest.fixture
def pulls(run, site, signed):
    """Run the command on a reviewed, signed-off branch."""
    words = signed(site)
    return lambda *more: run(*words, *more)
