# SPDX-License-Identifier: GPL-2.0
"""Where the kernel is entered, and how often: the only names that heat is derived from.

All are interfaces: system calls, slots of operations structures, ioctl commands, and the calls
that register handlers.
"""

from __future__ import annotations

from dataclasses import dataclass

HOT = 1.0
"""Busy programs do this all the time."""

SLOT = 0.4
"""One of several implementations of what busy programs do."""

SIGNAL = 0.3
"""A signal that is handled: some programs have timers by signals, most have none."""

WARM = 0.03
"""Many programs do it, now and then; or a few do it all the time."""

IOCTL = 0.02
"""A driver's ioctl of which nothing else is known."""

COLD = 0.0003
"""Once per start, mount, connection or administrator."""


@dataclass(frozen=True)
class Entry:
    """An entry point: its rate, what it runs once for, and what its loops run over if that is one thing."""

    rate: float
    per: str
    each: str = ""


_HOT_CALLS = """
    read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 lseek llseek
    open openat openat2 close access faccessat faccessat2 readlink readlinkat
    newstat newlstat newfstat newfstatat statx stat64 lstat64 fstat64 fstatat64
    fcntl fcntl64 ioctl sendfile sendfile64 splice
    epoll_ctl futex futex_wait futex_wake futex_waitv futex_time32
    sendto send recvfrom recv sendmsg recvmsg sendmmsg recvmmsg recvmmsg_time32 accept accept4
    io_uring_enter io_submit io_getevents io_pgetevents io_getevents_time32
    mmap mmap_pgoff munmap mprotect brk madvise clone clone3 wait4 waitid
    nanosleep nanosleep_time32 clock_nanosleep clock_nanosleep_time32 clock_gettime clock_gettime32
    rt_sigprocmask sched_yield getpid gettid getuid geteuid getrandom
    semop semtimedop msgsnd msgrcv mq_timedsend mq_timedreceive timerfd_settime
"""
# System calls whose loops run over one kind of thing.
_LOOPING = {
    "epoll event": "epoll_wait epoll_pwait epoll_pwait2",
    "polled file": "poll ppoll ppoll_time32 select pselect6 pselect6_time32",
    "directory entry": "getdents getdents64",
}
_WARM_CALLS = """
    connect socket bind listen shutdown getsockopt setsockopt socketpair getsockname getpeername
    dup dup2 dup3 pipe pipe2 fork vfork execve execveat exit exit_group kill tgkill tkill
    rt_sigaction rt_sigtimedwait rt_sigpending rt_sigsuspend rt_sigtimedwait_time32 sigaltstack
    rt_sigqueueinfo sigreturn
    times getrusage clock_getres timer_settime timer_gettime setitimer getitimer
    timerfd_gettime timerfd_create eventfd eventfd2 signalfd signalfd4 epoll_create1 inotify_add_watch
    sched_getaffinity sched_setaffinity getcpu set_robust_list prctl arch_prctl membarrier
    ftruncate truncate fallocate fsync fdatasync sync_file_range copy_file_range tee vmsplice
    fadvise64 readahead mremap msync mincore process_vm_readv process_vm_writev process_madvise
    unlink unlinkat rename renameat renameat2 mkdir mkdirat rmdir symlink link linkat chdir getcwd
    chmod fchmod fchmodat utimensat getxattr lgetxattr fgetxattr listxattr getgroups getppid
    move_pages old_select socketcall ipc rt_sigreturn_ia32 ptrace
    landlock_restrict_self newuname sysinfo
"""

COMPAT = 0.5
"""How often programs of 32 bits make a system call, against those of 64."""

# Calls that 64-bit programs of x86 and arm64 do not make: arch/x86/entry/syscalls/syscall_64.tbl has none of
# them. Those of powerpc have llseek, ipc and socketcall.
_FOR_32_BITS = frozenset(
    "llseek stat64 lstat64 fstat64 fstatat64 fcntl64 sigreturn old_select ipc socketcall sendfile".split()
)


