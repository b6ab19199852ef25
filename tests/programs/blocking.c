/* SPDX-License-Identifier: MIT */
/*
 * blocking.c - every blocking call that signal(7) lists as one that a handler interrupts, many
 * times: does any of them return early, or with another result, because we are sampled?
 *
 *   blocking CALLS      prints a line per kind: NAME, calls, how many were interrupted, how many
 *                       returned something else than they should
 *   blocking CALLS disturbed   the same with a handler of its own, which must be seen to interrupt
 *
 * A call ends by its own timeout, or by what a partner, a second thread, does some 20 us after it
 * was asked. The program has no handler of its own, except where a call waits for one. Between the
 * calls there is work, so that samples fall anywhere.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define UNSEEN   __attribute__((no_instrument_function))
#define SHORT_NS 20000

static const struct timespec brief = {.tv_nsec = SHORT_NS};

/* What the calls wait on. */
static int pipe_ends[2], full_pipe[2], pair[2], full_pair[2], listener, poller, event, watcher;
static int lock_file, other_lock, semaphores, messages, full_messages;
static mqd_t queue, full_queue;
static aio_context_t aio;
static sem_t sem;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, held = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static uint32_t futex_word;
static pthread_t waiting, partner;
static volatile sig_atomic_t handled;
static char folder[] = "/tmp/zprof-blocking.XXXXXX", fifo[64], page[65536];
static struct sockaddr_un address = {.sun_family = AF_UNIX};

UNSEEN static bool failed_with(long result, int expected)
{
	return result == -1 && errno == expected;
}

UNSEEN static struct timespec soon(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	t.tv_nsec += SHORT_NS;
	if (t.tv_nsec >= 1000000000) {
		t.tv_sec++;
		t.tv_nsec -= 1000000000;
	}
	return t;
}

UNSEEN static bool give_up(const char *what)
{
	perror(what);
	exit(2);
}

/* ---- calls that their own timeout ends: whether they returned what they should */

static bool do_poll(void)
{
	struct pollfd p = {.fd = pair[0], .events = POLLIN};
	return poll(&p, 1, 1) == 0;
}
static bool do_ppoll(void)
{
	struct pollfd p = {.fd = pair[0], .events = POLLIN};
	return ppoll(&p, 1, &brief, NULL) == 0;
}
static bool do_select(void)
{
	struct timeval t = {.tv_usec = SHORT_NS / 1000};
	fd_set set;
	FD_ZERO(&set);
	FD_SET(pair[0], &set);
	return select(pair[0] + 1, &set, NULL, NULL, &t) == 0;
}
static bool do_pselect(void)
{
	fd_set set;
	FD_ZERO(&set);
	FD_SET(pair[0], &set);
	return pselect(pair[0] + 1, &set, NULL, NULL, &brief, NULL) == 0;
}
static bool do_epoll_wait(void)
{
	struct epoll_event e;
	return epoll_wait(poller, &e, 1, 1) == 0;
}
static bool do_epoll_pwait(void)
{
	struct epoll_event e;
	return epoll_pwait(poller, &e, 1, 1, NULL) == 0;
}
static bool do_nanosleep(void)
{
	return nanosleep(&brief, NULL) == 0;
}
static bool do_clock_nanosleep(void)
{
	struct timespec t = soon(CLOCK_MONOTONIC);
	errno = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
	return errno == 0;
}
static bool do_usleep(void)
{
	return usleep(SHORT_NS / 1000) == 0;
}
static bool do_sigtimedwait(void)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	return failed_with(sigtimedwait(&set, NULL, &brief), EAGAIN);
}
static bool do_futex_timed(void)
{
	return failed_with(syscall(SYS_futex, &futex_word, FUTEX_WAIT, 0, &brief), ETIMEDOUT);
}
static bool do_sem_timedwait(void)
{
	struct timespec t = soon(CLOCK_REALTIME);
	return failed_with(sem_timedwait(&sem, &t), ETIMEDOUT);
}
static bool do_semtimedop(void)
{
	struct sembuf down = {.sem_op = -1};
	return failed_with(semtimedop(semaphores, &down, 1, &brief), EAGAIN);
}
static bool do_mq_timedreceive(void)
{
	struct timespec t = soon(CLOCK_REALTIME);
	char text[8];
	return failed_with(mq_timedreceive(queue, text, sizeof text, NULL, &t), ETIMEDOUT);
}
static bool do_mq_timedsend(void)
{
	struct timespec t = soon(CLOCK_REALTIME);
	return failed_with(mq_timedsend(full_queue, "x", 1, 0, &t), ETIMEDOUT);
}
static bool do_recv_timeout(void)
{
	char c;
	return failed_with(recv(pair[0], &c, 1, 0), EAGAIN);
}
static bool do_recvmsg_timeout(void)
{
	char c;
	struct iovec part = {.iov_base = &c, .iov_len = 1};
	struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
	return failed_with(recvmsg(pair[0], &m, 0), EAGAIN);
}
static bool do_send_timeout(void)
{
	return failed_with(send(full_pair[0], page, sizeof page, 0), EAGAIN);
}
static bool do_accept_timeout(void)
{
	return failed_with(accept(listener, NULL, NULL), EAGAIN);
}
static bool do_io_getevents(void)
{
	struct timespec t = brief;
	struct io_event e;
	return syscall(SYS_io_getevents, aio, 1, 1, &e, &t) == 0;
}
static bool do_cond_timedwait(void)
{
	struct timespec t = soon(CLOCK_REALTIME);
	pthread_mutex_lock(&mutex);
	errno = pthread_cond_timedwait(&cond, &mutex, &t);
	pthread_mutex_unlock(&mutex);
	return errno == ETIMEDOUT;
}
static bool do_mutex_timedlock(void)
{
	struct timespec t = soon(CLOCK_REALTIME);
	errno = pthread_mutex_timedlock(&held, &t);
	return errno == ETIMEDOUT;
}

