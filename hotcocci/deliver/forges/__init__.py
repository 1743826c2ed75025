# SPDX-License-Identifier: GPL-2.0
"""The supported forges, one file per kind: the requests of its API."""
