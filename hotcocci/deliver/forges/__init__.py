# SPDX-License-Identifier: GPL-2.0
"""The kinds of forge, one file each: what is asked of it, and what it is asked with."""
