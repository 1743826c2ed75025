# SPDX-License-Identifier: GPL-2.0
"""Tables of sizes: what bpftrace and perf print, and what is none of it."""

import re

import pytest

from hotcocci.engines.call_sizes import parse, read
from hotcocci.errors import UserError

MAP = """\
Attaching 1 probe...

@[4]: 3
@[8]: 40
@[16]: 7
"""
FUNCTIONS = """\
@read[drm_ioctl, 8]: 40
@read[drm_ioctl, 16]: 2
@read[do_sys_poll+0x1f3, 8]: 5
@write[kfd_ioctl.cold, 24]: 1
"""
SCRIPT = """\
            Xorg   812 [001]    17.052321: probe:_copy_from_user: (ffffffff81607a40) n=0x8
            Xorg   812 [001]    17.052328: probe:_copy_from_user: (ffffffff81607a40) n=0x8
  gnome-terminal  1990 [000]    17.052400: probe:_copy_from_user: (ffffffff81607a40) n=0x20
"""
TRACE = """\
     0.000 Xorg/812 probe:_copy_from_user(__probe_ip: -2120183808, n: 8)
     0.031 Xorg/812 probe:_copy_from_user(__probe_ip: -2120183808, n: 56)
"""


@pytest.mark.parametrize(
    ("text", "every"),
    [
        (MAP, ((4, 3), (8, 40), (16, 7))),
        (FUNCTIONS, ((8, 45), (16, 2), (24, 1))),
        (SCRIPT, ((8, 2), (32, 1))),
        (TRACE, ((8, 1), (56, 1))),
    ],
)
def test_tables(text, every):
    assert parse(text, "sizes").every == every


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "sizes has no sizes of copies"),
        ("Attaching 1 probe...\n", "sizes has no sizes of copies"),
        ("@[8]: 0\n", "sizes has no sizes of copies"),
        ("@[8]: 3\n8 3\n", "sizes:2: '8 3' is no line of"),
        ("@[8]: -3\n", "sizes:1: '@[8]: -3' is no line of"),
        ("@[8]: 3 4\n", "sizes:1: "),
        ("@[a, b, 8]: 3\n", "sizes:1: "),
        ("@[8]: 3\n@[f, 8]: 3\n", "sizes:2: a table of another kind"),
        (MAP + TRACE, "sizes:6: a table of another kind"),
        (f"@[{1 << 64}]: 3\n", "sizes:1: "),
        ("@:\n[4, 8)      3 |@@@@    |\n", "sizes:1: hist() has no single sizes"),
        ("[4, 8)      3 |@@@@    |\n", "sizes:1: hist() has no single sizes"),
        ("x" * 500, "sizes:1: "),
    ],
)
def test_what_is_no_table(text, says):
    with pytest.raises(UserError, match=re.escape(says)) as error:
        parse(text, "sizes")
    assert "\n" not in str(error.value) and len(str(error.value)) < 200


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(UserError, match="cannot read .*: No such file"):
        read(tmp_path / "none")
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    with pytest.raises(UserError, match="it is not text"):
        read(tmp_path / "binary")


def test_functions_are_told_apart():
    found = parse(FUNCTIONS, "sizes")
    assert found.of("drm_ioctl") == ((8, 40), (16, 2))
    assert found.of("do_sys_poll") == ((8, 5),)
    assert found.of("kfd_ioctl") == ((24, 1),)
    assert found.of("other") == ()
