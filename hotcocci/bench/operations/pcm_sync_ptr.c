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

static int setup(int size)
{
	struct snd_pcm_sync_ptr *sync = (void *)object;

	/* What is written over it is seen. */
	memset(&sync->s, 0xff, sizeof(sync->s));
	stream = pcm(0);
	return stream;
}

OPERATION(syscall(SYS_ioctl, stream, SNDRV_PCM_IOCTL_SYNC_PTR, object),
	  .setup = setup, .fixed = sizeof(struct snd_pcm_sync_ptr));
