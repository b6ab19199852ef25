/* SPDX-License-Identifier: MIT */
/* core: what the single-step cases can't say of the 6502: interrupts, hooks, budget, the edges of
 * memory, and the 6526 timers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "vm-6502/cpu/m6502.h"
#include "vm-6502/machine/timer6526.h"

static struct m6502 m;

static void program(enum m6502_cpu cpu, uint16_t at, const void *bytes, size_t size)
{
	m6502_init(&m, cpu);
	assert_true(m6502_load(&m, at, bytes, size));
	m6502_poke(&m, 0xfffa, 0x00), m6502_poke(&m, 0xfffb, 0x90); /* NMI 9000 */
	m6502_poke(&m, 0xfffe, 0x00), m6502_poke(&m, 0xffff, 0x80); /* IRQ 8000 */
	m6502_set_p(&m, 0);
	m.pc = at;
	m.s = 0xff;
}

#define PROGRAM(...)                                                                               \
	program(M6502_NMOS, 0x0200, (const uint8_t[]){__VA_ARGS__},                                \
		sizeof((const uint8_t[]){__VA_ARGS__}))

/* Steps until pc is `to`; the cycle at which that was. */
static uint64_t reach(uint16_t to)
{
	for (int i = 0; i < 20; i++) {
		if (m.pc == to)
			return m.cycles;
		m6502_step(&m);
	}
	fail_msg("never at %04x", to);
	return 0;
}

static void irq_is_seen_in_the_last_cycle_but_one(void **state)
{
	(void)state;
	PROGRAM(0xea, 0xea, 0xea, 0xea);
	m6502_irq(&m, 2); /* in the last cycle but one of the second NOP, which is its first */
	assert_int_equal(reach(0x8000), 4 + 7);
	assert_int_equal(m6502_peek(&m, 0x01fd) & M6502_B, 0);
	assert_int_equal(m6502_peek16(&m, 0x01fe), 0x0202);
	PROGRAM(0xea, 0xea, 0xea, 0xea);
	m6502_irq(&m, 3);
	assert_int_equal(reach(0x8000), 6 + 7);
}

static void cli_lets_one_more_instruction_run_and_rti_none(void **state)
{
	(void)state;
	PROGRAM(0x58, 0xea, 0xea);
	m.di = M6502_I;
	m6502_irq(&m, 0);
	reach(0x8000);
	assert_int_equal(m6502_peek16(&m, 0x01fe), 0x0202);
	PROGRAM(0x40);
	m.di = M6502_I;
	m.s = 0xf0;
	m6502_poke(&m, 0x01f1, 0), m6502_poke(&m, 0x01f2, 0x00), m6502_poke(&m, 0x01f3, 0x03);
	m6502_irq(&m, 0);
	assert_int_equal(reach(0x8000), 6 + 7);
}

static void sei_is_too_late_for_an_irq_under_way(void **state)
{
	(void)state;
	PROGRAM(0x78, 0xea);
	m6502_irq(&m, 0);
	assert_int_equal(reach(0x8000), 2 + 7);
	assert_true(m6502_peek(&m, 0x01fd) & M6502_I);
}

static void a_taken_branch_in_its_page_polls_early(void **state)
{
	(void)state;
	PROGRAM(0xd0, 0x00, 0xea, 0xea); /* BNE to the next instruction: 3 cycles */
	m6502_irq(&m, 1);
	assert_int_equal(reach(0x8000), 3 + 2 + 7);
	PROGRAM(0xd0, 0x00, 0xea, 0xea);
	m6502_irq(&m, 0);
	assert_int_equal(reach(0x8000), 3 + 7);
}

static void nmi_takes_over_a_brk_and_goes_before_irq(void **state)
{
	(void)state;
	PROGRAM(0x00, 0x00);
	m6502_nmi(&m, 3);
	assert_int_equal(reach(0x9000), 7);
	assert_true(m6502_peek(&m, 0x01fd) & M6502_B);
	assert_true(m.nmi_at == M6502_NEVER);
	PROGRAM(0x00, 0x00);
	m6502_nmi(&m, 4);
	m6502_poke(&m, 0x8000, 0xea);
	assert_int_equal(reach(0x9000), 7 + 2 + 7);
	PROGRAM(0xea);
	m6502_irq(&m, 0);
	m6502_nmi(&m, 0);
	assert_int_equal(reach(0x9000), 2 + 7);
}

static void the_65c02_clears_d_and_waits(void **state)
{
	const uint8_t code[] = {0xcb, 0xea};
	(void)state;
	program(M6502_CMOS, 0x0200, code, sizeof code);
	m.di = M6502_D;
	m6502_irq(&m, 100);
	assert_int_equal(m6502_run(&m, 50), M6502_BUDGET);
	assert_int_equal(m.cycles, 50);
	assert_int_equal(m6502_run(&m, 109), M6502_BUDGET);
	assert_int_equal(m.pc, 0x8000);
	assert_int_equal(m.di, M6502_I);
}

