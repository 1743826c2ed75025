/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names of the user access API and of the functions it is built from.
 */
#ifndef USER_ACCESS_NAMES_H
#define USER_ACCESS_NAMES_H

#include "user_access.h"

struct user_access_name {
	const char *name;
	int may;
};

static const struct user_access_name begin_names[] = {
	{ "user_access_begin", USER_READ | USER_WRITE },
	{ "user_read_access_begin", USER_READ },
	{ "user_write_access_begin", USER_WRITE },
	{ "masked_user_access_begin", USER_READ | USER_WRITE },
	{ "masked_user_read_access_begin", USER_READ },
	{ "masked_user_write_access_begin", USER_WRITE },
};

static const struct user_access_name end_names[] = {
	{ "user_access_end", USER_READ | USER_WRITE },
	{ "user_read_access_end", USER_READ },
	{ "user_write_access_end", USER_WRITE },
};

/* The cleanup functions of scopes. */
static const struct user_access_name scope_end_names[] = {
	{ "__scoped_user_rw_access_end", USER_READ | USER_WRITE },
	{ "__scoped_user_read_access_end", USER_READ },
	{ "__scoped_user_write_access_end", USER_WRITE },
};

static const struct user_access_name access_names[] = {
	{ "unsafe_get_user", USER_READ },
	{ "unsafe_put_user", USER_WRITE },
	{ "unsafe_copy_from_user", USER_READ },
	{ "unsafe_copy_to_user", USER_WRITE },
	{ "unsafe_try_cmpxchg_user", USER_READ | USER_WRITE },
	{ "unsafe_atomic_store_release_user", USER_WRITE },
};

/*
 * The functions that open user access in the expansion of a begin, by architecture.  Others in the
 * same expansion, such as mask_user_address(), open nothing.
 */
static const char *const begin_calls[] = {
	"user_access_begin", "user_read_access_begin", "user_write_access_begin",
	"__user_access_begin",		/* powerpc since 7.0 */
	"__masked_user_access_begin",	/* likewise */
	"stac",				/* x86, masked */
	"__access_ok",			/* where nothing needs opening */
};

/* Those of them that return whether the window is open. */
static const char *const tested_begins[] = {
	"user_access_begin", "user_read_access_begin", "user_write_access_begin",
	"__user_access_begin", "__access_ok",
};

/* The same for an end. */
static const char *const end_calls[] = {
	"user_access_end", "user_read_access_end", "user_write_access_end",
	"clac",					/* x86 */
	"prevent_user_access",			/* powerpc */
	"prevent_current_access_user", "prevent_current_read_from_user",
	"prevent_current_write_to_user",	/* powerpc before 7.0 */
	"uaccess_ttbr0_disable",		/* arm64 */
};

/* Header functions that only open or only close a window by design. */
static const char *const halves[] = {
	"user_access_begin", "user_read_access_begin", "user_write_access_begin",
	"__user_access_begin", "__masked_user_access_begin",
	"user_access_end", "user_read_access_end", "user_write_access_end",
	"__scoped_user_rw_access_end", "__scoped_user_read_access_end",
	"__scoped_user_write_access_end",
	"user_access_save", "user_access_restore", "smap_save", "smap_restore", "stac", "clac",
};

static const char *const save_calls[] = {
	"user_access_save", "smap_save", "prevent_user_access_return",
};

static const char *const restore_calls[] = {
	"user_access_restore", "smap_restore", "restore_user_access",
};

/* Open and close user access themselves (UW10).  Same list as in hotcocci/tree/kernel.py. */
static const char *const opens[] = {
	"get_user", "put_user", "__get_user", "__put_user",
	"copy_from_user", "copy_to_user", "__copy_from_user", "__copy_to_user",
	"_copy_from_user", "_copy_to_user", "copy_in_user",
	"clear_user", "__clear_user", "strncpy_from_user", "strnlen_user",
	"copy_struct_from_user", "get_user_inline", "put_user_inline",
	"raw_copy_from_user", "raw_copy_to_user",
};