/* ---- calls that the partner ends, and how */

static bool do_read_pipe(void)
{
	char c;
	return read(pipe_ends[0], &c, 1) == 1;
}
static bool by_write_pipe(void)
{
	return write(pipe_ends[1], "x", 1) == 1;
}
static bool do_write_pipe(void)
{
	return write(full_pipe[1], page, 4096) == 4096;
}
static bool by_read_pipe(void)
{
	char some[4096];
	return read(full_pipe[0], some, sizeof some) == sizeof some;
}
static bool do_open_fifo(void)
{
	int fd = open(fifo, O_RDONLY);
	return fd >= 0 && close(fd) == 0;
}
static bool by_open_fifo(void)
{
	int fd = open(fifo, O_WRONLY);
	return fd >= 0 && close(fd) == 0;
}
static bool do_read_eventfd(void)
{
	uint64_t n;
	return read(event, &n, sizeof n) == sizeof n;
}
static bool by_write_eventfd(void)
{
	uint64_t n = 1;
	return write(event, &n, sizeof n) == sizeof n;
}
static bool do_read_inotify(void)
{
	char some[512];
	return read(watcher, some, sizeof some) > 0;
}
static bool by_write_file(void)
{
	return pwrite(lock_file, "x", 1, 0) == 1;
}
static bool do_wait4(void)
{
	pid_t pid = vfork();
	if (pid == 0)
		_exit(3);
	int status;
	return wait4(pid, &status, 0, NULL) == pid && WEXITSTATUS(status) == 3;
}
static bool do_flock(void)
{
	return flock(lock_file, LOCK_EX) == 0 && flock(lock_file, LOCK_UN) == 0;
}
static bool before_flock(void)
{
	return flock(other_lock, LOCK_EX) == 0;
}
static bool by_flock(void)
{
	return flock(other_lock, LOCK_UN) == 0;
}
UNSEEN static bool record_lock(int fd, int command, short type)
{
	struct flock l = {.l_type = type, .l_whence = SEEK_SET, .l_len = 1};
	return fcntl(fd, command, &l) == 0;
}
static bool do_fcntl_lock(void)
{
	return record_lock(lock_file, F_OFD_SETLKW, F_WRLCK) &&
	       record_lock(lock_file, F_OFD_SETLK, F_UNLCK);
}
static bool before_fcntl_lock(void)
{
	return record_lock(other_lock, F_OFD_SETLK, F_WRLCK);
}
static bool by_fcntl_lock(void)
{
	return record_lock(other_lock, F_OFD_SETLK, F_UNLCK);
}
static bool do_semop(void)
{
	struct sembuf down = {.sem_op = -1};
	return semop(semaphores, &down, 1) == 0;
}
static bool by_semop(void)
{
	struct sembuf up = {.sem_op = 1};
	return semop(semaphores, &up, 1) == 0;
}
static bool do_msgrcv(void)
{
	struct {
		long type;
		char text[8];
	} m;
	return msgrcv(messages, &m, sizeof m.text, 0, 0) == 1;
}
static bool by_msgsnd(void)
{
	struct {
		long type;
		char text[8];
	} m = {.type = 1, .text = "x"};
	return msgsnd(messages, &m, 1, 0) == 0;
}
static bool do_msgsnd_full(void)
{
	struct {
		long type;
		char text[1024];
	} m = {.type = 1};
	return msgsnd(full_messages, &m, sizeof m.text, 0) == 0;
}
static bool by_msgrcv(void)
{
	struct {
		long type;
		char text[1024];
	} m;
	return msgrcv(full_messages, &m, sizeof m.text, 0, 0) == sizeof m.text;
}
static bool do_mq_receive(void)
{
	char text[8];
	return mq_receive(queue, text, sizeof text, NULL) == 1;
}
static bool by_mq_send(void)
{
	return mq_send(queue, "x", 1, 0) == 0;
}
static bool do_sem_wait(void)
{
	return sem_wait(&sem) == 0;
}
static bool by_sem_post(void)
{
	return sem_post(&sem) == 0;
}
static bool do_futex(void)
{
	/* Good: woken, or the word was changed before the kernel looked. After an interruption the
	 * word is not reset: the partner may have changed it since, and wakes only once. */
	bool good = syscall(SYS_futex, &futex_word, FUTEX_WAIT, 0, NULL) == 0 || errno == EAGAIN;
	if (good)
		__atomic_store_n(&futex_word, 0, __ATOMIC_RELEASE);
	return good;
}
static bool by_futex(void)
{
	__atomic_store_n(&futex_word, 1, __ATOMIC_RELEASE);
	return syscall(SYS_futex, &futex_word, FUTEX_WAKE, 1) >= 0;
}
static bool do_accept(void)
{
	int fd;
	do
		fd = accept(listener, NULL, NULL);
	while (failed_with(fd, EAGAIN));
	return fd >= 0 && close(fd) == 0;
}
static bool by_connect(void)
{
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	bool good = connect(fd, (struct sockaddr *)&address, sizeof address) == 0;
	return close(fd) == 0 && good;
}

