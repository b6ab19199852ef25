/* SPDX-License-Identifier: MIT */
/*
 * forth-machine: what a guest sees of the `forth` machine. This page is a contract: the Forth
 * kernel is written against it. The constants are given to ca65 too: the Makefile turns every
 * `#define FORTH_NAME 0xhhhh` of this file into `FORTH_NAME = $hhhh` in build/forth-machine.inc.
 *
 * Memory
 *
 *	0000-fdff   RAM, all of it the guest's: the machine keeps nothing in zero page or elsewhere
 *	fe00-feff   devices, below; registers not named read 0 and ignore writes
 *	ff00-ffff   RAM; vectors fffa NMI, fffc RESET, fffe IRQ and BRK
 *
 * RAM is 0 at start, except for the image. Code can't be run from the page of devices.
 *
 * Image file: a header of 8 bytes, then the bytes to load, one stretch. (ld65 writes it: a header
 * segment before the code.)
 *
 *	+0  'v' 'm' '6' '5'
 *	+4  load address, low, high
 *	+6  start address, low, high
 *	+8  bytes; the size of the file says how many
 *
 * The guest starts at the start address with A, X, Y 0, S ff, I set, D clear. A file without the
 * four letters is taken as raw bytes: then --load says where, and --start, or else the load
 * address. SAVE-SYSTEM creates a file, writes the 8 bytes, writes the memory. An image must not
 * reach into the page of devices. Without --image the emulator takes forth.img from ../share/zprof
 * or from the folder of its own executable.
 *
 * Console
 *
 *	FORTH_OUT      write: the byte goes to stdout, which is flushed when input is waited for,
 *	               when 4 KiB are full, and at the end
 *	FORTH_IN       read: waits for a byte from stdin and takes it; 0 at the end of input, and
 *	               then FORTH_CON_END is set (0 without it: Ctrl-C broke the wait). On a
 *	               terminal this is one key, unechoed; Enter is 0a, Backspace 7f.
 *	FORTH_CON      read: bits FORTH_CON_*; never waits
 *	FORTH_COLUMNS  read: size of the terminal, 80 by 24 when it is none
 *	FORTH_ROWS
 *	FORTH_ERR      write: the byte goes to stderr
 *	FORTH_EXIT     write: the emulator ends, with that byte as its exit status
 *	FORTH_MARK     write: an error was met; the byte is S. Where the guest is, by NEXT's IP and
 *	               the return stack, is noted for FORTH_BACKTRACE.
 *
 * Cursor movement is the guest's: ANSI sequences through FORTH_OUT.
 *
 * Break: Ctrl-C on the host's terminal is an NMI when the word at fffa is not 0; otherwise it ends
 * the emulator with status 130. A second one, before the guest took the first, ends it too, and so
 * does a third one when the guest has read nothing from the console since the first.
 *
 * Host operations
 *
 * Put the parameters into registers, write the operation's number to FORTH_OP, read the outcome
 * from FORTH_IOR: 0, or a Forth 2012 THROW code such as -38, "non-existent file". The operation is
 * over when the write is, and takes no cycles. Numbers are little-endian; registers can be read
 * back, and keep their value until written or until an operation's outcome replaces it.
 *
 *	FORTH_OP      operation (write)
 *	FORTH_FLAG    byte
 *	FORTH_IOR     2 bytes
 *	FORTH_FILE    byte: a file number, 1 to 32; 0 is no file
 *	FORTH_FAM     byte: FORTH_FAM_READ, FORTH_FAM_WRITE or both. Text and binary are the same.
 *	FORTH_ADDR    2 bytes: of a buffer or name
 *	FORTH_LEN     2 bytes: of the buffer or name
 *	FORTH_ADDR2   2 bytes: a second name
 *	FORTH_LEN2    2 bytes
 *	FORTH_POS     4 bytes: a position, a size, or a number
 *
 *	operation            in                  out, besides FORTH_IOR
 *	FORTH_OPEN           ADDR LEN FAM        FILE
 *	FORTH_CREATE         ADDR LEN FAM        FILE; an existing file is emptied
 *	FORTH_CLOSE          FILE
 *	FORTH_READ           FILE ADDR LEN       LEN = bytes read, 0 at the end of the file
 *	FORTH_READ_LINE      FILE ADDR LEN       LEN = bytes before the line's end, at most LEN;
 *	                                         FLAG = 1, or 0 at the end of the file. The line's
 *	                                         end (LF or CR LF) is taken, not stored; when LEN
 *	                                         bytes come before it, it is not reached yet.
 *	FORTH_WRITE          FILE ADDR LEN
 *	FORTH_FILE_POSITION  FILE                POS
 *	FORTH_REPOSITION     FILE POS
 *	FORTH_FILE_SIZE      FILE                POS
 *	FORTH_RESIZE         FILE POS
 *	FORTH_FLUSH          FILE
 *	FORTH_DELETE         ADDR LEN
 *	FORTH_RENAME         ADDR LEN            ADDR2 LEN2 is the new name
 *	FORTH_STATUS         ADDR LEN            POS = the size; FORTH_IOR 0 when the file exists
 *	FORTH_ACCEPT         ADDR LEN            a line of the console; on a terminal edited by the
 *	                                         host, with history, and echoed, and afterwards the
 *	                                         cursor is on the next line. LEN = bytes, without
 *	                                         newline; FLAG = 1, or 0 at the end of input.
 *	FORTH_ARG            POS ADDR LEN        number POS (from 0) of what the command line asks
 *	                                         for: FLAG = its kind, FORTH_ARG_*, 0 past the last;
 *	                                         LEN = its whole length, though no more is stored
 *	                                         than LEN allowed
 *	FORTH_MS             POS                 waits POS milliseconds; output is flushed first
 *	FORTH_TIME           ADDR                stores 7 bytes: second, minute, hour, day, month,
 *	                                         year low, year high; local time
 *	FORTH_MICROS         ADDR                stores 8 bytes: microseconds since 1970
 *	FORTH_ERROR          ADDR LEN            the host's words for what the last failed operation
 *	                                         met; LEN = their length, 0 when none failed
 *	FORTH_ERROR_FILE     ADDR LEN            the name that it was given; LEN = its length, 0 when it
 *	                                         was not given one
 *	FORTH_SOURCE         ADDR LEN            notes the line that is being interpreted; ADDR2 LEN2 is
 *	                                         the word in it
 *	FORTH_HELP           POS ADDR LEN        what is known of the word with its header at POS: LEN =
 *	                                         the whole length
 *	FORTH_EDIT           POS                 opens its source at its line in $VISUAL, $EDITOR or vi,
 *	                                         and waits until that ends; -21 unless stdin is a
 *	                                         terminal
 *	FORTH_DISASSEMBLE    POS ADDR LEN        the instruction at POS with its address and bytes: LEN =
 *	                                         the whole length; FLAG = its bytes
 *	FORTH_BACKTRACE      POS ADDR LEN        line POS of what was noted last (forth-backtrace.h): LEN
 *	                                         = its whole length; FLAG = 1, or 0 past the last line
 *	128 to 255                               belong to a profiler that watches the guest;
 *	                                         without one they give -21
 *
 * Names have 1 to 255 bytes, no NUL. They mean files in the folder given by --dir (default: where
 * the emulator was started), and, for FORTH_STATUS and for FORTH_OPEN with FORTH_FAM_READ alone,
 * then in each folder given by -I. A name that leads outside, by `..`, by being absolute or through
 * a symbolic link, gives -37, and nothing is touched. A buffer that reaches into the page of
 * devices or past ffff gives -9, and nothing is done.
 *
 * Timers
 *
 * Two 16-bit counters as in the MOS 6526, at the offsets they have there. A counts cycles, B counts
 * cycles or underflows of A.
 *
 *	FORTH_TA, FORTH_TB    2 bytes. Read: the counter. Write: the latch; writing the high byte
 *	                      while the timer is stopped also loads the counter.
 *	FORTH_CRA, FORTH_CRB  bit 0 start, bit 3 one-shot, bit 4 load now (reads 0);
 *	                      CRB bits 5-6: 00 count cycles, 10 count underflows of A
 *	FORTH_ICR             read: bit 0 A, bit 1 B underflowed since the last read, bit 7 one of
 *	                      them is unmasked; reading clears. Write: with bit 7 set, sets the mask
 *	                      bits given in bits 0 and 1; else clears them. An unmasked underflow
 *	                      pulls IRQ until ICR is read.
 *
 * Both are stopped at first, latch and counter ffff. A timer whose start is written in cycle t
 * reads its start value in cycle t + 2, one less in t + 3; one whose stop is written in cycle t
 * stands still from t + 2 on. After 0 comes the latch. Reading both timers of a running cascade is
 * a race, as on the chip: stop A first.
 */
