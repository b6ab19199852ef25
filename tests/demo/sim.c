/* SPDX-License-Identifier: MIT */
/*
 * sim.c - the demo: a small world in which physics and AI share a ray-caster.
 *
 * Physics casts many rays, each as short as a step of a body; AI casts few, each as long as the eye
 * can see. A profiler that divides cast_ray's time by the number of calls (gprof) says that physics
 * is to blame. One that measures on whose behalf the time was spent says the reverse: the truth.
 *
 * Deterministic: the same turns give the same last line, under any tool. It must never be tuned to
 * flatter one of them.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	CELLS = 512, /* the world is CELLS x CELLS, */
	TILE = 32,   /* in tiles of TILE x TILE, each with a list of the bodies in it */
	TILES = CELLS / TILE,
	BODIES = 2000,
	AGENTS = 40,
	EYES = 16, /* rays that an agent casts in a turn */
};

static const double sight = 300;   /* cells an agent sees */
static const double radius = 0.25; /* of a body */

struct vec {
	double x, y;
};

struct body {
	struct vec at, velocity;
	int next; /* in the same tile; -1: the last */
};

struct agent {
	struct vec at;
	double heading;
};

/* A ray on its way through the grid: the cell it is in, and the distance at which it enters the
 * next column and row. */
struct ray {
	struct vec from, direction;
	double limit, travelled;
	int x, y, step_x, step_y;
	double next_x, next_y, per_x, per_y;
};

enum outcome { FREE, WALL, BODY };

struct world {
	bool wall[CELLS][CELLS];
	struct body bodies[BODIES];
	struct agent agents[AGENTS];
	int first[TILES][TILES]; /* of a tile's bodies; -1: none */
	unsigned seed;
	unsigned long bounces, sightings;
};

static int random_below(struct world *w, int n)
{
	w->seed = w->seed * 1664525u + 1013904223u;
	return (int)((w->seed >> 8) % (unsigned)n);
}

/* Halves a room with a wall that has two doors, and the halves again, until they are small. */
static void divide(struct world *w, int x, int y, int width, int height)
{
	if (width < 160 && height < 160)
		return;
	bool upright = width > height;
	int length = upright ? height : width;
	int at = (upright ? width : height) / 3 + random_below(w, (upright ? width : height) / 3);
	int door = random_below(w, length / 2);
	for (int i = 0; i < length; i++) {
		if ((i >= door && i < door + 24) ||
		    (i >= door + length / 2 && i < door + length / 2 + 24))
			continue;
		if (upright)
			w->wall[y + i][x + at] = true;
		else
			w->wall[y + at][x + i] = true;
	}
	if (upright) {
		divide(w, x, y, at, height);
		divide(w, x + at + 1, y, width - at - 1, height);
	} else {
		divide(w, x, y, width, at);
		divide(w, x, y + at + 1, width, height - at - 1);
	}
}

static struct vec free_place(struct world *w)
{
	for (;;) {
		int x = random_below(w, CELLS), y = random_below(w, CELLS);
		if (!w->wall[y][x])
			return (struct vec){x + 0.5, y + 0.5};
	}
}

static void build_world(struct world *w)
{
	for (int i = 0; i < CELLS; i++)
		w->wall[0][i] = w->wall[CELLS - 1][i] = w->wall[i][0] = w->wall[i][CELLS - 1] =
		    true;
	divide(w, 0, 0, CELLS, CELLS);
	for (int i = 0; i < BODIES; i++) {
		double angle = random_below(w, 6283) / 1000.0;
		w->bodies[i].at = free_place(w);
		w->bodies[i].velocity = (struct vec){1.3 * cos(angle), 1.3 * sin(angle)};
	}
	for (int i = 0; i < AGENTS; i++)
		w->agents[i] = (struct agent){free_place(w), i};
}

static void sort_bodies(struct world *w)
{
	for (int y = 0; y < TILES; y++)
		for (int x = 0; x < TILES; x++)
			w->first[y][x] = -1;
	for (int i = 0; i < BODIES; i++) {
		struct body *b = &w->bodies[i];
		int *first = &w->first[(int)b->at.y / TILE][(int)b->at.x / TILE];
		b->next = *first;
		*first = i;
	}
}

