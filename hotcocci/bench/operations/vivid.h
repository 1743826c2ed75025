/* SPDX-License-Identifier: GPL-2.0 */
/* A capturing stream of the test driver vivid, with frames that are ready. */
#ifndef VIVID_H
#define VIVID_H

#include <linux/videodev2.h>
#include <poll.h>
#include <sys/ioctl.h>

static int video = -1;

/* Queues all buffers and starts the stream; negative if there is none. */
static inline int vivid(void)
{
	struct v4l2_requestbuffers wanted = {
		.count = 4, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP,
	};
	struct v4l2_capability found;
	int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;

	video = open("/dev/video0", O_RDWR);
	if (video < 0 || ioctl(video, VIDIOC_QUERYCAP, &found) < 0)
		return -1;
	/* Nobody's camera */
	if (strcmp((char *)found.driver, "vivid")) {
		errno = ENODEV;
		return -1;
	}
	if (ioctl(video, VIDIOC_REQBUFS, &wanted) < 0)
		return -1;
	for (unsigned int n = 0; n < wanted.count; n++) {
		struct v4l2_buffer buffer = { .index = n, .type = wanted.type, .memory = wanted.memory };

		if (ioctl(video, VIDIOC_QBUF, &buffer) < 0)
			return -1;
	}
	return ioctl(video, VIDIOC_STREAMON, &type);
}

/* Queues the buffer that the last DQBUF returned, and waits for a frame. */
static inline void wait_for_frame(unsigned int index)
{
	struct v4l2_buffer buffer = {
		.index = index, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP,
	};
	struct pollfd ready = { .fd = video, .events = POLLIN };

	ioctl(video, VIDIOC_QBUF, &buffer);
	poll(&ready, 1, 1000);
}

#endif
