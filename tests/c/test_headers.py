# SPDX-License-Identifier: GPL-2.0
"""Which file includes a .c file, and under which conditions."""

import pytest

from hotcocci.c.headers import guards_of_include, includer


@pytest.mark.parametrize(
    ("file", "by", "guards"),
    [
        ("compat.c", "pcm.c", ("CONFIG_COMPAT",)),
        ("plain.c", "pcm.c", ()),
        ("alone.c", None, ()),
        ("compat.h", "pcm.c", ()),
    ],
)
def test_files_that_others_include(tmp_path, file, by, guards):
    (tmp_path / "pcm.c").write_text(
        '#include "plain.c"\n#ifdef CONFIG_COMPAT\n#include "compat.h"\n#include "compat.c"\n#endif\n'
    )
    found = includer(tmp_path / file)
    assert (found and found.name) == by
    assert guards_of_include(tmp_path / file) == guards
