# SPDX-License-Identifier: GPL-2.0
"""The compiled reader of calls: where it is kept, and what happens without it."""

import os
import sys

import pytest

from tests.shared import launch

# Each compiles it.
pytestmark = pytest.mark.build

ASK = """
from hotcocci.heat.index import index
from hotcocci.errors import UserError
try:
    print(index(b"int f(void)\\n{\\n\\treturn g(1);\\n}\\n").calls)
except UserError as error:
    print(error)
"""


def asked(cache, **changed):
    """What a new process reads of a small file."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache), **changed}
    return launch([sys.executable, "-c", ASK], env=environment).stdout.strip()


def test_a_damaged_reader_is_compiled_again(tmp_path):
    assert asked(tmp_path) == "g"
    (kept,) = tmp_path.glob("hotcocci/reader-*.so")
    whole = kept.read_bytes()
    for damaged in (whole[:9000], whole[:9000] + b"\xff" + whole[9001:]):
        kept.write_bytes(damaged)
        assert asked(tmp_path) == "g"
        assert kept.read_bytes() == whole


def test_a_kept_reader_needs_no_compiler(tmp_path):
    without = {"PATH": str(tmp_path)}
    message = "reading who calls whom needs a C compiler: install gcc"
    assert asked(tmp_path, **without) == message
    assert asked(tmp_path) == "g"
    assert asked(tmp_path, **without) == "g"


def test_a_cache_that_cannot_be_written(tmp_path):
    (tmp_path / "file").touch()
    assert asked(tmp_path / "file", TMPDIR=str(tmp_path)) == "g"
