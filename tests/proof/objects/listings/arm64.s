//(insn 14 18 20 (set (reg:DI 3 x3)
//        (zero_extend:DI (mem/v:QI (reg/v/f:DI 20 x20) [0 S1 A8]))) "t.c":3:53 119 {*zero}
//     (nil))
	ldrb	w3, [x20]	// 14	[c=16 l=4]
//(insn 15 18 20 (set (reg:DI 3 x3)
//        (mem:DI (reg/v/f:DI 20 x20) [0 S1 A8]))) "t.c":3:53 119 {*move}
//     (nil))
	ldr	x3, [x20]	// 15	[c=16 l=4]
//(call_insn:TI 20 14 22 (parallel [
//            (call (mem:DI (symbol_ref:DI ("f") [flags 0x41]) [0 f S8 A8])
//        ]) "t.c":3:81 47 {*call_value_insn}
//    (expr_list (clobber (reg:DI 17 x17))
//            (expr_list:SI (use (reg:SI 0 x0))
//                (expr_list:QI (use (reg:QI 1 x1))
//                    (expr_list:TI (use (reg:TI 2 x2))
//                        (nil)))))))
	bl	f		// 20	[c=4 l=4]
#APP
// 6 "t.c" 1
	.if 1 == 1
661:
	ldr w0, [x1]
662:
	.endif
	.if 0 == 1
	ldar w0, [x1]
	.endif
	dmb ishld
// 0 "" 2
#NO_APP
