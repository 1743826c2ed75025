/* SPDX-License-Identifier: GPL-2.0 */
/* A PCM stream on snd-dummy, opened for both entries. */
#ifndef PCM_H
#define PCM_H

#include <sound/asound.h>
#include <sys/ioctl.h>

#define FRAMES 1024

/* The stream, with one period written, and running if asked; negative if there is none. */
static inline int pcm(int running)
{
	/* One that does not run has no times that differ between two kernels. */
	struct snd_pcm_sw_params software = {
		.period_step = 1, .avail_min = 1, .start_threshold = running ? 1 : 1 << 30, .stop_threshold = 1 << 30,
	};
	struct snd_pcm_hw_params hardware;
	struct snd_xferi write = { .frames = FRAMES };
	static short samples[2 * FRAMES];
	int stream = open("/dev/snd/pcmC0D0p", O_RDWR | O_NONBLOCK);

	if (stream < 0)
		return -1;
	memset(&hardware, 0, sizeof(hardware));
	for (int n = 0; n <= SNDRV_PCM_HW_PARAM_LAST_MASK - SNDRV_PCM_HW_PARAM_FIRST_MASK; n++)
		memset(&hardware.masks[n], 0xff, sizeof(hardware.masks[n]));
	for (int n = 0; n <= SNDRV_PCM_HW_PARAM_LAST_INTERVAL - SNDRV_PCM_HW_PARAM_FIRST_INTERVAL; n++)
		hardware.intervals[n].max = 0xffffffff;
	memset(&hardware.masks[0], 0, 2 * sizeof(hardware.masks[0]));
	hardware.masks[0].bits[0] = 1 << 3;	/* SNDRV_PCM_ACCESS_RW_INTERLEAVED */
	hardware.masks[1].bits[0] = 1 << 2;	/* SNDRV_PCM_FORMAT_S16_LE */
	hardware.rmask = 0xffffffff;
	if (ioctl(stream, SNDRV_PCM_IOCTL_HW_PARAMS, &hardware) < 0 ||
	    ioctl(stream, SNDRV_PCM_IOCTL_SW_PARAMS, &software) < 0 ||
	    ioctl(stream, SNDRV_PCM_IOCTL_PREPARE) < 0)
		return -1;
	write.buf = samples;
	return ioctl(stream, SNDRV_PCM_IOCTL_WRITEI_FRAMES, &write) < 0 ? -1 : stream;
}

#endif
