# SPDX-License-Identifier: GPL-2.0
"""User settings for git do not change a byte of a series."""

import re

# git-config(1)
SETTINGS = {
    "color.ui": "always",
    "commit.gpgSign": "true",
    "core.autocrlf": "true",
    "core.bigFileThreshold": "10",
    "diff.context": "0",
    "diff.external": "false",
    "diff.interHunkContext": "30",
    "diff.noprefix": "true",
    "diff.orderFile": "/nowhere",
    "diff.renames": "copies",
    "diff.suppressBlankEmpty": "true",
    "format.attach": "true",
    "format.coverLetter": "true",
    "format.filenameMaxLength": "10",
    "format.headers": "X-Mine: yes",
    "format.noprefix": "true",
    "format.numbered": "true",
    "format.outputDirectory": "/nowhere",
    "format.pretty": "%h %s",
    "format.signOff": "true",
    "format.subjectPrefix": "RFC",
    "format.suffix": ".txt",
    "format.to": "else@example.org",
    "format.useAutoBase": "true",
    "i18n.commitEncoding": "ISO-8859-1",
    "i18n.logOutputEncoding": "ISO-8859-1",
    "log.date": "iso",
    "log.follow": "true",
    "user.signingKey": "nobody",
}


def test_settings_change_no_byte(git, run, tmp_path, capsys):
    results = []
    for name in ("ours", "mine"):
        folder = tmp_path / name
        assert run("--branch", name, "--output", folder) == 0
        output = "".join(capsys.readouterr())
        mails = {file.name: file.read_text("utf-8") for file in folder.iterdir()}
        remembered = git("cat-file", "blob", f"refs/hotcocci/series/{name}")
        # The cover letter contains the command, the record a hash of the cover letter.
        whole = [output, *(word for mail in sorted(mails.items()) for word in mail)]
        results.append(re.sub(rf"\b{name}\b", "NAME", "\n".join(whole)))
        results.append(remembered.partition('"covers"')[0])
        results.append(git("rev-parse", name))
        for key, value in SETTINGS.items():
            git("config", "--global", key, value)
    assert results[:3] == results[3:]
