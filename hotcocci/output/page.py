# SPDX-License-Identifier: GPL-2.0
"""What the pages have in common."""

from __future__ import annotations

import jinja2

TEMPLATES = jinja2.Environment(
    loader=jinja2.PackageLoader("hotcocci.output"),
    autoescape=jinja2.select_autoescape(),
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)

# What a line of a diff is, by its first character
KINDS = {"+": "added", "-": "removed", "@": "hunk"}
