// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a pointer that is not NULL is no longer given to a function that is not known
 * Verdict: different
 * Says: track_put
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
