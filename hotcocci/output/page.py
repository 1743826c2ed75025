# SPDX-License-Identifier: GPL-2.0
"""What the pages have in common."""

from __future__ import annotations

from typing import Any

import jinja2

_TEMPLATES = jinja2.Environment(
    loader=jinja2.PackageLoader("hotcocci.output"),
    autoescape=jinja2.select_autoescape(),
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)

# What a line of a diff is, by its first character
KINDS = {"+": "added", "-": "removed", "@": "hunk"}


def render(template: str, **values: Any) -> str:
    """A page from its template, in ASCII: no terminal's or file's encoding can harm it."""
    made = _TEMPLATES.get_template(template).render(**values)
    return made.encode("ascii", "xmlcharrefreplace").decode("ascii")