/* These end when a handler has run: once for each signal, and never without one. */
static void handler(int signal)
{
	handled += signal == SIGUSR1;
}
UNSEEN static bool handled_once(bool by_signal)
{
	bool good = by_signal && handled == 1;
	handled = 0;
	errno = 0;
	return good;
}
static bool do_sigsuspend(void)
{
	sigset_t set;
	sigfillset(&set);
	sigdelset(&set, SIGUSR1);
	sigdelset(&set, SIGURG);
	return handled_once(failed_with(sigsuspend(&set), EINTR));
}
static bool by_signal(void)
{
	return pthread_kill(waiting, SIGUSR1) == 0;
}
static bool do_sigwaitinfo(void)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	return sigwaitinfo(&set, NULL) == SIGUSR1;
}

static const struct kind {
	const char *name;
	bool (*call)(void), (*ended_by)(void), (*before)(void);
} kinds[] = {
    {"poll", do_poll, NULL, NULL},
    {"ppoll", do_ppoll, NULL, NULL},
    {"select", do_select, NULL, NULL},
    {"pselect", do_pselect, NULL, NULL},
    {"epoll_wait", do_epoll_wait, NULL, NULL},
    {"epoll_pwait", do_epoll_pwait, NULL, NULL},
    {"nanosleep", do_nanosleep, NULL, NULL},
    {"clock_nanosleep", do_clock_nanosleep, NULL, NULL},
    {"usleep", do_usleep, NULL, NULL},
    {"sigtimedwait", do_sigtimedwait, NULL, NULL},
    {"sigwaitinfo", do_sigwaitinfo, by_signal, NULL},
    {"sigsuspend", do_sigsuspend, by_signal, NULL},
    {"futex", do_futex, by_futex, NULL},
    {"futex, timed", do_futex_timed, NULL, NULL},
    {"sem_wait", do_sem_wait, by_sem_post, NULL},
    {"sem_timedwait", do_sem_timedwait, NULL, NULL},
    {"semop", do_semop, by_semop, NULL},
    {"semtimedop", do_semtimedop, NULL, NULL},
    {"pthread_cond_timedwait", do_cond_timedwait, NULL, NULL},
    {"pthread_mutex_timedlock", do_mutex_timedlock, NULL, NULL},
    {"msgrcv", do_msgrcv, by_msgsnd, NULL},
    {"msgsnd", do_msgsnd_full, by_msgrcv, NULL},
    {"mq_receive", do_mq_receive, by_mq_send, NULL},
    {"mq_timedreceive", do_mq_timedreceive, NULL, NULL},
    {"mq_timedsend", do_mq_timedsend, NULL, NULL},
    {"read of a pipe", do_read_pipe, by_write_pipe, NULL},
    {"write to a pipe", do_write_pipe, by_read_pipe, NULL},
    {"open of a fifo", do_open_fifo, by_open_fifo, NULL},
    {"read of an eventfd", do_read_eventfd, by_write_eventfd, NULL},
    {"read of inotify", do_read_inotify, by_write_file, NULL},
    {"recv, timed", do_recv_timeout, NULL, NULL},
    {"recvmsg, timed", do_recvmsg_timeout, NULL, NULL},
    {"send, timed", do_send_timeout, NULL, NULL},
    {"accept", do_accept, by_connect, NULL},
    {"accept, timed", do_accept_timeout, NULL, NULL},
    {"io_getevents", do_io_getevents, NULL, NULL},
    {"wait4", do_wait4, NULL, NULL},
    {"flock", do_flock, by_flock, before_flock},
    {"fcntl of a lock", do_fcntl_lock, by_fcntl_lock, before_fcntl_lock},
};

