// SPDX-License-Identifier: GPL-2.0
#include <linux/uaccess.h>
#include <drm/drm_device.h>
#include <drm/drm_file.h>
#include <drm/drm_ioctl.h>

struct drm_toy_busy {
	__u32 handle;
	__u32 state;
	__u64 seqno;
};

struct drm_toy_query {
	__u64 ptr;
	__u32 count;
	__u32 pad;
};

u32 toy_state(struct drm_file *file, u32 handle, u64 *seqno);

int toy_query_ioctl(struct drm_device *dev, void *data, struct drm_file *file)
{
	struct drm_toy_query *args = data;
	struct drm_toy_busy __user *busy = u64_to_user_ptr(args->ptr);
	u32 i;

	for (i = 0; i < args->count; i++) {
		u32 handle, state;
		u64 seqno;

		if (get_user(handle, &busy[i].handle))
			return -EFAULT;
		state = toy_state(file, handle, &seqno);
		if (put_user(state, &busy[i].state) || put_user(seqno, &busy[i].seqno))	/* says: 2 put_user() to busy in toy_query_ioctl(); use one user access window */
			return -EFAULT;
	}
	return 0;
}

static const struct drm_ioctl_desc toy_ioctls[] = {
	DRM_IOCTL_DEF_DRV(TOY_QUERY, toy_query_ioctl, DRM_RENDER_ALLOW),
};
