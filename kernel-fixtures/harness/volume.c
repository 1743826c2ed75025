// SPDX-License-Identifier: GPL-2.0
/* The objects of fixture/volume.h, and what reads them out of line */
#include <fixture/memory.h>
#include <fixture/volume.h>

static struct disk disks[2];
static struct volume volumes[2];
static struct mount mount;
static struct handle handle;

struct handle *handle_of(struct karg *k)
{
	for (u32 i = 0; i < 2; i++) {
		disks[i].sectors = k->a + i;
		disks[i].reads = k->b + i;
		disks[i].mode = k->h0;
		volumes[i].disk = &disks[i];
		volumes[i].flags = k->c + i;
		volumes[i].spare = &disks[i];
		mount.volumes[i] = &volumes[i];
	}
	mount.slot.volume = &volumes[0];
	mount.slot.number = k->d;
	mount.uses = k->h1;
	handle.mount = &mount;
	handle.position = k->total;
	handle.opened = k->flag;
	return &handle;
}

bool mount_is_flagged(const struct mount *m, u32 flag)
{
	return volume_is(m->slot.volume, flag);
}

bool handle_is_flagged(const struct handle *h, u32 flag)
{
	return mount_is_flagged(h->mount, flag);
}

u32 volume_flags(const struct volume *v)
{
	return __volume_flags(v);
}

bool disk_is_known(const struct mount *m)
{
	return m->slot.volume->disk == &disks[0];
}

u32 mount_use(struct mount *m)
{
	m->uses++;
	return m->slot.volume->flags;
}

u32 number_in(u32 map, u32 number)
{
	if (map == 0)
		return 0;

	return map * 16 + number;
}

u32 number_checked(u32 map, u32 number)
{
	if (map == 0)
		return -EINVAL;

	return map * 16 + number;
}

u32 narrow_mode(u16 mode)
{
	return mode * 3u;
}

u32 any_mode(int count, ...)
{
	return count;
}