static int ran;

static bool count_only(struct m6502 *cpu, struct m6502_hook *hook)
{
	(void)cpu, (void)hook;
	ran++;
	return false;
}

static bool do_instead(struct m6502 *cpu, struct m6502_hook *hook)
{
	(void)hook;
	cpu->a = cpu->nz = 0x55;
	cpu->pc += 2;
	cpu->cycles += 2;
	return true;
}

static void a_hook_runs_instead_or_before(void **state)
{
	struct m6502_hook before = {.run = count_only}, instead = {.run = do_instead};
	(void)state;
	/* LDA #1, STA 10, LDX 0200, JMP 0207 */
	PROGRAM(0xa9, 0x01, 0x85, 0x10, 0xae, 0x00, 0x02, 0x4c, 0x07, 0x02);
	m.stop_on_loop = true;
	ran = 0;
	m6502_set_hook(&m, 0x0200, &before);
	assert_int_equal(m6502_run(&m, 1000), M6502_LOOP);
	assert_int_equal(m.pc, 0x0207);
	assert_int_equal(m.cycles, 2 + 3 + 4);
	assert_int_equal(ran, 1);
	assert_int_equal(m.a, 1);
	assert_int_equal(m.x, 0xa9); /* the guest sees its own byte */
	m.pc = 0x0200;
	assert_ptr_equal(m6502_set_hook(&m, 0x0200, &instead), &before);
	m6502_run(&m, 1000);
	assert_int_equal(m6502_peek(&m, 0x10), 0x55);
	assert_int_equal(m.cycles, 2 * (2 + 3 + 4));
	m6502_set_hook(&m, 0x0200, NULL);
	assert_true(m6502_sound(&m));
}

static void a_hook_survives_the_guest_writing_there(void **state)
{
	struct m6502_hook before = {.run = count_only};
	(void)state;
	/* LDA #$e8 (INX), STA 0208, NOP x3, 0208: NOP, JMP 0209 */
	PROGRAM(0xa9, 0xe8, 0x8d, 0x08, 0x02, 0xea, 0xea, 0xea, 0xea, 0x4c, 0x09, 0x02);
	m.stop_on_loop = true;
	ran = 0;
	m6502_set_hook(&m, 0x0208, &before);
	m6502_run(&m, 1000);
	assert_int_equal(ran, 1);
	assert_int_equal(m.x, 1);
	assert_true(m6502_sound(&m));
}

static uint64_t read_at, write_at;

static uint8_t device_read(struct m6502 *cpu, struct m6502_hook *hook, uint16_t at)
{
	(void)hook;
	read_at = cpu->cycles;
	return at & 0xff;
}

static void device_write(struct m6502 *cpu, struct m6502_hook *hook, uint16_t at, uint8_t value)
{
	(void)hook, (void)at, (void)value;
	write_at = cpu->cycles;
	ran++;
}

static void devices_are_asked_in_the_right_cycle_by_both_cores(void **state)
{
	struct m6502_hook device = {.read = device_read, .write = device_write};
	struct m6502_observer observer = {0};
	(void)state;
	for (int i = 0; i < 2; i++) {
		/* LDX #1, LDA d0ff,X, INC d000, JMP 0208 */
		PROGRAM(0xa2, 0x01, 0xbd, 0xff, 0xcf, 0xee, 0x00, 0xd0, 0x4c, 0x08, 0x02);
		m.stop_on_loop = true;
		m.observer = i ? &observer : NULL;
		ran = 0;
		assert_null(m6502_set_hook(&m, 0xd000, &device));
		m6502_run(&m, 1000);
		assert_int_equal(m.a, 0x00);
		assert_int_equal(m.cycles, 2 + 5 + 6);
		assert_int_equal(read_at, 7 + 3);
		assert_int_equal(write_at, 7 + 5);
		assert_int_equal(ran, 2); /* the old value is written back first */
	}
	assert_ptr_equal(m6502_set_hook(&m, 0x00ff, &device), &device);
}

static void code_wraps_around_memory(void **state)
{
	const uint8_t end[] = {0xa9, 0x42, 0xe8}, last[] = {0xad};
	(void)state;
	program(M6502_NMOS, 0xfffd, end, 3); /* LDA #$42, INX at ffff, NOP at 0 */
	m6502_poke(&m, 0xfffe, 0x42), m6502_poke(&m, 0xffff, 0xe8);
	m6502_poke(&m, 0x0000, 0x4c), m6502_poke(&m, 0x0001, 0x00), m6502_poke(&m, 0x0002, 0x00);
	m.stop_on_loop = true;
	assert_int_equal(m6502_run(&m, 1000), M6502_LOOP);
	assert_int_equal(m.a, 0x42);
	assert_int_equal(m.x, 1);
	program(M6502_NMOS, 0xffff, last, 1); /* LDA 1234, operand at 0 and 1 */
	m6502_poke(&m, 0xffff, 0xad);
	m6502_poke(&m, 0x0000, 0x34), m6502_poke(&m, 0x0001, 0x12), m6502_poke(&m, 0x1234, 0x77);
	m6502_poke(&m, 0x0002, 0x02);
	m.pc = 0xffff;
	assert_int_equal(m6502_run(&m, 1000), M6502_JAM);
	assert_int_equal(m.a, 0x77);
	assert_int_equal(m.pc, 0x0002);
	assert_int_equal(m.cycles, 4);
}