/* May sleep, as may names that begin with one of these and "_" (UW09).  Same list as there. */
static const char *const sleeps[] = {
	"schedule", "cond_resched", "__cond_resched", "might_sleep", "__might_sleep", "__might_resched",
	"might_fault", "__might_fault",
	"mutex_lock", "mutex_lock_interruptible", "mutex_lock_killable",
	"down", "down_read", "down_write", "down_interruptible", "down_killable",
	"msleep", "msleep_interruptible", "usleep_range", "usleep_range_state", "ssleep",
	"wait_for_completion", "wait_on_bit",
	"preempt_schedule", "preempt_schedule_notrace", "preempt_schedule_thunk",
	"__SCT__cond_resched", "__SCT__might_resched",
	"dynamic_cond_resched", "dynamic_might_resched",
	"lock_page", "folio_lock", "mmap_read_lock", "mmap_write_lock",
	"synchronize_rcu", "flush_work",
};

/*
 * What objtool allows (uaccess_safe_builtin in tools/objtool/check.c), by prefix for families, and
 * builtins that are no calls.
 */
static const char *const safe_prefixes[] = {
	"kasan_", "__kasan_", "__asan_", "__hwasan_",
	"kcsan_", "__kcsan_", "__tsan_",
	"kmsan_", "__msan_", "__sanitizer_cov_",
	"__builtin_", "__sync_", "__atomic_", "__c11_atomic_",
	"__compiletime_", "__bad_", "__write_overflow", "__read_overflow",
};

static const char *const safe_calls[] = {
	"write_comp_data", "check_kcov_mode",
	"ubsan_type_mismatch_common", "__ubsan_handle_type_mismatch",
	"__ubsan_handle_type_mismatch_v1", "__ubsan_handle_shift_out_of_bounds",
	"__ubsan_handle_load_invalid_value",
	"ftrace_likely_update", "__stack_chk_fail",
	"csum_partial_copy_generic", "copy_mc_fragile", "copy_mc_fragile_handle_tail",
	"copy_mc_enhanced_fast_string",
	"rep_stos_alternative", "rep_movs_alternative", "copy_to_nontemporal",
	"__put_user_bad", "__get_user_bad", "__put_user_nocheck_bad", "__xchg_wrong_size",
	"__try_cmpxchg_user_wrong_size", "__cmpxchg_wrong_size", "__xadd_wrong_size",
	"__chk_user_ptr", "__chk_io_ptr",
};

/* What accessors themselves call, on any architecture. */
static const char *const access_parts[] = {
	"instrument_", "__chk_user_ptr", "might_fault", "__might_fault",
	"__get_user", "__put_user", "__copy_", "raw_copy_", "__asm_copy_",
	"uaccess_mask_ptr", "__uaccess_mask_ptr",
};

/* The same for begins. */
static const char *const begin_parts[] = {
	"access_ok", "__access_ok", "mask_user_address", "might_fault", "__might_fault",
};

/*
 * Compilers expand these if the size, the third argument, is constant and small.  Otherwise their
 * builtin is a call as well.
 */
static const char *const copies[] = {
	"memcpy", "memmove", "memset", "memcmp",
};

/*
 * What FORTIFY_SOURCE adds to them.  With a constant size compilers drop it, and without one the
 * copy itself is a call.
 */
static const char *const fortify_parts[] = {
	"fortify_memcpy_chk", "fortify_memset_chk", "fortify_panic",
	"__warn_printk", "warn_slowpath_fmt", "__WARN_validate_printf", "__SCT__WARN_trap",
};

/* A comparison with one of these tells kernel from user addresses. */
static const char *const borders[] = {
	"is_kernel_addr", "TASK_SIZE", "TASK_SIZE_MAX", "PAGE_OFFSET", "KERNELBASE",
	"USER_PTR_MAX",
};

#endif