static void aim(struct ray *r, struct vec from, struct vec direction, double limit)
{
	double dx = direction.x, dy = direction.y;
	*r = (struct ray){.from = from, .direction = direction, .limit = limit};
	r->x = (int)floor(from.x);
	r->y = (int)floor(from.y);
	r->step_x = dx < 0 ? -1 : 1;
	r->step_y = dy < 0 ? -1 : 1;
	r->per_x = dx != 0 ? fabs(1 / dx) : HUGE_VAL;
	r->per_y = dy != 0 ? fabs(1 / dy) : HUGE_VAL;
	r->next_x = dx != 0 ? fabs((r->x + (dx > 0) - from.x) / dx) : HUGE_VAL;
	r->next_y = dy != 0 ? fabs((r->y + (dy > 0) - from.y) / dy) : HUGE_VAL;
}

/* Goes from cell to cell until a wall, the ray's end, or the next tile. */
static enum outcome march(const struct world *w, struct ray *r)
{
	int tile_x = r->x / TILE, tile_y = r->y / TILE;
	while (r->travelled < r->limit && r->x / TILE == tile_x && r->y / TILE == tile_y) {
		if (r->next_x < r->next_y) {
			r->travelled = r->next_x;
			r->next_x += r->per_x;
			r->x += r->step_x;
		} else {
			r->travelled = r->next_y;
			r->next_y += r->per_y;
			r->y += r->step_y;
		}
		if (r->travelled < r->limit && w->wall[r->y][r->x])
			return WALL;
	}
	return FREE;
}

/* The nearest body of a tile that the ray meets; one that the ray begins in does not count. */
static bool meets_body(const struct world *w, const struct ray *r, int tile_x, int tile_y)
{
	for (int i = w->first[tile_y][tile_x]; i >= 0; i = w->bodies[i].next) {
		double x = w->bodies[i].at.x - r->from.x, y = w->bodies[i].at.y - r->from.y;
		double along = x * r->direction.x + y * r->direction.y;
		double aside = x * r->direction.y - y * r->direction.x;
		if (along > radius && along < r->limit && fabs(aside) < radius)
			return true;
	}
	return false;
}

/* The service that both share. `direction` has length 1. */
static enum outcome cast_ray(const struct world *w, struct vec from, struct vec direction,
			     double limit)
{
	struct ray r;
	aim(&r, from, direction, limit);
	while (r.travelled < limit) {
		int tile_x = r.x / TILE, tile_y = r.y / TILE;
		enum outcome o = march(w, &r);
		if (meets_body(w, &r, tile_x, tile_y))
			return BODY;
		if (o != FREE)
			return o;
	}
	return FREE;
}

static void physics_step(struct world *w)
{
	for (int i = 0; i < BODIES; i++) {
		struct body *b = &w->bodies[i];
		double speed = hypot(b->velocity.x, b->velocity.y);
		struct vec direction = {b->velocity.x / speed, b->velocity.y / speed};
		if (cast_ray(w, b->at, direction, speed) == FREE) {
			b->at.x += b->velocity.x;
			b->at.y += b->velocity.y;
		} else {
			b->velocity = (struct vec){-b->velocity.y, b->velocity.x};
			w->bounces++;
		}
	}
}

static void ai_think(struct world *w)
{
	for (int i = 0; i < AGENTS; i++) {
		struct agent *a = &w->agents[i];
		a->heading += 0.01;
		for (int eye = 0; eye < EYES; eye++) {
			double angle = a->heading + eye * (6.2831853 / EYES);
			struct vec direction = {cos(angle), sin(angle)};
			w->sightings += cast_ray(w, a->at, direction, sight) == BODY;
		}
	}
}

enum { SURVEY = 40000 }; /* rays of a survey */

/* What makes a turn slow, now and then: an agent looks all around. */
static void survey(struct world *w, const struct agent *a)
{
	for (int i = 0; i < SURVEY; i++) {
		double angle = i * (6.2831853 / SURVEY);
		struct vec direction = {cos(angle), sin(angle)};
		w->sightings += cast_ray(w, a->at, direction, sight) == BODY;
	}
}

static void turn(struct world *w, bool slow)
{
	sort_bodies(w);
	physics_step(w);
	ai_think(w);
	if (slow)
		survey(w, &w->agents[0]);
}

/*
 *     sim [TURNS [PERIOD]]
 *
 * With PERIOD, every PERIOD-th turn is slow, and there are 100 turns a second at most: for the live
 * view (`make demo-live`).
 */
int main(int argc, char **argv)
{
	static struct world w;
	int turns = argc > 1 ? atoi(argv[1]) : 2000, period = argc > 2 ? atoi(argv[2]) : 0;
	w.seed = 2003;
	build_world(&w);
	for (int i = 0; i < turns; i++) {
		turn(&w, period && i % period == period - 1);
		if (period)
			usleep(10000);
	}
	printf("%d turns: %lu bounces, %lu sightings\n", turns, w.bounces, w.sightings);
	return 0;
}
