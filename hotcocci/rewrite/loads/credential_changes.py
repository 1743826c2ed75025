# SPDX-License-Identifier: GPL-2.0
"""What gives the task that runs other credentials, or leaves another task running.

Across it two loads of ``current->cred`` differ. A function that puts back what it overrode is
none of these, which is what file systems and security modules do; one that can be named and does not
is, whether it stands in the file or is known to here.
"""

from __future__ import annotations

import re
from functools import lru_cache

from hotcocci.c.source import NAME, Token, tokenize
from hotcocci.rewrite.loads.credential_loads import STORES

# kernel/cred.c, include/linux/cred.h (scoped_with_creds() and its class), and what is named after them, such
# as ovl_override_creds()
_CHANGES = re.compile(
    r"\w*(?:override|revert|commit)_(?:\w+_)?creds?\w*|\w*with_(?:\w+_)?creds?\w*"
)
_OVERRIDES = re.compile(r"\w*override_(?:\w+_)?creds?\w*")
_REVERTS = re.compile(r"\w*revert_(?:\w+_)?creds?\w*")
_SCOPES = re.compile(r"scoped_with_(?:\w+_)?creds?|with_(?:\w+_)?creds?")

# Functions of the tree that return with other credentials than they were called with, by the file
# that defines them.
KNOWN = frozenset(
    name
    for _, names in (
        # exec: bprm->cred becomes the task's
        ("fs/exec.c", "begin_new_exec bprm_execve kernel_execve do_execve do_execveat"),
        ("fs/exec.c", "flush_old_exec setup_new_exec install_exec_creds exec_binprm"),
        ("fs/exec.c", "do_execveat_common search_binary_handler compat_do_execve"),
        ("fs/binfmt_elf.c", "load_elf_binary load_elf_fdpic_binary load_flat_file"),
        ("init/main.c", "run_init_process try_to_run_init_process"),
        ("kernel/umh.c", "call_usermodehelper_exec_async"),
        # set*id() and its kin, as system calls call them
        ("kernel/sys.c", "__sys_setregid __sys_setgid __sys_setreuid __sys_setuid"),
        ("kernel/sys.c", "__sys_setresuid __sys_setresgid __sys_setfsuid"),
        ("kernel/sys.c", "__sys_setfsgid"),
        ("kernel/groups.c", "set_current_groups"),
        ("security/commoncap.c", "cap_task_prctl cap_prctl_drop"),
        # namespaces: a user namespace comes with credentials of its own
        ("kernel/fork.c", "ksys_unshare"),
        ("kernel/nsproxy.c", "commit_nsset"),
        # security modules keep their labels in the credentials
        ("security/security.c", "security_task_prctl security_setprocattr"),
        ("security/security.c", "security_setselfattr"),
        ("security/apparmor/task.c", "aa_replace_current_label aa_set_current_hat"),
        ("security/apparmor/task.c", "aa_restore_previous_label"),
        ("security/apparmor/domain.c", "aa_change_hat aa_change_profile"),
        ("security/apparmor/mount.c", "aa_pivotroot"),
        ("security/selinux/hooks.c", "selinux_setprocattr selinux_lsm_setattr"),
        ("security/landlock/tsync.c", "restrict_one_thread"),
        # keyrings are part of the credentials, and some are made when they are looked for
        ("security/keys/process_keys.c", "lookup_user_key join_session_keyring"),
        ("security/keys/process_keys.c", "install_thread_keyring"),
        ("security/keys/process_keys.c", "install_process_keyring"),
        ("security/keys/process_keys.c", "install_session_keyring"),
        ("security/keys/process_keys.c", "key_change_session_keyring"),
        ("security/keys/keyctl.c", "keyctl_join_session_keyring keyctl_read_key"),
        ("security/keys/keyctl.c", "keyctl_set_reqkey_keyring keyctl_update_key"),
        ("security/keys/keyctl.c", "keyctl_change_reqkey_auth keyctl_revoke_key"),
        ("security/keys/keyctl.c", "keyctl_assume_authority keyctl_get_keyring_ID"),
        ("security/keys/keyctl.c", "keyctl_session_to_parent keyctl_chown_key"),
        ("kernel/bpf/helpers.c", "bpf_lookup_user_key"),
        # a task work that keyctl_session_to_parent() left changes its parent's credentials
        ("kernel/task_work.c", "task_work_run"),
        ("include/linux/resume_user_mode.h", "resume_user_mode_work"),
        ("kernel/signal.c", "get_signal"),
        ("include/linux/entry-virt.h", "xfer_to_guest_mode_handle_work"),
        # servers that take on the credentials of whom they work for
        ("fs/nfsd/auth.c", "nfsd_setuser"),
        ("fs/nfsd/nfsfh.c", "fh_verify fh_verify_local __fh_verify"),
        ("fs/nfsd/nfsfh.c", "nfsd_setuser_and_check_port nfsd_set_fh_dentry"),
        ("fs/nfsd/nfs4recover.c", "nfs4_save_creds nfs4_reset_creds"),
        ("fs/smb/server/smb_common.c", "ksmbd_override_fsids ksmbd_revert_fsids"),
        ("fs/cachefiles/internal.h", "cachefiles_begin_secure cachefiles_end_secure"),
        # another task goes on behind these, or none
        ("kernel/sched/core.c", "context_switch finish_task_switch schedule_tail"),
        ("include/asm-generic/switch_to.h", "switch_to __switch_to __switch_to_asm"),
        ("kernel/exit.c", "do_exit do_group_exit make_task_dead"),
        ("kernel/cred.c", "exit_creds copy_creds"),
    )
    for name in names.split()
)

