// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: snd_pcm_ioctl_compat
 * Machines: x86-64
 * Options: IA32_EMULATION SOUND SND SND_PCM SND_DRIVERS SND_DUMMY
 */
#include "bench.h"
#include "pcm.h"

static int stream;

static int setup(int size)
{
	/* What is written over it is seen. */
	memset(object + 4, 0xff, 64);
	stream = pcm(0);
	return stream;
}

/* SNDRV_PCM_IOCTL_SYNC_PTR32: 132 bytes */
OPERATION(call32(54, stream, 0xc0844123, OBJECT32, 0, 0), .setup = setup, .fixed = 132);
