# SPDX-License-Identifier: GPL-2.0
"""Which forge is on a host: the one whose program has a login for it."""

import pytest

from hotcocci.deliver import forge
from hotcocci.deliver.forge import ForgeError


def found(url: str) -> tuple[str, str, str]:
    where = forge.place(url)
    assert where is not None
    one = forge.find(where)
    return one.NAME, one.web, one.name


def test_a_github(github):
    expected = ("GitHub", github.web, "ada/linux")
    assert found(f"{github.web}/ada/linux.git") == expected


def test_a_gitlab_has_groups_in_groups(gitlab):
    name = "a/b/c/d/linux"
    assert found(f"{gitlab.web}/{name}.git") == ("GitLab", gitlab.web, name)


def test_a_host_without_a_login(programs):
    with pytest.raises(ForgeError, match="^no login for 127.0.0.1:1: run 'gh auth "):
        found("http://127.0.0.1:1/ada/linux")


def test_a_program_that_is_not_installed(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    where = forge.place("https://gitlab.com/cki/trees/linux")
    assert where is not None
    with pytest.raises(ForgeError, match="GitLab needs glab, which is not installed"):
        forge.find(where).check_login()
