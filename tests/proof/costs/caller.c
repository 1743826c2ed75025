
int hc_caller(u32 *to, u32 __user *from);
int hc_caller(u32 *to, u32 __user *from)
{
	hc_elsewhere();
	return hc_inner(to, from);
}
