// SPDX-License-Identifier: GPL-2.0
/*
 * Title: another address in a variable that only set_pte_at() gets, which ignores it on x86
 * Verdict: not proven
 * Says: not reached as before
 */
#include <linux/mm.h>
#include <linux/pgtable.h>

void changed(struct vm_area_struct *vma, unsigned long addr, pte_t *pte, pte_t entry)
{
	unsigned long at = addr & PAGE_MASK;

	set_pte_at(vma->vm_mm, at, pte, entry);
	vma->vm_private_data = NULL;
}
