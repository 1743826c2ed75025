# SPDX-License-Identifier: GPL-2.0
"""Trees whose path is not UTF-8."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from small_kernel import SAFE

RUN = Path(__file__).parents[2] / "run.py"
HEADER = "struct pair {\n\tint a;\n\tint b;\n};\n"
COPY = """\
#include <linux/uaccess.h>
#include "own.h"

int f(struct pair *k, struct pair __user *u)
{
	return copy_to_user(u, k, sizeof(*k)) ? -EFAULT : 0;
}
"""


@pytest.mark.parametrize(
    ("words", "codes"),
    [
        (("why", "{}/b.c:6"), (0,)),
        (("lint", "{}", "--all", "--churn"), (1,)),
        (("prove", "{}/a.c", "--churn"), (1,)),
    ],
)
def test_the_path_of_a_tree(small_kernel, builds, tmp_path, words, codes):
    root = small_kernel({"a.c": SAFE, "b.c": COPY, "own.h": HEADER}, "tr\udce9e")
    arguments = [word.format(root) for word in words]
    done = subprocess.run(
        [sys.executable, str(RUN), *arguments],
        capture_output=True,
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")},
        timeout=300,
    )
    assert b"Traceback" not in done.stderr
    assert done.returncode in codes, done.stderr