def _called(name: str, rate: float, each: str = "") -> Entry:
    """The entry of a system call."""
    if name in _FOR_32_BITS or name.endswith(("_time32", "gettime32", "_ia32")):
        return Entry(rate * COMPAT, f"32-bit {name}()", each)
    return Entry(rate, f"{name}()", each)


SYSTEM_CALLS = {
    **{name: _called(name, WARM) for name in _WARM_CALLS.split()},
    **{name: _called(name, HOT) for name in _HOT_CALLS.split()},
    "rt_sigreturn": Entry(SIGNAL, "signal"),
    **{
        name: _called(name, HOT, each)
        for each, names in _LOOPING.items()
        for name in names.split()
    },
}
"""System calls by the name in SYSCALL_DEFINE(); the others are cold.

So are gettimeofday() and time(), which the vDSO answers (lib/vdso/gettimeofday.c), and stat() without
"new", which is that of libc5.
"""

GUARDED = {"CONFIG_X86_X32_ABI": Entry(0.01, "of an x32 program")}
"""How often code under an option runs, against the rest: distributions leave x32 out, or disable it at boot.

arch/x86/Kconfig of Debian's 6.12 has X86_X32_DISABLED for that.
"""

# Structure and slot, rate, what the function in it runs once for, and what its loops run over.
_SLOTS = """
file_operations.read_iter 0.4 read()
file_operations.write_iter 0.4 write()
file_operations.poll 0.4 poll()
file_operations.iterate_shared 0.5 getdents() | directory entry
file_operations.splice_read 0.2 splice()
file_operations.splice_write 0.2 splice()
file_operations.read 0.03 read() of its file
file_operations.write 0.03 write() of its file
file_operations.llseek 0.03 lseek()
file_operations.mmap 0.03 mmap()
file_operations.fsync 0.03 fsync()
file_operations.unlocked_ioctl 0.02 ioctl
file_operations.compat_ioctl 0.005 32-bit ioctl
file_operations.open 0.005 open() of its file
file_operations.release 0.005 close() of its file
proc_ops.proc_read 0.003 read() in /proc
proc_ops.proc_write 0.0003 write() in /proc
proc_ops.proc_ioctl 0.0003 ioctl in /proc
proc_ops.proc_open 0.0003 open() in /proc
ctl_table.proc_handler 0.0003 sysctl
proto_ops.sendmsg 0.4 sendmsg()
proto_ops.recvmsg 0.4 recvmsg()
proto_ops.poll 0.4 poll()
proto_ops.accept 0.03 accept()
proto_ops.connect 0.03 connect()
proto_ops.getname 0.03 getsockname()
proto_ops.ioctl 0.003 socket ioctl
proto_ops.compat_ioctl 0.002 32-bit socket ioctl
proto_ops.setsockopt 0.003 setsockopt()
proto_ops.getsockopt 0.003 getsockopt()
proto_ops.bind 0.0003 bind()
nf_sockopt_ops.get 0.0003 getsockopt() of netfilter
nf_sockopt_ops.set 0.0003 setsockopt() of netfilter
proto.sendmsg 0.4 sendmsg()
proto.recvmsg 0.4 recvmsg()
proto.ioctl 0.003 socket ioctl
proto.setsockopt 0.003 setsockopt()
proto.getsockopt 0.003 getsockopt()
vm_operations_struct.fault 0.5 page fault
vm_operations_struct.map_pages 0.5 page fault
vm_operations_struct.page_mkwrite 0.2 first write to a page
address_space_operations.write_begin 0.5 write()
address_space_operations.write_end 0.5 write()
inode_operations.permission 0.5 path component
inode_operations.lookup 0.2 path component not cached
inode_operations.getattr 0.5 stat()
inode_operations.get_link 0.2 symbolic link
inode_operations.readlink 0.03 readlink()
inode_operations.fileattr_get 0.001 lsattr
inode_operations.fileattr_set 0.0003 chattr
super_operations.statfs 0.003 statfs()
super_operations.fill_super 0.0003 mount
fs_context_operations.get_tree 0.0003 mount
fs_context_operations.parse_param 0.0003 mount
net_device_ops.ndo_start_xmit 0.4 packet
net_device_ops.ndo_do_ioctl 0.0003 interface ioctl
net_device_ops.ndo_eth_ioctl 0.0003 interface ioctl
net_device_ops.ndo_siocdevprivate 0.0003 interface ioctl
packet_type.func 1 packet
net_protocol.handler 1 packet
tty_operations.write 0.1 write() to a terminal
tty_operations.ioctl 0.003 terminal ioctl
tty_operations.compat_ioctl 0.001 32-bit terminal ioctl
tty_ldisc_ops.read 0.2 read() of a terminal
tty_ldisc_ops.write 0.2 write() to a terminal
tty_ldisc_ops.ioctl 0.003 terminal ioctl
tty_ldisc_ops.receive_buf 0.2 terminal input
block_device_operations.ioctl 0.003 disk ioctl
block_device_operations.compat_ioctl 0.001 32-bit disk ioctl
block_device_operations.submit_bio 0.4 block request
blk_mq_ops.queue_rq 0.4 block request
blk_mq_ops.complete 0.4 block request
sched_class.enqueue_task 1 wake-up
sched_class.pick_next_task 1 context switch
snd_pcm_ops.pointer 0.1 sound period
snd_pcm_ops.ack 0.1 sound period
snd_pcm_ops.copy 0.1 sound period
snd_pcm_ops.ioctl 0.003 sound ioctl
kernel_param_ops.set 0.0003 module parameter
pernet_operations.init 0.0003 network namespace
dev_pm_ops.suspend 0.0003 suspend
dev_pm_ops.resume 0.0003 resume
"""


