# SPDX-License-Identifier: GPL-2.0
"""Running the old and the new x86-64 code of a function on a counter-example of the symbolic engine."""
