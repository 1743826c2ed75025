/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What spatch 1.1.1 does not know of the kernel's macros: functions that use one are
 * invisible to it. Give it this file with SPFLAGS="--macro-file cocci/macros.h".
 */

/* include/linux/compat.h */
#define COMPAT_SYSCALL_DEFINE0(func) asmlinkage long func(void)
#define COMPAT_SYSCALL_DEFINE1(func, t1, a1) asmlinkage long func(t1 a1)
#define COMPAT_SYSCALL_DEFINE2(func, t1, a1, t2, a2) asmlinkage long func(t1 a1, t2 a2)
#define COMPAT_SYSCALL_DEFINE3(func, t1, a1, t2, a2, t3, a3) \
	asmlinkage long func(t1 a1, t2 a2, t3 a3)
#define COMPAT_SYSCALL_DEFINE4(func, t1, a1, t2, a2, t3, a3, t4, a4) \
	asmlinkage long func(t1 a1, t2 a2, t3 a3, t4 a4)
#define COMPAT_SYSCALL_DEFINE5(func, t1, a1, t2, a2, t3, a3, t4, a4, t5, a5) \
	asmlinkage long func(t1 a1, t2 a2, t3 a3, t4 a4, t5 a5)
#define COMPAT_SYSCALL_DEFINE6(func, t1, a1, t2, a2, t3, a3, t4, a4, t5, a5, t6, a6) \
	asmlinkage long func(t1 a1, t2 a2, t3 a3, t4 a4, t5 a5, t6 a6)

/* include/linux/cleanup.h */
#define __free(name) __maybe_unused
#define __cleanup(name) __maybe_unused
/* its last argument has commas in it at times; what it is given to do is not read here */
#define scoped_cond_guard(name, fail, ...) while (1)

/* include/linux/compiler_types.h */
#define asm_inline asm

/* include/linux/mm.h: stands at the end of a do { } as well */
#define for_each_vma_range(vmi, vma, end) while (((vma) = vma_find(&(vmi), (end))) != NULL)

/* Attributes of a variable are known, those with an argument are not */
#define aligned(n) aligned

/* include/drm/drm_exec.h */
#define drm_exec_until_all_locked(exec) while (1)
