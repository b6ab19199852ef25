; SPDX-License-Identifier: MIT
;
; kernel: the part of the Forth that ca65 assembles: NEXT, the primitives, and a text interpreter just
; good enough to load the rest from Forth source (system.fth). Each file opens with the words it
; defines; a test compares these lists with the image. A word that is simpler in Forth does not belong here.

		.setcpu "6502"
		.include "layout.inc"

		.segment "HEADER"
		.byte "vm65"
		.word KERNEL_AT, KERNEL_AT

		.segment "KERNEL"
		.org KERNEL_AT
		.include "next.s"
		.include "stack.s"
		.include "number.s"
		.include "multiply.s"
		.include "divide.s"
		.include "double.s"
		.include "compare.s"
		.include "memory.s"
		.include "control.s"
		.include "text.s"
		.include "console.s"
		.include "exception.s"
		.include "dictionary.s"
		.include "interpret.s"
		.include "include.s"

kernel_last	= lastlink
kernel_end:
