# SPDX-License-Identifier: GPL-2.0
"""A linter and rewriter for the user accesses of the Linux kernel tree."""

__version__ = "0.1.0"
