# SPDX-License-Identifier: GPL-2.0
"""The two functions of the mail that UA101 is based on, in the unmodified kernel.

Only the accesses and the labels may differ, so that no other code moves relative to the
stream lock between the two windows.
"""

import re
from pathlib import Path

import pytest
from smpl_runs import ACCESS, Way, pasted

FUNCTIONS = {
    "sound/core/pcm_native.c": "snd_pcm_ioctl_sync_ptr_compat",
    "sound/core/pcm_compat.c": "snd_pcm_ioctl_sync_ptr_x32",
}
CHAIN = re.compile(
    r"\tif \(((?:get|put)_user\([^;]*\))\)\n\t\treturn -EFAULT;\n", re.DOTALL
)
WINDOW = re.compile(
    r"\tif \(!user_(read|write)_access_begin\(src, sizeof\(\*src\)\)\)\n"
    r"\t\treturn -EFAULT;\n"
    r"((?:\tunsafe_(?:get|put)_user\([^;]*;\n)*)"
    r"\tuser_\1_access_end\(\);\n"
)
LABELS = """
efault_read:
	user_read_access_end();
	return -EFAULT;

efault_write:
	user_write_access_end();
	return -EFAULT;
}
"""


def function(text: str, name: str) -> str:
    found = re.search(rf"^static int {name}\(.*?^\}}\n", text, re.DOTALL | re.MULTILINE)
    assert found is not None
    return found.group()


def accesses(text: str) -> str:
    """The accesses of a chain or a window, one ``get value, pointer`` per line."""
    called = re.findall(
        r"(get|put)_user\(([^,]+),\s*([^,]+?)(?:,\s*\w+)?\)(?=\W|$)", text
    )
    return "".join(f"{way} {value}, {place}\n" for way, value, place in called)


@pytest.fixture(scope="module")
def copies(linux_tree, tmp_path_factory) -> Path:
    way = Way(ACCESS, linux_tree, "classic", min_run=3)
    return pasted(way, list(FUNCTIONS), tmp_path_factory.mktemp("sync_ptr"))


@pytest.mark.parametrize(("file", "name"), FUNCTIONS.items())
def test_two_windows(linux_tree, copies, file, name):
    before = function((linux_tree / file).read_text(), name)
    after = function((copies / file).read_text(), name)
    windows = [(way, accesses(text)) for way, text in WINDOW.findall(after)]
    assert [(way, text.count("\n")) for way, text in windows] == [
        ("read", 3),
        ("write", 9),
    ]
    assert [text for _, text in windows] == [accesses(t) for t in CHAIN.findall(before)]


@pytest.mark.parametrize(("file", "name"), FUNCTIONS.items())
def test_nothing_else(linux_tree, copies, file, name):
    before = function((linux_tree / file).read_text(), name)
    after = function((copies / file).read_text(), name)
    assert "pcm_stream_lock_irq" in before
    assert after.endswith("\treturn 0;\n" + LABELS)
    left = after.removesuffix(LABELS) + "}\n"
    assert WINDOW.sub("ACCESSES\n", left) == CHAIN.sub("ACCESSES\n", before)
