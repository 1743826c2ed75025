# SPDX-License-Identifier: GPL-2.0
"""Small copies: what copy_from_user() and copy_to_user() of a few bytes become."""
