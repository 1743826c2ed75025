# SPDX-License-Identifier: GPL-2.0
"""Which loads a function's machine code makes, and which of them wait for others."""
