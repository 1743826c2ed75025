// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a line that changes gets the kernel's spaces, those beside it keep theirs
 * Row: touched lines
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u64 wide = k->q0;
	u32 v;

	if(!u)
		return -EFAULT;
	k->a= 1;
	if(copy_from_user(&v, &(u->a), sizeof(v))){	/* want: UA201 rewrite safe 1 &u->a read */
		audit(k);
		return -EFAULT;
	}
	k->b =v;
	while(copy_to_user(&u->b, (u32 *) &wide, sizeof(u32))){	/* want: UA201 rewrite manual 1 &u->b write */
		k->c +=1;
		return -EFAULT;
	}
	return 0;
}
