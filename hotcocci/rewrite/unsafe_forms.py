# SPDX-License-Identifier: GPL-2.0
"""Functions that exist a second time as a macro for windows: ``unsafe_save_altstack()``."""

from __future__ import annotations

from hotcocci.c.headers import reachable
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.runs import Run
from hotcocci.rewrite.window import Refusal


def unsafe_form(run: Run, context: Context) -> Refusal | None:
    """Refuse a function whose macro makes these accesses in a window that the caller opens."""
    name = context.function.name
    if not name.startswith("__") or len(run.accesses) < len(context.function.accesses):
        return None
    macro = f"unsafe_{name.lstrip('_')}"
    files = reachable(context.options.root, context.source.file)
    if not any(f"#define {macro}(" in file.text for file in files):
        return None
    detail = f"{macro}() makes these accesses in a window of the caller"
    return Refusal("unsafe-form", context.source.line_of(run.accesses[0].start), detail)
