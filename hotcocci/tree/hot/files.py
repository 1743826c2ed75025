# SPDX-License-Identifier: GPL-2.0
"""Hot functions of files, path lookup, and waiting for events."""

from __future__ import annotations

from hotcocci.tree.hot.scale import OPERATION, STEP, Hot

PLACES = (
    # Path lookup
    Hot(
        "fs/namei.c",
        STEP,
        "acl_permission_check generic_permission inode_permission do_inode_permission sb_permission may_lookup"
        " lookup_inode_permission_may_exec link_path_walk walk_component lookup_fast step_into handle_mounts"
        " __follow_mount_rcu follow_dotdot_rcu hash_name no_acl_inode check_acl",
        "for each component: Torvalds, 'acl_permission_check: disgusting performance', 2011-05-12, where"
        " acl_permission_check and link_path_walk lead the profile; Documentation/filesystems/path-lookup.rst",
    ),
    Hot(
        "fs/namei.c",
        OPERATION,
        "path_init path_lookupat path_openat do_filp_open filename_lookup getname_flags open_last_lookups do_open"
        " complete_walk terminate_walk may_open lookup_open try_to_unlazy legitimize_path set_nameidata",
        "for each open() and stat(): Documentation/filesystems/path-lookup.rst",
    ),
    Hot(
        "fs/dcache.c",
        STEP,
        "__d_lookup_rcu __d_lookup_rcu_op_compare __d_lookup d_lookup dput fast_dput dentry_cmp"
        " dentry_string_cmp",
        "for each component: Torvalds, 2011-05-12, __d_lookup_rcu; Documentation/filesystems/path-lookup.rst",
    ),
    Hot(
        "fs/posix_acl.c",
        STEP,
        "posix_acl_permission get_cached_acl_rcu",
        "called by check_acl() of fs/namei.c for each component that has an ACL",
    ),
    Hot(
        "fs/mnt_idmapping.c",
        STEP,
        "vfsgid_in_group_p make_vfsuid make_vfsgid from_vfsuid from_vfsgid",
        "called by acl_permission_check() of fs/namei.c",
    ),
    Hot(
        "kernel/groups.c",
        STEP,
        "in_group_p in_egroup_p groups_search",
        "called by acl_permission_check() of fs/namei.c",
    ),
    Hot(
        "kernel/cred.c",
        STEP,
        "_current_user_ns",
        "called by acl_permission_check() until 47a150edc2ae (Cache user_ns in struct cred)",
    ),
    Hot(
        "lib/strncpy_from_user.c",
        OPERATION,
        "strncpy_from_user do_strncpy_from_user",
        "for each path name: Torvalds, 2011-05-12, __strncpy_from_user",
    ),
    # Files
    Hot(
        "fs/readdir.c",
        STEP,
        "filldir filldir64 compat_filldir fillonedir verify_dirent_name",
        "for each entry of a directory: 9f79b78ef744 (Convert filldir[64]() to unsafe_put_user())",
    ),
    Hot(
        "fs/file.c",
        OPERATION,
        "__fget_light __fdget __fdget_pos fdget fget __fget __fget_files_rcu alloc_fd fd_install "
        " close_fd file_close_fd",
        "for each system call on a file descriptor: Leroy, ALSA pcm, 2025-06-13, fdget in the profile",
    ),
    Hot(
        "fs/file_table.c",
        OPERATION,
        "fput __fput alloc_empty_file init_file",
        "for each open() and close()",
    ),
    Hot(
        "fs/open.c",
        OPERATION,
        "do_sys_openat2 do_dentry_open openat openat2 build_open_flags do_sys_open do_faccessat",
        "for each open() and access()",
    ),
    Hot(
        "fs/stat.c",
        OPERATION,
        "cp_new_stat cp_statx cp_new_stat64 vfs_getattr vfs_getattr_nosec generic_fillattr vfs_fstat"
        " vfs_statx vfs_fstatat",
        "for each stat()",
    ),
    Hot(
        "fs/read_write.c",
        OPERATION,
        "vfs_read vfs_write ksys_read ksys_write read write pread64 pwrite64 sendfile sendfile64 new_sync_read new_sync_write rw_verify_area ksys_lseek ksys_pread64"
        " ksys_pwrite64 do_sendfile",
        "for each read(), write() and lseek()",
    ),
    Hot(
        "mm/filemap.c",
        OPERATION,
        "filemap_read filemap_get_pages filemap_get_read_batch __filemap_get_folio filemap_fault filemap_map_pages"
        " generic_file_read_iter generic_perform_write next_uptodate_folio filemap_map_folio_range do_sync_mmap_readahead"
        " do_async_mmap_readahead",
        "for each read(), write() and page fault of a cached file",
    ),
    Hot(
        "fs/pipe.c",
        OPERATION,
        "pipe_read pipe_write anon_pipe_read anon_pipe_write pipe_poll",
        "for each message between processes of a shell or a jobserver",
    ),
    Hot(
        "fs/ioctl.c",
        OPERATION,
        "vfs_ioctl ioctl",
        "for each ioctl()",
    ),
    # Waiting for events
    Hot(
        "fs/select.c",
        OPERATION,
        "do_sys_poll do_poll do_pollfd poll ppoll ppoll_time32 select pselect6 core_sys_select do_select get_fd_set set_fd_set zero_fd_set do_pselect"
        " compat_core_sys_select compat_get_fd_set compat_set_fd_set poll_select_finish get_sigset_argpack",
        "for each poll() and select(): ef0ba0553829 (poll: fix performance regression due to out-of-line __put_user())",
    ),
    Hot(
        "include/linux/poll.h",
        OPERATION,
        "vfs_poll poll_wait",
        "called by select() and poll()",
    ),
    Hot(
        "fs/eventpoll.c",
        STEP,
        "ep_send_events ep_poll_callback ep_item_poll",
        "for each event that epoll_wait() reports",
    ),
    Hot(
        "fs/eventpoll.c",
        OPERATION,
        "do_epoll_wait ep_poll epoll_wait epoll_pwait epoll_pwait2 epoll_ctl do_epoll_ctl ep_find ep_check_params",
        "for each epoll_wait() and epoll_ctl(): Leroy, ALSA pcm, 2025-06-13, do_epoll_wait in the profile",
    ),
    Hot(
        "include/linux/eventpoll.h",
        STEP,
        "epoll_put_uevent",
        "for each event that epoll_wait() reports",
    ),
    Hot(
        "fs/eventfd.c",
        OPERATION,
        "eventfd_read eventfd_write eventfd_signal_mask eventfd_poll",
        "for each wake-up of an event loop or a virtual machine",
    ),
    Hot(
        "fs/timerfd.c",
        OPERATION,
        "timerfd_read timerfd_read_iter timerfd_poll",
        "for each timer of an event loop",
    ),
)
