// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: frame
 * Sizes: 1
 * Reaches: vb2_core_dqbuf video_usercopy
 * Options: MEDIA_SUPPORT MEDIA_CAMERA_SUPPORT MEDIA_TEST_SUPPORT V4L_TEST_DRIVERS FB VIDEO_DEV VIDEO_VIVID
 * Bytes: times
 */
#include "bench.h"
#include "vivid.h"

static int setup(int size)
{
	struct v4l2_buffer *buffer = (void *)object;

	buffer->type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
	buffer->memory = V4L2_MEMORY_MMAP;
	return vivid();
}

static unsigned int index_;

static void before(int size)
{
	wait_for_frame(index_);
}

static long once(int size)
{
	struct v4l2_buffer *buffer = (void *)object;
	long result = syscall(SYS_ioctl, video, VIDIOC_DQBUF, object);

	if (result == 0)
		index_ = buffer->index;
	return result;
}

OPERATION(once(size), .setup = setup, .before = before, .fixed = sizeof(struct v4l2_buffer));