/* ---- the partner */

static const struct kind *asked; /* the kind of call that it must end; NULL when it has done so */

static void *end_calls(void *unused)
{
	const struct kind *kind;

	for (;;) {
		while (!(kind = __atomic_load_n(&asked, __ATOMIC_ACQUIRE)))
			nanosleep(&brief, NULL);
		if (!kind->call)
			return unused;
		nanosleep(&brief, NULL);
		while (!kind->ended_by())
			if (errno != EINTR)
				give_up(kind->name);
		__atomic_store_n(&asked, NULL, __ATOMIC_RELEASE);
	}
}

static void work(void)
{
	for (volatile int i = 0; i < 2000; i++)
		;
}

static void repeat(const struct kind *kind, long calls)
{
	long interrupted = 0, wrong = 0, i;

	for (i = 0; i < calls; i++) {
		bool good;
		work();
		if (kind->before && !kind->before())
			give_up(kind->name);
		if (kind->ended_by)
			__atomic_store_n(&asked, kind, __ATOMIC_RELEASE);
		errno = 0;
		/* An interrupted call is made again, because the partner has not acted yet. */
		while (!(good = kind->call()) && errno == EINTR)
			interrupted++;
		wrong += !good;
		while (__atomic_load_n(&asked, __ATOMIC_ACQUIRE))
			sched_yield();
	}
	printf("%-24s %ld %ld %ld\n", kind->name, calls, interrupted, wrong);
	fflush(stdout);
}

/* ---- what they wait on */

UNSEEN static void make_files(void)
{
	char name[64];

	if (!mkdtemp(folder))
		give_up(folder);
	snprintf(fifo, sizeof fifo, "%s/fifo", folder);
	snprintf(name, sizeof name, "%s/lock", folder);
	snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", folder);
	lock_file = open(name, O_RDWR | O_CREAT, 0600);
	other_lock = open(name, O_RDWR);
	watcher = inotify_init();
	if (mkfifo(fifo, 0600) || lock_file < 0 || other_lock < 0 ||
	    inotify_add_watch(watcher, name, IN_MODIFY) < 0)
		give_up(folder);
}

