/* SPDX-License-Identifier: GPL-2.0 */
/* A message as the 32-bit entry takes it. */
#ifndef MSG32_H
#define MSG32_H

struct msg32 {
	uint32_t name, namelen, iov, iovlen, control, controllen, flags;
};

/* What a message points to, below 4 GiB */
struct parts32 {
	uint32_t base, len;
	char byte, room[256];
};

/* A message of one byte at the object, with room for control messages. */
static inline struct parts32 *fill(struct msg32 *message, uint32_t controllen)
{
	struct parts32 *parts = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);

	parts->base = (uintptr_t)&parts->byte;
	parts->len = 1;
	message->iov = (uintptr_t)parts;
	message->iovlen = 1;
	message->control = controllen ? (uintptr_t)parts->room : 0;
	message->controllen = controllen;
	/* Of no name, and not read by the kernel; neither is 0, which a mistake may write. */
	message->namelen = 16;
	message->flags = 0x80000000;
	return parts;
}

#endif
