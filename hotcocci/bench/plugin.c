// SPDX-License-Identifier: GPL-2.0
/*
 * A TCG plugin of QEMU: counts how often each instruction of the kernel runs between two marks.
 *
 * Arguments: kernel=ADDRESS, where the kernel begins, begin=ADDRESS and end=ADDRESS, instructions of a
 * program, and out=FILE. For each time that begin is reached it writes a line "address count" for each
 * instruction that ran, and "end".
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* From qemu-plugin.h, which Debian 12 does not package. */
#define EXPORT __attribute__((visibility("default")))
struct qemu_plugin_tb;
struct qemu_plugin_insn;
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, void (*)(uint64_t, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *, void (*)(unsigned int, void *),
					    int flags, void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *);

EXPORT int qemu_plugin_version = 1;

struct instruction {
	uint64_t address, count;
	struct instruction *ran_before;
};

static uint64_t kernel, begin, end;
static struct instruction *last;
static int counting;
static FILE *out;

static void ran(unsigned int cpu, void *data)
{
	struct instruction *each = data;

	(void)cpu;
	if (counting && each->count++ == 0) {
		each->ran_before = last;
		last = each;
	}
}

static void reached_end(unsigned int cpu, void *data)
{
	(void)cpu, (void)data;
	if (!counting)
		return;
	counting = 0;
	for (; last; last = last->ran_before) {
		fprintf(out, "%llx %llu\n", (unsigned long long)last->address, (unsigned long long)last->count);
		last->count = 0;
	}
	fprintf(out, "end\n");
	fflush(out);
}

static void reached_begin(unsigned int cpu, void *data)
{
	/* Of a program that died between the marks */
	reached_end(cpu, data);
	counting = 1;
}

static void translated(uint64_t id, struct qemu_plugin_tb *block)
{
	(void)id;
	for (size_t n = 0; n < qemu_plugin_tb_n_insns(block); n++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(block, n);
		uint64_t address = qemu_plugin_insn_vaddr(insn);
		struct instruction *each;

		if (address == begin) {
			qemu_plugin_register_vcpu_insn_exec_cb(insn, reached_begin, 0, NULL);
		} else if (address == end) {
			qemu_plugin_register_vcpu_insn_exec_cb(insn, reached_end, 0, NULL);
		} else if (address >= kernel) {
			each = calloc(1, sizeof(*each));
			each->address = address;
			qemu_plugin_register_vcpu_insn_exec_cb(insn, ran, 0, each);
		}
	}
}

EXPORT int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv)
{
	(void)info;
	for (int n = 0; n < argc; n++) {
		if (strncmp(argv[n], "kernel=", 7) == 0)
			kernel = strtoull(argv[n] + 7, NULL, 0);
		else if (strncmp(argv[n], "begin=", 6) == 0)
			begin = strtoull(argv[n] + 6, NULL, 0);
		else if (strncmp(argv[n], "end=", 4) == 0)
			end = strtoull(argv[n] + 4, NULL, 0);
		else if (strncmp(argv[n], "out=", 4) == 0)
			out = fopen(argv[n] + 4, "w");
	}
	if (!out)
		return -1;
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	return 0;
}
