# SPDX-License-Identifier: GPL-2.0
"""Hot functions of signals, time, scheduling, memory, and trivial system calls."""

from __future__ import annotations

from hotcocci.tree.hot.scale import ELSEWHERE, OPERATION, SELDOM, STEP, Hot

PLACES = (
    # Signals, time, futexes, scheduling
    Hot(
        "kernel/signal.c",
        OPERATION,
        "set_user_sigmask set_compat_user_sigmask rt_sigprocmask __set_task_blocked dequeue_signal get_signal prepare_kill_siginfo"
        " copy_siginfo_to_user",
        "for each ppoll(), pselect(), epoll_pwait() and signal",
    ),
    Hot(
        "kernel/signal.c",
        SELDOM,
        "sigaction signal sgetmask ssetmask",
        "CONFIG_OLD_SIGACTION, CONFIG_SGETMASK_SYSCALL: C libraries call rt_sigaction() and rt_sigprocmask()",
    ),
    Hot(
        "arch/x86/kernel/signal_64.c",
        OPERATION,
        "x64_setup_rt_frame rt_sigreturn __unsafe_setup_sigcontext restore_sigcontext",
        "for each signal that is handled",
    ),
    Hot(
        "arch/x86/kernel/signal.c",
        OPERATION,
        "rt_sigreturn restore_sigcontext",
        "where signal_64.c is in older kernels",
    ),
    Hot(
        "arch/x86/kernel/fpu/signal.c",
        OPERATION,
        "check_xstate_in_sigframe save_xstate_epilog copy_fpstate_to_sigframe fpu__restore_sig",
        "called for each signal that is handled by arch/x86/kernel/signal_64.c",
    ),
    Hot(
        "kernel/time/time.c",
        OPERATION,
        "get_timespec64 put_timespec64 get_old_timespec32 get_itimerspec64"
        " put_itimerspec64",
        "for each nanosleep(), futex() with a timeout, clock_gettime() without a vDSO",
    ),
    Hot(
        "kernel/time/time.c",
        SELDOM,
        "gettimeofday time",
        "the vDSO answers instead: lib/vdso/gettimeofday.c",
    ),
    Hot(
        "arch/x86/kernel/fpu/signal.c",
        SELDOM,
        "save_fsave_header",
        "called for signals of 32-bit tasks only",
    ),
    Hot(
        "include/linux/time_namespace.h",
        OPERATION,
        "timens_add_monotonic timens_add_boottime timens_sub_boottime timens_ktime_to_host",
        "for each clock_gettime() and nanosleep() of a clock that a namespace can shift",
    ),
    Hot(
        "kernel/futex/syscalls.c",
        OPERATION,
        "do_futex futex futex_waitv futex_parse_waitv futex_init_timeout",
        "for each contended lock of a program",
    ),
    Hot(
        "kernel/futex/core.c",
        OPERATION,
        "get_futex_key futex_hash futex_get_value_locked futex_cmpxchg_value_locked",
        "for each contended lock of a program",
    ),
    Hot(
        "kernel/futex/waitwake.c",
        OPERATION,
        "futex_wait futex_wake futex_wait_setup __futex_wait",
        "for each contended lock of a program",
    ),
    Hot(
        "kernel/rseq.c",
        OPERATION,
        "__rseq_handle_notify_resume rseq_ip_fixup rseq_get_rseq_cs rseq_update_cpu_node_id rseq_need_restart",
        "for each preemption of a program with rseq: Leroy, ALSA pcm, 2025-06-13, in the profile",
    ),
    Hot(
        "kernel/sched/core.c",
        OPERATION,
        "__schedule finish_task_switch try_to_wake_up ttwu_do_activate sched_tick scheduler_tick context_switch"
        " prepare_task_switch",
        "for each switch of tasks: Leroy, ALSA pcm, 2025-06-13, finish_task_switch in the profile",
    ),
    Hot(
        "kernel/sched/fair.c",
        OPERATION,
        "update_curr enqueue_entity dequeue_entity enqueue_task_fair dequeue_task_fair pick_next_task_fair pick_next_entity"
        " set_next_entity put_prev_entity update_load_avg select_task_rq_fair task_tick_fair entity_tick place_entity"
        " pick_eevdf select_idle_sibling",
        "for each switch of tasks, wake-up and tick",
    ),
    # Memory
    Hot(
        "mm/memory.c",
        OPERATION,
        "handle_mm_fault __handle_mm_fault handle_pte_fault do_anonymous_page do_fault do_read_fault do_cow_fault do_wp_page"
        " wp_page_copy finish_fault set_pte_range do_fault_around zap_pte_range copy_pte_range __do_fault ",
        "for each page fault, fork and exit",
    ),
    Hot(
        "mm/page_alloc.c",
        OPERATION,
        "get_page_from_freelist __alloc_pages __alloc_pages_noprof __alloc_frozen_pages_noprof free_unref_page rmqueue"
        " rmqueue_bulk free_pcppages_bulk prep_new_page",
        "for each page that is allocated",
    ),
    Hot(
        "mm/slub.c",
        STEP,
        "slab_alloc_node __slab_alloc ___slab_alloc slab_free do_slab_free __slab_free kfree kmem_cache_free",
        "for each object that is allocated",
    ),
    Hot(
        "mm/shmem.c",
        OPERATION,
        "shmem_mapping vma_is_anon_shmem shmem_get_folio_gfp shmem_fault",
        "called by page faults, reclaim and truncation of any mapping",
    ),
    Hot(
        "mm/memcontrol.c",
        OPERATION,
        "try_charge_memcg consume_stock refill_stock mod_memcg_lruvec_state __mod_memcg_lruvec_state",
        "for each page and slab object of a control group",
    ),
    Hot(
        "include/linux/sched.h",
        OPERATION,
        "task_cpu need_resched ",
        "called by the scheduler and by allocation",
    ),
    # Trivial system calls, and checks on each call
    Hot(
        "kernel/sys.c",
        OPERATION,
        "getrusage getuid geteuid getgid getegid",
        "called by programs that measure themselves",
    ),
    Hot(
        "kernel/sys.c",
        ELSEWHERE,
        "times",
        "do_sys_times() adds up the times of all threads and divides four times: a copy is nothing beside",
    ),
    Hot(
        "kernel/seccomp.c",
        OPERATION,
        "__secure_computing seccomp_run_filters __seccomp_filter populate_seccomp_data",
        "for each system call of a program in a sandbox: Documentation/userspace-api/seccomp_filter.rst",
    ),
    Hot(
        "ipc/util.c",
        OPERATION,
        "ipcperms ipc_obtain_object_check ipc_obtain_object_idr",
        "for each operation on a semaphore or message queue",
    ),
    Hot(
        "ipc/sem.c",
        OPERATION,
        "do_semtimedop __do_semtimedop perform_atomic_semop",
        "for each operation on a semaphore",
    ),
)
