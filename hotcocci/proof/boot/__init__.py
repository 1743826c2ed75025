# SPDX-License-Identifier: GPL-2.0
"""Run both versions of a function in a booted kernel, as independent evidence."""
