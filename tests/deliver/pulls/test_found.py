# SPDX-License-Identifier: GPL-2.0
"""Which forge is on a host, by the URL of a remote, and by the program that has a login for it."""

import pytest

from hotcocci.deliver import forge
from hotcocci.deliver.forge import GitHub, GitLab, Place
from hotcocci.errors import UserError


def found(url):
    one = forge.find(forge.place(url))
    return one.NAME, one.web, one.name


def test_a_github(github):
    assert found(f"{github.web}/ada/linux.git") == ("GitHub", github.web, "ada/linux")


def test_a_gitlab_has_groups_in_groups(gitlab):
    name = "a/b/c/d/linux"
    assert found(f"{gitlab.web}/{name}.git") == ("GitLab", gitlab.web, name)


def test_a_host_without_a_login(programs):
    with pytest.raises(UserError, match="^no login for 127.0.0.1:1: run 'gh auth "):
        found("http://127.0.0.1:1/ada/linux")


def test_a_program_that_is_not_installed(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    where = forge.place("https://gitlab.com/cki/trees/linux")
    with pytest.raises(UserError, match="GitLab needs glab, which is not installed"):
        forge.find(where).check_login()


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
    name = "cki/trees/linux"
    assert found(f"https://gitlab.com/{name}") == ("GitLab", "https://gitlab.com", name)
    expected = ("GitHub", "https://github.com", "ada/linux")
    assert found("https://github.com/ada/linux") == expected


@pytest.mark.parametrize(
    ("kind", "web", "url", "name"),
    [
        (GitLab, FREEDESKTOP, "git@ssh.x.org:bob/a/kernel", "bob/a/kernel"),
        (GitHub, "https://x.org", "git@x.org:/srv/bob/kernel", "bob/kernel"),
        (GitHub, "https://x.org", "git@x.org:Ada/Linux", "ada/linux"),
    ],
)
def test_a_fork_is_named_as_on_its_forge(kind, web, url, name):
    assert kind(web, "ada/linux").name_at(forge.place(url)) == name
