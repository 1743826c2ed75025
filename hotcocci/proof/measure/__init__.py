# SPDX-License-Identifier: GPL-2.0
"""Run both object codes of a changed function natively, and time them."""
