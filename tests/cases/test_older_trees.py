# SPDX-License-Identifier: GPL-2.0
"""Rewrites and window rules follow the user access API that an older tree has."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from case_tool import call

pytestmark = [
    pytest.mark.skipif(not shutil.which("spatch"), reason="no spatch"),
    pytest.mark.whole,
]

Make = Callable[[dict[str, str]], Path]
HEADER = "include/linux/uaccess.h"
OWN = "arch/x86/include/asm/uaccess.h"
ACCESSORS = """
#define unsafe_get_user(x, ptr, err) do { if (__get_user(x, ptr)) goto err; } while (0)
#define unsafe_put_user(x, ptr, err) do { if (__put_user(x, ptr)) goto err; } while (0)
"""
STATEMENT = "#define user_access_begin() do { } while (0)\n"
TYPED = "#define user_access_begin(type, ptr, len) access_ok(type, ptr, len)\n"
RANGED = "#define user_access_begin(ptr, len) access_ok(ptr, len)\n"
DIRECTED = (
    "#define user_read_access_begin user_access_begin\n"
    "#define user_write_access_begin user_access_begin\n"
)
TREES = {
    "4.19": STATEMENT + ACCESSORS,
    "4.19 stable": TYPED + ACCESSORS,
    "5.4": f"/* Later:\n{DIRECTED}*/\n{RANGED}{ACCESSORS}",
    "5.7": RANGED + DIRECTED + ACCESSORS,
}
RUN = """
struct three { int a; int b; int c; };

int run(struct three *k, struct three __user *u)
{
	if (put_user(k->a, &u->a) || put_user(k->b, &u->b) || put_user(k->c, &u->c))
		return -EFAULT;
	return 0;
}
"""
WINDOW = """
int window(struct three *k, struct three __user *u)
{{
	{}
	unsafe_put_user(k->a, &u->a, efault);
	unsafe_put_user(k->b, &u->b, efault);
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}}
"""
BEGINS = {
    "4.19": "if (!access_ok(VERIFY_WRITE, u, sizeof(*u)))\n\t\treturn -EFAULT;\n\tuser_access_begin();",
    "4.19 stable": "if (!user_access_begin(VERIFY_WRITE, u, sizeof(*u)))\n\t\treturn -EFAULT;",
    "5.4": "if (!user_access_begin(u, sizeof(*u)))\n\t\treturn -EFAULT;",
    "5.7": "if (!user_access_begin(u, sizeof(*u)))\n\t\treturn -EFAULT;",
}


def _tree(make: Make, version: str, text: str) -> Path:
    own = f"{TREES[version]}#define user_access_end() stac()\n"
    return make({HEADER: TREES[version], OWN: own, "drivers/misc/old.c": text})


def _checked(root: Path, tmp_path: Path) -> set[str]:
    words = ["--engine=spatch", "--format=json", f"--cache-dir={tmp_path / 'cache'}"]
    output = call(["check", str(root), *words])
    return {each["rule"] for each in json.loads(output)["findings"]}


@pytest.mark.parametrize(
    "version, begin",
    [
        ("4.19", None),
        ("4.19 stable", None),
        ("5.4", "user_access_begin(u, sizeof(*u))"),
        ("5.7", "user_write_access_begin(u, sizeof(*u))"),
    ],
)
def test_a_run_gets_the_begin_that_the_tree_has(version, begin, small_tree, tmp_path):
    root = _tree(small_tree, version, RUN)
    common = [str(root), "--churn", "--cache-dir", str(tmp_path / "cache")]
    output = call(["lint", *common, "--all", "--rule", "UA101", "--format", "json"])
    found = [(f["verdict"], f["reason"]) for f in json.loads(output)["findings"]]
    refused = [("report", "no-window-api")]
    assert found == (refused if begin is None else [("rewrite", None)])
    patch = call(["patch", *common, "--allow-uncompiled"])
    assert (f"+\tif (!{begin})" in patch) if begin else not patch


@pytest.mark.parametrize("version", TREES)
def test_a_window_in_its_tree(version, small_tree, tmp_path):
    begin = BEGINS[version]
    root = _tree(small_tree, version, RUN + WINDOW.format(begin))
    # One direction can be opened since 5.7.
    assert _checked(root, tmp_path) == ({"UW25"} if version == "5.7" else set())
    if "VERIFY_WRITE" in begin:
        # Another pointer is checked.
        other = begin.replace("u, sizeof(*u)", "k, sizeof(*k)")
        root = _tree(small_tree, version, RUN + WINDOW.format(other))
        assert _checked(root, tmp_path) == {"UW22"}
