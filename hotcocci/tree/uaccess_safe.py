# SPDX-License-Identifier: GPL-2.0
"""The functions that may be called inside a user access window: objtool's list, and casts."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from hotcocci.tree.source import read_text

# One cast each, without __always_inline. The kernel calls the first in a window in
# copy_compat_iovec_from_user(), the other in unsafe_compat_save_altstack().
PRECEDENTED = frozenset({"compat_ptr", "ptr_to_compat"})
CHECK = "tools/objtool/check.c"
_LIST = re.compile(r"uaccess_safe_builtin\[\]\s*=\s*\{(.*?)\n\};", re.DOTALL)
_NAME = re.compile(r'"(\w+)"')


@lru_cache(maxsize=16)
def uaccess_safe(tree: Path) -> frozenset[str]:
    """The functions that may be called with user access open; none if the tree has no objtool."""
    source = tree / CHECK
    text = read_text(source) if source.is_file() else ""
    listed = _LIST.search(text)
    return frozenset(_NAME.findall(listed[1]) if listed else ())
