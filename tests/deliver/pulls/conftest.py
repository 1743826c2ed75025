# SPDX-License-Identifier: GPL-2.0
"""Forges on loopback: stand-ins for GitHub and GitLab, and a Gitea if one is installed.

A stand-in has a bare repository on disk.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from github_stand_in import GitHub, GitHubSite  # noqa: E402
from gitlab_stand_in import GitLab, GitLabSite  # noqa: E402
from real_gitea import GITEA, GiteaSite, started  # noqa: E402
from forge_site import TOKEN, Site, World, served  # noqa: E402

VARIABLES = (
    *("GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"),
    *("GITLAB_TOKEN", "GITLAB_ACCESS_TOKEN", "GITLAB_HOST", "GL_HOST"),
    *("GITEA_TOKEN", "FORGEJO_TOKEN"),
)


@pytest.fixture(params=["github", "gitlab", "gitea"])
def site(request: pytest.FixtureRequest) -> Site:
    """Each of the forges."""
    found: Site = request.getfixturevalue(request.param)
    return found


@pytest.fixture(params=["github", "gitlab"])
def stand_in(request: pytest.FixtureRequest) -> Site:
    """Each of the stand-ins."""
    found: Site = request.getfixturevalue(request.param)
    return found


@pytest.fixture(autouse=True)
def nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drop the credentials of whoever runs the tests."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def bare(git: Any, tmp_path: Path) -> str:
    """The remote "upstream": a bare repository with the clone's branches."""
    path = str(tmp_path / "linux.git")
    git("init", "-q", "--bare", "-b", "master", path)
    git("remote", "add", "upstream", path)
    git("push", "-q", "upstream", "master")
    return path


@pytest.fixture
def github(bare: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[GitHubSite]:
    """A stand-in for GitHub Enterprise."""
    monkeypatch.setenv("GH_ENTERPRISE_TOKEN", TOKEN)
    world = World()
    with served(GitHub, world) as web:
        yield GitHubSite(web, bare, world)


@pytest.fixture
def gitlab(bare: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[GitLabSite]:
    """A stand-in for a self-hosted GitLab."""
    monkeypatch.setenv("GITLAB_TOKEN", TOKEN)
    world = World()
    with served(GitLab, world) as web:
        monkeypatch.setenv("GITLAB_HOST", web)
        yield GitLabSite(web, bare, world)


@pytest.fixture
def gitea(git: Any, tmp_path: Path) -> Iterator[GiteaSite]:
    """A separate Gitea with a user, and a repository with the clone's branches."""
    if GITEA is None:
        pytest.skip(
            "no gitea on PATH or in HOTCOCCI_GITEA: no registry of Debian or PyPI has one"
        )
    with started(tmp_path / "gitea") as site:
        # The git credential helper supplies user and token for pushes and the API.
        store = tmp_path / "credentials"
        store.write_text(site.web.replace("//", f"//ada:{site.token}@") + "\n")
        git("config", "--global", "credential.helper", f"store --file={store}")
        git("remote", "add", "upstream", site.remote)
        git("push", "-q", "upstream", "master")
        yield site


@pytest.fixture
def signed(git: Any, run: Callable[..., int]) -> Callable[..., tuple[str, ...]]:
    """Create a reviewed, signed-off branch for the paths; returns the arguments to continue with it."""

    def make(site: Site, *paths: str) -> tuple[str, ...]:
        assert run("--branch", "hot", *paths) == 0
        git("rebase", "-q", "--signoff", "master", "hot")
        git("switch", "-q", "master")
        words = ("--branch", "hot", "--pull-requests", "upstream")
        return (*words, *site.options, *paths)

    return make


@pytest.fixture
def pulls(
    run: Callable[..., int], site: Site, signed: Callable[..., tuple[str, ...]]
) -> Callable[..., int]:
    """Run the command on a reviewed, signed-off branch."""
    words = signed(site)
    return lambda *more: run(*words, *more)
