// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: snd_pcm_common_ioctl
 * Options: SOUND SND SND_PCM SND_DRIVERS SND_DUMMY
 */
#include "bench.h"
#include "pcm.h"

static int stream;

/* One buffer for each channel, and no frames; refused, as the stream is interleaved. */
static int setup(int size)
{
	static void *buffers[128];

	((struct snd_xfern *)object)->bufs = buffers;
	stream = pcm(1);
	return stream;
}

OPERATION(syscall(SYS_ioctl, stream, SNDRV_PCM_IOCTL_WRITEN_FRAMES, object),
	  .setup = setup, .fixed = sizeof(struct snd_xfern));
