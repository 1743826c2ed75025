long mapped(long map, struct user *owner)
{
	if (map == 0)
		return 0;
	owner->id += map;
	return owner->id;
}

int is_plain(struct inode *inode)
{
	return inode->mode == 7;
}
