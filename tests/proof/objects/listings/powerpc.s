 #(insn 15 13 17 (set (reg:SI 9 9)
 #        (zero_extend:SI (mem/v:QI (reg/v/f:SI 31 31) [0 S1 A8]))) "p.c":3:60 7 {zero}
 #     (nil))
	lbz 9,0(31)	 # 15	[c=8 l=4]  zero_extendqisi2/0
 #(call_insn 23 22 25 (parallel [
 #            (call (mem:SI (symbol_ref:SI ("f") [flags 0x41]) [0 f S4 A8])
 #            (use (const_int 0 [0]))
 #        ]) "p.c":3:152 821 {*call_value_nonlocal_sysvsi}
 #    (expr_list:SI (use (reg:SI 3 3))
 #        (expr_list:QI (use (reg:QI 4 4))
 #            (expr_list:DI (use (reg:DI 5 5))
 #                (nil)))))
	bl f		 # 23	[c=4 l=4]  *call_value_nonlocal_sysvsi
#APP
 # 3 "p.c" 1
	sync
	lwz 29,0(31)
	twi 0,29,0
	isync
 # 0 "" 2
#NO_APP