static void memory_full_of_nops_still_ends(void **state)
{
	(void)state;
	m6502_init(&m, M6502_NMOS);
	for (unsigned i = 0; i < 0x10000; i++)
		m6502_poke(&m, i, 0xea);
	assert_int_equal(m6502_run(&m, 1000000), M6502_BUDGET);
	assert_in_range(m.cycles, 1000000, 1000000 + 2 * 0x10000);
}

static void jam_stops_before_itself(void **state)
{
	(void)state;
	PROGRAM(0xea, 0x92);
	assert_int_equal(m6502_run(&m, 1000), M6502_JAM);
	assert_int_equal(m.pc, 0x0201);
	assert_int_equal(m.cycles, 2);
	PROGRAM(0xea, 0x02);
	assert_int_equal(m6502_run(&m, 1000), M6502_JAM);
	assert_int_equal(m.pc, 0x0201);
	assert_int_equal(m.cycles, 2);
}

static void timers_cascade(void **state)
{
	struct timer6526 t;
	(void)state;
	timer6526_init(&t);
	timer6526_write(&t, TIMER_CRB, 0x51, 98);
	timer6526_write(&t, TIMER_CRA, 0x11, 100);
	assert_int_equal(timer6526_read(&t, TIMER_CRA, 104), 0x01); /* load reads 0 */
	assert_int_equal(timer6526_read(&t, TIMER_A, 112), 0xff - 10);
	timer6526_write(&t, TIMER_CRA, 0x00, 100 + 3 * 0x10000 + 5);
	assert_int_equal(timer6526_read(&t, TIMER_B, 1000000), 0xfc);
	assert_int_equal(timer6526_read(&t, TIMER_B + 1, 1000000), 0xff);
	assert_int_equal(timer6526_read(&t, TIMER_A, 1000000), 0xff - 5);
	assert_int_equal(timer6526_read(&t, TIMER_ICR, 1000000), 0x01);
	assert_int_equal(timer6526_read(&t, TIMER_ICR, 1000000), 0x00);
}

static void a_timer_foresees_its_interrupt(void **state)
{
	struct timer6526 t;
	(void)state;
	timer6526_init(&t);
	assert_true(timer6526_irq(&t) == UINT64_MAX);
	timer6526_write(&t, TIMER_A, 9, 10);
	timer6526_write(&t, TIMER_A + 1, 0, 14);
	timer6526_write(&t, TIMER_ICR, 0x81, 18);
	timer6526_write(&t, TIMER_CRA, 0x09, 20); /* one shot: value 9 in cycle 22 */
	assert_int_equal(timer6526_irq(&t), 22 + 10);
	assert_int_equal(timer6526_read(&t, TIMER_ICR, 31), 0x00);
	assert_int_equal(timer6526_read(&t, TIMER_ICR, 32), 0x81);
	assert_true(timer6526_irq(&t) == UINT64_MAX);
	assert_int_equal(timer6526_read(&t, TIMER_A, 50), 9);
	timer6526_write(&t, TIMER_ICR, 0x01, 59); /* A masked, B not */
	timer6526_write(&t, TIMER_ICR, 0x82, 60);
	timer6526_write(&t, TIMER_B, 2, 61);
	timer6526_write(&t, TIMER_B + 1, 0, 62);
	timer6526_write(&t, TIMER_CRB, 0x41, 63);
	timer6526_write(&t, TIMER_CRA, 0x01,
			98); /* underflows at 110, 120, 130: the third is B's */
	assert_int_equal(timer6526_irq(&t), 130);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(irq_is_seen_in_the_last_cycle_but_one),
	    cmocka_unit_test(cli_lets_one_more_instruction_run_and_rti_none),
	    cmocka_unit_test(sei_is_too_late_for_an_irq_under_way),
	    cmocka_unit_test(a_taken_branch_in_its_page_polls_early),
	    cmocka_unit_test(nmi_takes_over_a_brk_and_goes_before_irq),
	    cmocka_unit_test(the_65c02_clears_d_and_waits),
	    cmocka_unit_test(a_hook_runs_instead_or_before),
	    cmocka_unit_test(a_hook_survives_the_guest_writing_there),
	    cmocka_unit_test(devices_are_asked_in_the_right_cycle_by_both_cores),
	    cmocka_unit_test(code_wraps_around_memory),
	    cmocka_unit_test(memory_full_of_nops_still_ends),
	    cmocka_unit_test(jam_stops_before_itself),
	    cmocka_unit_test(timers_cascade),
	    cmocka_unit_test(a_timer_foresees_its_interrupt),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
