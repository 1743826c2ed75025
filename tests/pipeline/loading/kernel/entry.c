long do_syscall_64(void *inode)
{
	return generic_permission(inode);
}
