# SPDX-License-Identifier: GPL-2.0
"""MAINTAINERS sections match the same files as in get_maintainer.pl."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hotcocci.deliver.maintainers import read, subsystem
from hotcocci.errors import UserError

TEXT = """Intro
	M: *Mail*

FOLDER
M:	a@b
F:	net
X:	net/core/

GLOB
M:	a@b
F:	net/*/in*.c

DEEP
M:	a@b
F:	net/ipv4/tcp/

NAMED
M:	a@b
N:	[^a-z]tcp

ANYWHERE
M:	a@b
F:	*/inet.c

THE REST
M:	a@b
F:	*
F:	*/
"""


@pytest.mark.parametrize(
    ("file", "title"),
    [
        ("net/socket.c", "FOLDER"),
        ("net/core/dev.c", None),
        ("net/ipv4/inet.c", "GLOB"),
        ("net/ipv4/tcp/inet.c", "DEEP"),
        ("net/ipv4/deep/inet.c", "FOLDER"),
        ("lib/tcp.c", "NAMED"),
        ("lib/mytcp.c", None),
        ("lib/inet.c", "ANYWHERE"),
        ("network.c", None),
        ("lib/a/b/inetXc", None),
    ],
)
def test_most_specific_section(
    small_tree: Callable[..., Path], file: str, title: str | None
) -> None:
    tree = small_tree({"MAINTAINERS": TEXT, "net/core/dev.c": ""})
    assert subsystem(read(tree), file) == title


def test_without_the_file_there_are_no_sections(
    small_tree: Callable[..., Path],
) -> None:
    assert read(small_tree({})) == []


def test_a_bad_expression_is_reported(small_tree: Callable[..., Path]) -> None:
    with pytest.raises(UserError, match=r"'N: \(' is not a valid regular expression"):
        read(small_tree({"MAINTAINERS": "A\nN:\t(\n"}))
