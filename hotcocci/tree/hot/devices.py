# SPDX-License-Identifier: GPL-2.0
"""Hot functions of block devices, asynchronous requests, and devices driven by ioctl()."""

from __future__ import annotations

from hotcocci.tree.hot.scale import OPERATION, STEP, Hot

PLACES = (
    # Block devices and asynchronous requests
    Hot(
        "block/blk-mq.c",
        OPERATION,
        "blk_mq_submit_bio blk_mq_get_new_requests __blk_mq_alloc_requests blk_mq_rq_ctx_init blk_mq_end_request"
        " __blk_mq_end_request blk_mq_complete_request blk_mq_end_request_batch blk_mq_dispatch_rq_list blk_mq_poll"
        " blk_mq_start_request",
        "for each request: Documentation/block/blk-mq.rst",
    ),
    Hot(
        "block/blk-core.c",
        OPERATION,
        "submit_bio submit_bio_noacct __submit_bio bio_poll",
        "for each request",
    ),
    Hot(
        "block/bfq-iosched.c",
        OPERATION,
        "bfq_insert_request bfq_dispatch_request __bfq_dispatch_request bfq_init_rq bfq_get_queue bfq_bio_merge",
        "for each request: Documentation/block/bfq-iosched.rst",
    ),
    Hot(
        "block/bfq-cgroup.c",
        OPERATION,
        "bfqq_group bfq_bio_bfqg bfq_bic_update_cgroup",
        "for each request: Documentation/block/bfq-iosched.rst",
    ),
    Hot(
        "io_uring/io_uring.c",
        OPERATION,
        "io_submit_sqes io_uring_enter io_submit_sqe io_issue_sqe io_init_req io_cqring_wait io_req_complete_post io_get_sqe"
        " __io_submit_flush_completions io_is_uring_fops io_get_ext_arg",
        "for each request of a ring",
    ),
    Hot(
        "fs/aio.c",
        OPERATION,
        "io_submit_one io_submit io_getevents __io_submit_one aio_read aio_write aio_complete read_events do_io_getevents",
        "for each asynchronous request",
    ),
    # Devices whose requests are system calls
    Hot(
        "sound/core/pcm_native.c",
        OPERATION,
        "snd_pcm_ioctl snd_pcm_sync_ptr snd_pcm_ioctl_sync_ptr_compat snd_pcm_common_ioctl"
        " snd_pcm_hwsync snd_pcm_stream_unlock_irq"
        " snd_pcm_status64",
        "for each period of sound: Leroy, ALSA pcm, 2025-06-13, snd_pcm_ioctl leads the kernel's part of the profile",
    ),
    Hot(
        "sound/core/pcm_compat.c",
        OPERATION,
        "snd_pcm_ioctl_sync_ptr_x32 snd_pcm_ioctl_compat",
        "for each period of sound: Leroy, ALSA pcm, 2025-06-13",
    ),
    Hot(
        "drivers/gpu/drm/drm_ioctl.c",
        OPERATION,
        "drm_ioctl drm_ioctl_kernel drm_ioctl_permit",
        "for each request to a GPU: Wilson, 'drm: Optimise drm_ioctl() for small user args', 2017-05-30",
    ),
    Hot(
        "drivers/gpu/drm/i915/gem/i915_gem_busy.c",
        OPERATION,
        "i915_gem_busy_ioctl",
        "the benchmark of Wilson, 'drm: Optimise drm_ioctl() for small user args', 2017-05-30",
    ),
    Hot(
        "drivers/media/v4l2-core/v4l2-ioctl.c",
        OPERATION,
        "video_usercopy __video_do_ioctl video_ioctl2 video_get_user video_put_user check_array_args",
        "for each frame: Documentation/userspace-api/media/v4l/mmap.rst, two ioctl() for each buffer",
    ),
    # Without binder_thread_read(): its runs of accesses are for processes that died or were frozen.
    Hot(
        "drivers/android/binder.c",
        OPERATION,
        "binder_thread_write binder_transaction binder_ioctl_write_read"
        " binder_put_node_cmd binder_wakeup_thread_ilocked",
        "for each call between processes of Android",
    ),
    Hot(
        "drivers/vhost/vhost.c",
        STEP,
        "vhost_get_vq_desc vhost_add_used_n __vhost_add_used_n vhost_copy_from_user vhost_copy_to_user __vhost_get_user"
        " vhost_get_used_idx vhost_put_used vhost_get_desc vhost_notify vhost_update_used_flags vhost_get_avail_idx"
        " vhost_get_avail_head vhost_signal vhost_enable_notify",
        "for each buffer of a virtual machine's network card",
    ),
    Hot(
        "virt/kvm/kvm_main.c",
        OPERATION,
        "kvm_vcpu_ioctl kvm_write_guest_offset_cached kvm_read_guest_offset_cached __kvm_read_guest_page __kvm_write_guest_page"
        " kvm_vcpu_kick kvm_vcpu_check_block",
        "for each exit of a virtual machine to user space, and its interrupts",
    ),
    Hot(
        "arch/x86/kvm/x86.c",
        OPERATION,
        "vcpu_enter_guest vcpu_run kvm_arch_vcpu_ioctl_run record_steal_time kvm_guest_time_update kvm_load_guest_fpu",
        "for each exit of a virtual machine",
    ),
)
