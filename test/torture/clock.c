/*
 * Preloaded into the program under trial: sets its clocks by a file, CLOCK_FILE, while it runs. Two numbers of 64 bits
 * stand in the file, in nanoseconds: what the wall clock says, where it stands until another number is written, and what
 * is added to the clocks that only go forward.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  int64_t wall;
  int64_t forward;
} Clocks;

static const volatile Clocks *clocks;

__attribute__((constructor)) static void open_clocks(void) {
  const char *path = getenv("CLOCK_FILE");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  void *map = file < 0 ? MAP_FAILED : mmap(NULL, sizeof *clocks, PROT_READ, MAP_SHARED, file, 0);
  if (map == MAP_FAILED) {
    fputs("clock: CLOCK_FILE is no file of two numbers\n", stderr);
    _exit(1);
  }
  close(file);
  clocks = map;
}

static int is_wall(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE; }

static int is_forward(clockid_t clock) {
  return clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_COARSE || clock == CLOCK_MONOTONIC_RAW ||
         clock == CLOCK_BOOTTIME;
}

static const int64_t SECOND = 1000000000;

static int64_t nanoseconds(const struct timespec *time) { return time->tv_sec * SECOND + time->tv_nsec; }

static struct timespec timespec_of(int64_t nanoseconds) {
  return (struct timespec){nanoseconds / SECOND, nanoseconds % SECOND};
}

static int real_clock_gettime(clockid_t clock, struct timespec *to) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  return real(clock, to);
}

int clock_gettime(clockid_t clock, struct timespec *to) {
  int failed = real_clock_gettime(clock, to);
  if (failed || !clocks) return failed;
  if (is_wall(clock)) *to = timespec_of(clocks->wall);
  if (is_forward(clock)) *to = timespec_of(nanoseconds(to) + clocks->forward);
  return 0;
}

/* The kernel knows the real clocks only. Which one a deadline is of shows in its size: one counts from 1970. */
int pthread_cond_timedwait(pthread_cond_t *restrict cond, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict deadline) {
  static int (*wait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
  if (!wait) wait = (int (*)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *))dlsym(RTLD_NEXT, "pthread_cond_timedwait");
  struct timespec shown, real;
  clock_gettime(CLOCK_REALTIME, &shown);
  clockid_t clock = deadline->tv_sec > shown.tv_sec / 2 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  clock_gettime(clock, &shown);
  real_clock_gettime(clock, &real);
  struct timespec until = timespec_of(nanoseconds(deadline) - nanoseconds(&shown) + nanoseconds(&real));
  return wait(cond, mutex, &until);
}

int gettimeofday(struct timeval *restrict to, void *restrict zone) {
  (void)zone;
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now)) return -1;
  to->tv_sec = now.tv_sec, to->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *to) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (to) *to = now.tv_sec;
  return now.tv_sec;
}
