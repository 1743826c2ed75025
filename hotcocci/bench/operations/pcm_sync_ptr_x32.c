// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: snd_pcm_ioctl_compat
 * Machines: x86-64
 * Options: X86_X32_ABI SOUND SND SND_PCM SND_DRIVERS SND_DUMMY
 */
#include "bench.h"
#include "pcm.h"

static int stream;

static int setup(int size)
{
	/* What is written over it is seen. */
	memset(object + 8, 0xff, 64);
	stream = pcm(0);
	return stream;
}

/* ioctl() of the x32 entry, SNDRV_PCM_IOCTL_SYNC_PTR_X32: 136 bytes */
OPERATION(syscall(0x40000000 + 514, stream, 0xc0884123, object), .setup = setup, .fixed = 136);