UNSEEN static void fill(void)
{
	struct {
		long type;
		char text[1024];
	} m = {.type = 1};

	while (msgsnd(full_messages, &m, sizeof m.text, IPC_NOWAIT) == 0)
		;
	while (send(full_pair[0], page, sizeof page, MSG_DONTWAIT) > 0)
		;
	fcntl(full_pipe[1], F_SETPIPE_SZ, 4096);
	if (write(full_pipe[1], page, 4096) != 4096 || mq_send(full_queue, "x", 1, 0))
		give_up("fill");
}

UNSEEN static mqd_t make_queue(const char *name)
{
	struct mq_attr attr = {.mq_maxmsg = 1, .mq_msgsize = 8};
	mqd_t q = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &attr);

	mq_unlink(name);
	return q;
}

UNSEEN static void make_all(void)
{
	struct timeval t = {.tv_usec = SHORT_NS / 1000};
	struct epoll_event none = {.events = EPOLLIN};
	char name[32];
	sigset_t set;

	make_files();
	snprintf(name, sizeof name, "/zprof-%d", getpid());
	queue = make_queue(name);
	full_queue = make_queue(name);
	semaphores = semget(IPC_PRIVATE, 1, 0600);
	messages = msgget(IPC_PRIVATE, 0600);
	full_messages = msgget(IPC_PRIVATE, 0600);
	event = eventfd(0, 0);
	poller = epoll_create1(0);
	listener = socket(AF_UNIX, SOCK_STREAM, 0);
	if (queue < 0 || full_queue < 0 || semaphores < 0 || messages < 0 || full_messages < 0 ||
	    event < 0 || poller < 0 || listener < 0 || pipe(pipe_ends) || pipe(full_pipe) ||
	    socketpair(AF_UNIX, SOCK_STREAM, 0, pair) ||
	    socketpair(AF_UNIX, SOCK_STREAM, 0, full_pair) ||
	    epoll_ctl(poller, EPOLL_CTL_ADD, pair[0], &none) ||
	    bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 8) ||
	    setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t) ||
	    setsockopt(full_pair[0], SOL_SOCKET, SO_SNDTIMEO, &t, sizeof t) ||
	    setsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t) ||
	    syscall(SYS_io_setup, 1, &aio) || sem_init(&sem, 0, 0) || pthread_mutex_lock(&held))
		give_up("set-up");
	fill();
	signal(SIGUSR1, handler);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
}

UNSEEN static void remove_all(void)
{
	char name[64];

	semctl(semaphores, 0, IPC_RMID);
	msgctl(messages, IPC_RMID, NULL);
	msgctl(full_messages, IPC_RMID, NULL);
	unlink(fifo);
	unlink(address.sun_path);
	snprintf(name, sizeof name, "%s/lock", folder);
	unlink(name);
	rmdir(folder);
}

/* Runs a handler in this thread over and over, less often than the longest timeout of a call. */
UNSEEN static void disturb(void)
{
	struct sigaction action = {.sa_handler = handler};
	struct sigevent to = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGALRM};
	struct itimerspec often = {{.tv_nsec = 500 * SHORT_NS}, {.tv_nsec = 500 * SHORT_NS}};
	timer_t timer;

	to._sigev_un._tid = gettid();
	if (sigaction(SIGALRM, &action, NULL) || timer_create(CLOCK_MONOTONIC, &to, &timer) ||
	    timer_settime(timer, 0, &often, NULL))
		give_up("disturb");
}

int main(int argc, char **argv)
{
	static const struct kind no_more = {.name = NULL};
	long calls = argc > 1 ? strtol(argv[1], NULL, 10) : 1000;
	size_t i;

	waiting = pthread_self();
	make_all();
	if (pthread_create(&partner, NULL, end_calls, NULL))
		give_up("pthread_create");
	if (argc > 2)
		disturb();
	for (i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		repeat(&kinds[i], calls);
	__atomic_store_n(&asked, &no_more, __ATOMIC_RELEASE);
	pthread_join(partner, NULL);
	remove_all();
	return 0;
}
