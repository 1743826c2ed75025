# SPDX-License-Identifier: GPL-2.0
"""Connect to a dask scheduler; to one on another machine only with TLS."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import socket
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from hotcocci.errors import UserError
from hotcocci.layout import setup_hint

# Seconds to connect
CONNECT = 5.0
ENCRYPTED = ("tls", "wss")


@contextmanager
def connected(address: str, insecure: bool) -> Iterator[Any]:
    """A client of the scheduler; its tasks are cancelled at the end.

    Raises UserError if there is no scheduler, if dask is not installed, or if anyone could be the
    scheduler and this is not ``insecure``.
    """
    distributed = _distributed()
    # Its long log messages repeat what we report in one line.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        # The certificates of dask's configuration
        security = distributed.Security()
        refused = not (insecure or _is_safe(address))
        if not refused:
            # Client() takes long if it cannot connect: try a plain connection first.
            kind = asyncio.run(_kind(distributed, address, security))
            if kind != "Scheduler":
                raise ValueError(f"this is the address of a {kind}")
            with warnings.catch_warnings():
                # Versions of other libraries do not matter here.
                warnings.simplefilter("ignore")
                client = distributed.Client(
                    address, timeout=CONNECT, set_as_default=False, security=security
                )
    # Any server may listen there; the answer of an HTTP server causes a MemoryError.
    except Exception as error:
        raise UserError(
            f"no scheduler answers at {address!r}: name the address that 'dask scheduler' prints, "
            "for instance tls://host:8786, and configure dask's certificates for it (docs/cluster.md)"
        ) from error
    if refused:
        raise UserError(
            f"{address} is another machine without TLS, where anyone may be the scheduler and run code "
            "on its workers: use tls:// (docs/cluster.md), or --insecure in a network that you trust"
        )
    try:
        yield client
    finally:
        client.close(timeout=CONNECT)


def _is_safe(address: str) -> bool:
    """Whether an address is encrypted or on this machine. Raises OSError and ValueError."""
    addressing = import_module("distributed.comm.addressing")
    scheme, _ = addressing.parse_address(address)
    if scheme in ENCRYPTED:
        return True
    host = addressing.get_address_host(address)
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return all(ipaddress.ip_address(each[4][0]).is_loopback for each in found)


async def _kind(distributed: Any, address: str, security: Any) -> str:
    """What kind of server answers."""

    async def ask() -> str:
        given = security.get_connection_args("client")
        async with distributed.rpc(address, connection_args=given) as server:
            identity = await server.identity()
            return str(identity["type"])

    return await asyncio.wait_for(ask(), CONNECT)


def _distributed() -> Any:
    try:
        return import_module("distributed")
    except ImportError as error:
        raise UserError(
            f"--scheduler needs the Python library distributed ({error}): "
            + setup_hint("cluster", "prove --scheduler ADDRESS")
        ) from error
