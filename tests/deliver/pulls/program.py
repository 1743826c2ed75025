# SPDX-License-Identifier: GPL-2.0
"""A stand-in for gh and glab, by the name that it is called by: requests to a stand-in for a forge.

Options and messages are those of gh 2.23, as it was run, and of glab 1.22 (commands/api/api.go).
"""

import argparse
import json
import sys
import urllib.error
import urllib.request
from pathlib import Path

NAME = Path(sys.argv[0]).name
API = {"gh": "api/v3", "glab": "api/v4"}[NAME]


def main() -> int:
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(required=True, dest="command")
    api = commands.add_parser("api")
    api.add_argument("path")
    for flag in ("method", "input", "header"):
        api.add_argument(f"--{flag}")
    auth = commands.add_parser("auth")
    auth.add_argument("what", choices=["status"])
    for each in (api, auth):
        each.add_argument("--hostname", required=True)
    given = parser.parse_args()
    # A repository may have a configuration of glab.
    assert Path.cwd() == Path("/")
    web = f"http://{given.hostname}"
    try:
        if given.command == "auth":
            with urllib.request.urlopen(f"{web}/login/{NAME}"):
                return 0
        data = sys.stdin.buffer.read() if given.input == "-" else None
        assert (data is None) == (given.header is None)
        url = f"{web}/{API}/{given.path.lstrip('/')}"
        request = urllib.request.Request(url, data, method=given.method)
        with urllib.request.urlopen(request) as answer:
            sys.stdout.write(answer.read().decode())
        return 0
    except urllib.error.HTTPError as error:
        said = error.read().decode()
        sys.stdout.write(said)
        message = json.loads(said)["message"]
        print(f"{NAME}: {message} (HTTP {error.code})", file=sys.stderr)
    except urllib.error.URLError as error:
        print(f"{NAME}: {error.reason}", file=sys.stderr)
    return 1


sys.exit(main())
