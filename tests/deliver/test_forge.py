# SPDX-License-Identifier: GPL-2.0
"""Parse the URL of a git remote."""

from __future__ import annotations

import pytest

from hotcocci.deliver import forge
from hotcocci.deliver.forge import Forge, GitHub, GitLab, Place

FREEDESKTOP = "https://gitlab.freedesktop.org"


@pytest.mark.parametrize(
    ("url", "web", "path"),
    [
        ("https://github.com/ada/linux.git", "https://github.com", "ada/linux"),
        ("https://ada:x@lamps.example:8/a/b/", "https://lamps.example:8", "a/b"),
        ("git@github.com:ada/linux.git", "https://github.com", "ada/linux"),
        ("ssh://git@lamps.example:22/a/b", "https://lamps.example", "a/b"),
        (f"{FREEDESKTOP}/drm/misc/kernel.git", FREEDESKTOP, "drm/misc/kernel"),
        (
            f"{FREEDESKTOP}/drm/misc/kernel/-/merge_requests/1",
            FREEDESKTOP,
            "drm/misc/kernel",
        ),
        (
            "git@ssh.gitlab.freedesktop.org:drm/misc/kernel.git",
            "https://ssh.gitlab.freedesktop.org",
            "drm/misc/kernel",
        ),
    ],
)
def test_host_and_path(url: str, web: str, path: str) -> None:
    assert forge.place(url) == Place(web, path)


@pytest.mark.parametrize(
    "url", ["/srv/linux.git", "linux.git", "https://lamps.example/linux", "file:///a/b"]
)
def test_urls_without_a_forge(url: str) -> None:
    assert forge.place(url) is None


def test_known_hosts_are_not_queried() -> None:
    found = forge.find(Place("https://gitlab.com", "cki/trees/linux"))
    assert (found.NAME, found.name) == ("GitLab", "cki/trees/linux")
    found = forge.find(Place("https://github.com", "ada/linux"))
    assert (found.NAME, found.name) == ("GitHub", "ada/linux")


@pytest.mark.parametrize(
    ("kind", "web", "url", "name"),
    [
        (GitLab, FREEDESKTOP, "git@ssh.x.org:bob/a/kernel", "bob/a/kernel"),
        (GitHub, "https://x.org", "git@x.org:/srv/bob/kernel", "bob/kernel"),
        (GitHub, "https://x.org", "git@x.org:Ada/Linux", "ada/linux"),
    ],
)
def test_a_fork_is_named_as_on_its_forge(
    kind: type[Forge], web: str, url: str, name: str
) -> None:
    where = forge.place(url)
    assert where is not None
    assert kind(web, "ada/linux").name_at(where) == name
