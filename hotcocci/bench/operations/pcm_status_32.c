// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: snd_pcm_ioctl_compat snd_pcm_status64
 * Machines: x86-64
 * Options: IA32_EMULATION SOUND SND SND_PCM SND_DRIVERS SND_DUMMY
 * Bytes: times
 */
#include "bench.h"
#include "pcm.h"

static int stream;

static int setup(int size)
{
	stream = pcm(1);
	return stream;
}

/* SNDRV_PCM_IOCTL_STATUS_COMPAT32: 108 bytes */
OPERATION(call32(54, stream, 0x806c4120, OBJECT32, 0, 0), .setup = setup, .fixed = 108);
