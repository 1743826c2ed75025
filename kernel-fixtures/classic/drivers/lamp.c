// SPDX-License-Identifier: GPL-2.0
/* A lamp that never was: what its ioctls copy is what real ones do. */
#include <linux/errno.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/uaccess.h>

struct lamp_state {
	u32 brightness;
	u32 colour;
	u16 ramp_ms;
	u16 hold_ms;
};

struct lamp {
	struct mutex lock;
	u32 brightness;
	u32 colour;
	u16 ramp_ms;
	u16 hold_ms;
	u32 palette[8];
};

int lamp_get_state(struct lamp *lamp, struct lamp_state __user *state);
int lamp_set_state(struct lamp *lamp, const struct lamp_state __user *state);
int lamp_get_palette(struct lamp *lamp, u32 __user *colours);

int lamp_get_state(struct lamp *lamp, struct lamp_state __user *state)
{
	int ret = -EFAULT;

	mutex_lock(&lamp->lock);
	/* The order is what version 1 of the library expects */
	if (put_user(lamp->brightness, &state->brightness) ||
	    put_user(lamp->colour, &state->colour) ||
	    put_user(lamp->ramp_ms, &state->ramp_ms) ||
	    put_user(lamp->hold_ms, &state->hold_ms))
		goto unlock;
	ret = 0;
unlock:
	mutex_unlock(&lamp->lock);
	return ret;
}

int lamp_set_state(struct lamp *lamp, const struct lamp_state __user *state)
{
	u32 brightness, colour;
	u16 ramp_ms;

	if (get_user(brightness, &state->brightness))
		return -EFAULT;
	if (get_user(colour, &state->colour))
		return -EFAULT;
	if (get_user(ramp_ms, &state->ramp_ms))
		return -EFAULT;

	mutex_lock(&lamp->lock);
	lamp->brightness = brightness;
	lamp->colour = colour;
	lamp->ramp_ms = ramp_ms;
	mutex_unlock(&lamp->lock);
	return 0;
}

int lamp_get_palette(struct lamp *lamp, u32 __user *colours)
{
	int i;

	for (i = 0; i < 8; i++) {
		if (put_user(lamp->palette[i], &colours[i]))
			return -EFAULT;
	}

	return 0;
}
