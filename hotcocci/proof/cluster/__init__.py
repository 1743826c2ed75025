# SPDX-License-Identifier: GPL-2.0
"""Run tasks on other machines through a dask.distributed scheduler."""
