// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: v4l2_compat_ioctl32 v4l2_compat_put_user
 * Machines: x86-64
 * Options: IA32_EMULATION MEDIA_SUPPORT MEDIA_CAMERA_SUPPORT MEDIA_TEST_SUPPORT V4L_TEST_DRIVERS FB VIDEO_DEV VIDEO_VIVID
 * Bytes: times
 */
#include "bench.h"
#include "vivid.h"

static int setup(int size)
{
	((uint32_t *)object)[1] = V4L2_BUF_TYPE_VIDEO_CAPTURE;
	return vivid();
}

/* VIDIOC_QUERYBUF32 with 64-bit times: 76 bytes */
OPERATION(call32(54, video, 0xc04c5609, OBJECT32, 0, 0), .setup = setup, .fixed = 76);
