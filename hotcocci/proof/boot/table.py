# SPDX-License-Identifier: GPL-2.0
"""Generate the KUnit suite: a test case per function, and the driver's table."""

from __future__ import annotations

from collections.abc import Sequence

from hotcocci.proof.boot.arguments import collects, constants, copies, unchecked
from hotcocci.proof.boot.subject import SIDES, Caller

SUITE = "hotcocci"


def table(callers: Sequence[Caller]) -> str:
    """Return the C source of the suite; it may have no cases."""
    parts = [
        "// SPDX-License-Identifier: GPL-2.0\n/* Generated. */\n",
        '#include "driver.h"\n\n',
        *(_case(number, caller) for number, caller in enumerate(callers)),
        "static struct kunit_case cases[] = {\n",
        *(f"\tKUNIT_CASE({caller.symbol}_case),\n" for caller in callers),
        "\t{ },\n};\n\n",
        "static struct kunit_suite suite = {\n",
        f'\t.name = "{SUITE}",\n\t.test_cases = cases,\n}};\n',
        "kunit_test_suite(suite);\n",
    ]
    return "".join(parts)


def _case(number: int, caller: Caller) -> str:
    symbol, function = caller.symbol, caller.function
    before, after = (f"{symbol}_{side}" for side in SIDES)
    kinds = ", ".join(f"HOTCOCCI_{a.kind}" for a in caller.arguments) or "0"
    return f"""\
extern const unsigned long {before}_sizes[], {before}_constants[];
unsigned long {before}(const unsigned long *arguments);
unsigned long {after}(const unsigned long *arguments);

static void {symbol}_case(struct kunit *test)
{{
	static const unsigned char kinds[] = {{ {kinds} }};
	const struct hotcocci_subject subject = {{
		.name = "{symbol}",
		.number = {number},
		.collects = {str(collects(function)).lower()},
		.copies = {str(copies(function)).lower()},
		.unchecked = {str(unchecked(function)).lower()},
		.parameters = {len(caller.arguments)},
		.kinds = kinds,
		.sizes = {before}_sizes,
		.constants = {before}_constants,
		.constant_count = {len(constants(function))},
		.before = {before},
		.after = {after},
	}};

	hotcocci_run(test, &subject);
}}

"""
