#include <linux/cred.h>

struct ids {
	int uid;
	int gid;
};

int whose(struct ids *to)
{
	int a;

	a = from_kuid(current_user_ns(), current_fsuid());
	to->uid = a;
	to->gid = from_kgid(current_user_ns(), current_fsgid());
	return a;
}

int once(struct ids *to)
{
	to->uid = from_kuid(current_user_ns(), to->uid);
	return 0;
}