def _slot(line: str) -> tuple[tuple[str, str], Entry]:
    place, rate, per = line.split(" ", 2)
    kind, slot = place.split(".")
    per, _, each = per.partition(" | ")
    return (kind, slot), Entry(float(rate), per, each)


SLOTS = dict(map(_slot, _SLOTS.strip().split("\n")))
"""Entry points by structure and slot."""

DISPATCHED = {"ioctls": Entry(0.3, "DRM ioctl")}
"""A table of ioctls by its member (drm_driver.ioctls): the function that indexes it runs for all of them."""

DRIVER_SLOTS = dict.fromkeys(
    "probe remove suspend resume shutdown bind disconnect attach init exit setup".split(),
    Entry(COLD, "device"),
)
"""Slots that run once per device or mount, in a structure of any type."""

IOCTL_SLOTS = {
    "ioctl": Entry(IOCTL / 2, "ioctl"),
    "compat_ioctl": Entry(IOCTL / 4, "32-bit ioctl"),
}
"""Slots for ioctls in a structure of any type: who calls through one of another type does not count."""

# Words of the name of a command of ioctl() or fcntl(): rate, and what it runs once for.
_COMMANDS = {
    (0.6, "sound period"): "SYNC_PTR",
    (
        0.6,
        "copied sound period",
    ): "WRITEI_FRAMES READI_FRAMES WRITEN_FRAMES READN_FRAMES",
    (0.6, "position of sound"): "HWSYNC",
    (0.6, "video frame"): "DQBUF QBUF DQEVENT",
    (0.6, "USB transfer"): "REAPURB REAPURBNDELAY SUBMITURB",
    (0.6, "binder transaction"): "BINDER_WRITE_READ",
    (0.6, "virtual CPU's exit"): "KVM_RUN",
    (
        0.6,
        "GPU submission",
    ): "GEM_BUSY GEM_WAIT GEM_EXECBUFFER2 GEM_EXECBUFFER GEM_MADVISE GEM_SUBMIT SYNCOBJ_WAIT"
    " SYNCOBJ_TIMELINE_WAIT GEM_WAIT_IDLE WAIT_VBLANK WAIT_CS EXECBUF SUBMIT_CL",
    (0.3, "completion poll"): "POLL_CQ POST_SEND POST_RECV REQ_NOTIFY_CQ",
    (
        0.3,
        "fcntl()",
    ): "F_GETFD F_SETFD F_GETFL F_SETFL F_DUPFD F_DUPFD_CLOEXEC F_GETLK F_SETLK F_SETLKW",
    (0.3, "ioctl()"): "FIONBIO FIONREAD",
    (0.3, "request"): "SG_IO NVME_IOCTL_IO_CMD SPI_IOC_MESSAGE I2C_RDWR",
}

