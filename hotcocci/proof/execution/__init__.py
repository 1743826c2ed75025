# SPDX-License-Identifier: GPL-2.0
"""Running the old and the new machine code of a function on the same inputs, one file per part of it."""