#ifndef VM_6502_FORTH_MACHINE_H
#define VM_6502_FORTH_MACHINE_H

#define FORTH_PAGE 0xfe00

#define FORTH_OUT     0xfe00
#define FORTH_IN      0xfe01
#define FORTH_CON     0xfe02
#define FORTH_COLUMNS 0xfe03
#define FORTH_ROWS    0xfe04
#define FORTH_ERR     0xfe05
#define FORTH_EXIT    0xfe06
#define FORTH_MARK    0xfe07

#define FORTH_CON_KEY 0x80 /* a byte, or the end of input, is there: FORTH_IN won't wait */
#define FORTH_CON_END 0x40 /* the end of input was met */
#define FORTH_CON_TTY 0x20 /* stdin is a terminal */

#define FORTH_OP    0xfe10
#define FORTH_FLAG  0xfe11
#define FORTH_IOR   0xfe12
#define FORTH_FILE  0xfe14
#define FORTH_FAM   0xfe15
#define FORTH_ADDR  0xfe16
#define FORTH_LEN   0xfe18
#define FORTH_ADDR2 0xfe1a
#define FORTH_LEN2  0xfe1c
#define FORTH_POS   0xfe20

#define FORTH_TA  0xfe34
#define FORTH_TB  0xfe36
#define FORTH_ICR 0xfe3d
#define FORTH_CRA 0xfe3e
#define FORTH_CRB 0xfe3f

