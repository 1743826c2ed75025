# SPDX-License-Identifier: GPL-2.0
"""Render HTML pages from templates."""

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

# CSS class of a diff line, by its first character
KINDS = {"+": "added", "-": "removed", "@": "hunk"}


def render(template: str, **values: Any) -> str:
    """Render a template, in ASCII so that no encoding can break it."""
    made = _TEMPLATES.get_template(template).render(**values)
    return made.encode("ascii", "xmlcharrefreplace").decode("ascii")
