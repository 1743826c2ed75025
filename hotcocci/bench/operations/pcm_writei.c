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

/* The number of frames is 0. */
static int setup(int size)
{
	stream = pcm(1);
	return stream;
}

OPERATION(syscall(SYS_ioctl, stream, SNDRV_PCM_IOCTL_WRITEI_FRAMES, object),
	  .setup = setup, .fixed = sizeof(struct snd_xferi));
