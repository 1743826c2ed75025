# SPDX-License-Identifier: GPL-2.0
"""The conditions of #if lines around a place, and lines that no configuration compiles."""

from pathlib import Path

import pytest

from hotcocci.c.conditionals import dead_lines, guards_around
from hotcocci.tree.kernel import kernel_version

TEXTS = Path(__file__).with_name("conditionals")

TEXT = (TEXTS / "text.c").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("places", "found"),
    [
        # Whether CONFIG_FIVE is off is not asked (g).
        ("agj", ()),
        ("bde", ("CONFIG_ONE",)),
        ("c", ("CONFIG_ONE", "defined(CONFIG_TWO) &&  \tdefined(CONFIG_THREE)")),
        ("f", ("FOUR",)),
        ("h", ("1",)),
        ("}", ("CONFIG_COMPAT",)),
    ],
)
def test_what_holds(places, found):
    for place in places:
        at = TEXT.index(f"\n{place}") if place != "a" else 0
        assert guards_around(TEXT, at) == found, place


VERSION = kernel_version(6, 12, 300)
# Texts in which exactly the lines with "dead" are not compiled.
TEXTS = {
    "never": "#if 0\ndead\n#endif\nlive\n",
    "never_else": "# if 0 /* why */\ndead\n# else\nlive\n# endif\n",
    "always": "#if 1\nlive\n#else\ndead\n#endif\n",
    "nested": "#if 0\ndead\n#ifdef A\ndead\n#else\ndead\n#endif\ndead\n#endif\nlive\n",
    "inner": "#ifdef A\nlive\n#if 0\ndead\n#endif\nlive\n#else\nlive\n#endif\n",
    "configured": "#if defined(A) || 0\nlive\n#else\nlive\n#endif\n",
    "and_never": "#if defined(A) && 0\ndead\n#else\nlive\n#endif\n",
    "or_always": "#if defined(A) || !0\nlive\n#else\ndead\n#endif\n",
    "chain": "#if 0\ndead\n#elif 1\nlive\n#elif defined(A)\ndead\n#else\ndead\n#endif\n",
    "chain_configured": "#ifdef A\nlive\n#elif 1\nlive\n#else\ndead\n#endif\nlive\n",
    "old": "#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 0, 0)\ndead\n#else\nlive\n#endif\n",
    "new": "#if KERNEL_VERSION(6,12,0) <= LINUX_VERSION_CODE\nlive\n#else\ndead\n#endif\n",
    "sublevel": "#if LINUX_VERSION_CODE == KERNEL_VERSION(6, 12, 255)\nlive\n#else\ndead\n#endif\n",
    "continued": "#if LINUX_VERSION_CODE >= \\\n\tKERNEL_VERSION(5, 0, 0)\nlive\n#else\ndead\n#endif\n",
    "backport": "#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 0, 0) || defined(OLD)\nlive\n#endif\n",
    "other_macro": "#if RHEL_RELEASE_CODE < KERNEL_VERSION(5, 0, 0)\nlive\n#endif\n",
    "unclosed": "#if 0\ndead\n",
    "unopened": "live\n#else\nlive\n#endif\n#endif\nlive\n",
    "within_a_line": "f(); /* or\n#if 0\ndead\n#endif\n*/ int a; // #if 0\nlive\nx #if 0\nlive\n",
    "indented": "\t #if 0\ndead\n\t#else\nlive\n  #endif\nlive\n",
    "windows": "#if 0\r\ndead\r\n#else\r\nlive\r\n#endif\r\n",
}


@pytest.mark.parametrize("name", TEXTS)
def test_dead_lines(name):
    text = TEXTS[name]
    lines = dict(enumerate(text.splitlines(), 1))
    dead = {number for number, line in lines.items() if line == "dead"}
    found = {n for n in dead_lines(text, VERSION) if lines.get(n) in ("dead", "live")}
    assert found == dead
