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

/* struct snd_xferi of 32 bits: a result, a buffer and the number of frames, none here. */
static int setup(int size)
{
	stream = pcm(1);
	return stream;
}

/* SNDRV_PCM_IOCTL_WRITEI_FRAMES32 */
OPERATION(call32(54, stream, 0x400c4150, OBJECT32, 0, 0), .setup = setup, .fixed = 12);
