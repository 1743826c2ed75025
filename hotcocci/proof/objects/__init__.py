# SPDX-License-Identifier: GPL-2.0
"""The objects of both sides of a change: compiled, linked, and what the change altered in them."""