#define FORTH_FAM_READ  0x01
#define FORTH_FAM_WRITE 0x02

#define FORTH_OPEN          0x01
#define FORTH_CREATE        0x02
#define FORTH_CLOSE         0x03
#define FORTH_READ          0x04
#define FORTH_READ_LINE     0x05
#define FORTH_WRITE         0x06
#define FORTH_FILE_POSITION 0x07
#define FORTH_REPOSITION    0x08
#define FORTH_FILE_SIZE     0x09
#define FORTH_RESIZE        0x0a
#define FORTH_FLUSH         0x0b
#define FORTH_DELETE        0x0c
#define FORTH_RENAME        0x0d
#define FORTH_STATUS        0x0e
#define FORTH_ACCEPT        0x10
#define FORTH_ARG           0x11
#define FORTH_MS            0x12
#define FORTH_TIME          0x13
#define FORTH_MICROS        0x14
#define FORTH_ERROR         0x15
#define FORTH_SOURCE        0x16
#define FORTH_BACKTRACE     0x17
#define FORTH_HELP          0x18
#define FORTH_EDIT          0x19
#define FORTH_ERROR_FILE    0x1a
#define FORTH_DISASSEMBLE   0x1b

#define FORTH_ARG_FILE 0x01 /* a file to include */
#define FORTH_ARG_TEXT 0x02 /* a text to interpret (-e) */
#define FORTH_ARG_WORD 0x03 /* an argument after -- */

#endif
