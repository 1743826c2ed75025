struct user { long id; };
struct super { char name[128]; struct user *owner; };
struct inode { long mode; struct super *sb; };

long generic_permission(struct inode *inode)
{
	return inode->sb->owner->id;
}

long seldom(struct inode *inode)
{
	return inode->sb->name[0];
}

long first(struct inode *inode)
{
	return inode->mode;
}

long mapped(long map, struct user *owner);
int is_plain(struct inode *inode);

long needless(struct inode *inode, long map)
{
	if (is_plain(inode))
		return 0;
	return mapped(map, inode->sb->owner) + 1;
}
