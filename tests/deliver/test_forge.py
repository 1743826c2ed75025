# SPDX-License-Identifier: GPL-2.0
"""Parse the URL of a git remote."""

import pytest

from hotcocci.deliver import forge
from hotcocci.deliver.forge import GitHub, GitLab, Place

FREEDESKTOP = "https://gitlab.freedesktop.org"


MISC = "drm/misc/kernel"


@pytest.mark.parametrize(
    ("url", "web", "path"),
    [
        ("https://github.com/ada/linux.git", "https://github.com", "ada/linux"),
        ("https://ada:x@lamps.example:8/a/b/", "https://lamps.example:8", "a/b"),
        ("git@github.com:ada/linux.git", "https://github.com", "ada/linux"),
        ("ssh://git@lamps.example:22/a/b", "https://lamps.example", "a/b"),
        (f"{FREEDESKTOP}/{MISC}.git", FREEDESKTOP, MISC),
        (f"{FREEDESKTOP}/{MISC}/-/merge_requests/1", FREEDESKTOP, MISC),
        (f"git@ssh.x.org:{MISC}.git", "https://ssh.x.org", MISC),
    ],
)
def test_host_and_path(url, web, path):
    assert forge.place(url) == Place(web, path)


def test_urls_without_a_forge():
    urls = "/srv/linux.git linux.git https://lamps.example/linux file:///a/b".split()
    assert [*map(forge.place, urls)] == [None] * len(urls)


def test_known_hosts_are_not_queried():
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
def test_a_fork_is_named_as_on_its_forge(kind, web, url, name):
    where = forge.place(url)
    assert where is not None
    assert kind(web, "ada/linux").name_at(where) == name
