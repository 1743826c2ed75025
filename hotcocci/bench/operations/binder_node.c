// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: binder_ioctl
 * Options: ANDROID_BINDER_IPC ANDROID_BINDERFS
 */
#include "bench.h"
#include "binder.h"

static int client;
static char room[4096];

static int setup(int size)
{
	client = binder();
	return client;
}

/* Sends the manager an object that it has not seen: two references to it are taken. */
static void before(int size)
{
	static struct flat_binder_object sent = { .hdr.type = BINDER_TYPE_BINDER };
	static binder_size_t offset;
	struct {
		uint32_t number;
		struct binder_transaction_data data;
	} __attribute__((packed)) command = { BC_TRANSACTION, { .flags = TF_ONE_WAY } };
	struct binder_write_read both = { sizeof(command), 0, (uintptr_t)&command, 0, 0, 0 };

	sent.binder = ++sent.cookie;
	command.data.data_size = sizeof(sent);
	command.data.offsets_size = sizeof(offset);
	command.data.data.ptr.buffer = (uintptr_t)&sent;
	command.data.data.ptr.offsets = (uintptr_t)&offset;
	ioctl(client, BINDER_WRITE_READ, &both);
	both = (struct binder_write_read){ .read_size = sizeof(room), .read_buffer = (uintptr_t)room };
	memcpy(object, &both, sizeof(both));
}

OPERATION(syscall(SYS_ioctl, client, BINDER_WRITE_READ, object), .setup = setup, .before = before);
