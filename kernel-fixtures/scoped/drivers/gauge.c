// SPDX-License-Identifier: GPL-2.0
/* A gauge that never was: its range is exchanged, its reading is reported. */
#include <linux/errno.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/uaccess.h>

struct gauge_range {
	s32 low;
	s32 high;
};

struct gauge_reading {
	u64 stamp;
	s32 value;
	u32 quality;
};

struct gauge {
	struct mutex lock;
	s32 low;
	s32 high;
	struct gauge_reading last;
};

int gauge_exchange_range(struct gauge *gauge, struct gauge_range __user *range);
int gauge_report(struct gauge *gauge, struct gauge_reading __user *reading);

int gauge_exchange_range(struct gauge *gauge, struct gauge_range __user *range)
{
	s32 low, high;

	guard(mutex)(&gauge->lock);

	if (get_user(low, &range->low) || get_user(high, &range->high))
		return -EFAULT;
	if (put_user(gauge->low, &range->low) || put_user(gauge->high, &range->high))
		return -EFAULT;

	gauge->low = low;
	gauge->high = high;
	return 0;
}

int gauge_report(struct gauge *gauge, struct gauge_reading __user *reading)
{
	int err;

	err = put_user(gauge->last.stamp, &reading->stamp);
	err |= put_user(gauge->last.value, &reading->value);
	err |= put_user(gauge->last.quality, &reading->quality);
	if (err)
		return -EFAULT;

	return 0;
}