COMMANDS = {
    f"{word}{bits}": Entry(rate * COMPAT, f"{per} of a 32-bit program")
    if bits
    else Entry(rate, per)
    for (rate, per), words in _COMMANDS.items()
    for word in words.split()
    for bits in ("", "32")
}
"""Entry points by words of a command's name: those that run per frame, transfer or request, or in any program.

With 32 behind the word, they are commands that only programs of 32 bits use: SYNC_PTR32, DQBUF_TIME32.
"""

# A call that registers a handler, and what this then runs for.
REGISTERED = {
    **dict.fromkeys(
        "request_irq request_threaded_irq devm_request_irq devm_request_threaded_irq".split(),
        Entry(0.2, "interrupt"),
    ),
    "open_softirq": Entry(HOT, "softirq"),
    "tasklet_setup": Entry(0.2, "tasklet"),
    **dict.fromkeys(
        "netif_napi_add netif_napi_add_weight".split(), Entry(SLOT, "batch of packets")
    ),
    **dict.fromkeys(
        "timer_setup hrtimer_init hrtimer_setup".split(), Entry(0.05, "timer")
    ),
    **dict.fromkeys(
        "INIT_WORK INIT_DELAYED_WORK INIT_DEFERRABLE_WORK".split(),
        Entry(0.01, "work item"),
    ),
    **dict.fromkeys(
        "kthread_run kthread_create".split(), Entry(0.01, "turn of a thread")
    ),
    "setup_timer": Entry(0.05, "timer"),
}
"""Entry points by the function that registers them."""

DEFINED = {
    "DEFINE_IDTENTRY": Entry(0.03, "exception"),
    "DEFINE_IDTENTRY_RAW": Entry(0.03, "exception"),
    "DEFINE_IDTENTRY_ERRORCODE": Entry(0.03, "exception"),
    "DEFINE_IDTENTRY_RAW_ERRORCODE": Entry(0.5, "page fault"),
    "DEFINE_IDTENTRY_SYSVEC": Entry(0.2, "interrupt"),
    "DEFINE_IDTENTRY_IRQ": Entry(0.2, "interrupt"),
}
"""Entry points by the macro that defines them; system calls apart."""

FROM_ASSEMBLY = {
    "do_syscall_64": Entry(HOT, "system call"),
    "el0_svc": Entry(HOT, "system call"),
    "do_notify_resume": Entry(0.5, "return to user space"),
    "syscall_exit_to_user_mode": Entry(HOT, "system call"),
    "irqentry_exit_to_user_mode": Entry(0.5, "return to user space"),
    "exit_to_user_mode_loop": Entry(0.5, "return to user space"),
    "schedule": Entry(HOT, "context switch"),
    "scheduler_tick": Entry(0.5, "timer tick"),
    "sched_tick": Entry(0.5, "timer tick"),
    "handle_mm_fault": Entry(0.5, "page fault"),
    "do_page_fault": Entry(0.5, "page fault"),
    "arch_do_signal_or_restart": Entry(SIGNAL, "signal"),
}
"""What assembly calls, and the generic entry code and scheduler around it, by name."""
