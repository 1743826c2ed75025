// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function that is not known is given NULL, where it was not called
 * Verdict: not proven
 * Says: may differ: it returns, now call of track_put
 */
#include <linux/errno.h>
#include <linux/types.h>

struct track;
struct track *track_taken(void);
void track_put(struct track *track);
int track_walked(struct track *track);
int walk(void);

int walk(void)
{
	struct track *track = track_taken();
	int ret;

	if (!track)
		return -ENOMEM;
	ret = track_walked(track);
	track_put(track);
	return ret;
}