_MEMBERS = ("cred", "real_cred")
# A function of the file, and a macro with arguments, each with its body
_FUNCTION = re.compile(
    r"^(?![#\s}])[^;{}#=]*?\b(\w+)\s*\([^;{}#]*\)[^;{}()=#]*\n\{(.*?)^\}", re.M | re.S
)
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_MACRO = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\([^)\n]*\))?((?:\\\n|[^\n])*)", re.M
)


def changes(text: str, tokens: tuple[Token, ...]) -> int | None:
    """Where a function first changes credentials or tasks, as an offset; None if it does not.

    ``text`` is its file, ``tokens`` are the function's own.
    """
    ours = changers(text)
    tasks = {"current"} | {
        a.text
        for a, b, c in zip(tokens, tokens[1:], tokens[2:])
        if a.kind == NAME and b.text == "=" and c.text == "current"
    }
    for index, token in enumerate(tokens):
        if token.kind == NAME and _member(tokens, index):
            if token.text in _MEMBERS and _stored(tokens, index, tasks):
                return token.start
        elif token.kind == NAME and index > 0:
            if names_change(token.text) or token.text in ours:
                return token.start
    return None


def names_change(name: str) -> bool:
    """Whether a function of that name is known to change credentials, or the task."""
    return name in KNOWN or _CHANGES.fullmatch(name) is not None


def _member(tokens: tuple[Token, ...], index: int) -> bool:
    return index > 0 and tokens[index - 1].text in ("->", ".")


def _stored(tokens: tuple[Token, ...], index: int, tasks: set[str]) -> bool:
    """Whether the member of a task at an index is stored to, or its address taken."""
    owner = tokens[index - 2] if index > 1 else None
    called = [t.text for t in tokens[max(index - 4, 0) : index - 1]]
    if owner is None or (
        owner.text not in tasks and called != ["get_current", "(", ")"]
    ):
        return False
    if index + 1 < len(tokens) and tokens[index + 1].text == "=":
        return True
    before = [t.text for t in tokens[max(index - 4, 0) : index - 2]]
    return "&" in before[-1:] or (before[-1:] == ["("] and before[0] in STORES)


@lru_cache(maxsize=4)
def changers(text: str) -> frozenset[str]:
    """The functions and macros of a file that leave other credentials behind, by name."""
    if not _may_change(text):
        return frozenset()
    known = bodies(text)
    found: set[str] = set()
    while True:
        more = {
            name
            for name, body in known.items()
            if name not in found and _leaves_changed(body, found)
        }
        if not more:
            return frozenset(found)
        found |= more


@lru_cache(maxsize=4)
def bodies(text: str) -> dict[str, tuple[Token, ...]]:
    """What the functions and macros of a file consist of, by name."""
    plain = _COMMENT.sub("", text)
    return {
        m[1]: tokenize(m[2])
        for pattern in (_FUNCTION, _MACRO)
        for m in pattern.finditer(plain)
    }


def _may_change(text: str) -> bool:
    return "cred" in text or any(name in text for name in KNOWN)


def _leaves_changed(body: tuple[Token, ...], ours: set[str]) -> bool:
    """Whether a body may end with other credentials than it began with."""
    overrides: list[int] = []
    reverts: list[int] = []
    for index, token in enumerate(body):
        if token.kind != NAME:
            continue
        if _member(body, index):
            if token.text in _MEMBERS and _stored(body, index, {"current"}):
                return True
        elif token.text in ours or token.text in KNOWN:
            overrides.append(index)
        elif _OVERRIDES.fullmatch(token.text):
            # CLASS(override_creds, …) puts them back at the end of its scope.
            if index < 2 or body[index - 2].text not in ("CLASS", "scoped_class"):
                overrides.append(index)
        elif _REVERTS.fullmatch(token.text):
            reverts.append(index)
        elif _CHANGES.fullmatch(token.text) and not _SCOPES.fullmatch(token.text):
            return True
    if not overrides:
        return bool(reverts)
    between = body[overrides[0] : reverts[-1] if reverts else len(body)]
    return len(reverts) < len(overrides) or any(t.text == "return" for t in between)
