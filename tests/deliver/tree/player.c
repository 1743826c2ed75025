// SPDX-License-Identifier: GPL-2.0
#include <linux/uaccess.h>

struct player {
	int speed;
	int volume;
	int tone;
};

int player_get(struct player __user *player, int *all)
{
	if (get_user(all[0], &player->speed) ||
	    get_user(all[1], &player->volume) ||
	    get_user(all[2], &player->tone))
		return -EFAULT;
	return 0;
}
