#include "disk.h"
#include "calls.h"
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

const char *root;
Condition condition;
int sync_takes;
unsigned long calls;
long calls_left = -1;

enum { PART = 1 << 22, LATE = 64 };
typedef struct seccomp_notif Call;
typedef struct {
  int listener;
  uint64_t id, due;
} Sync;
static Sync late[LATE];
static int late_count;
static uint8_t buffer[PART];

/* What became of a call: done by us, or to be done by the kernel. */
typedef struct {
  int is_ours, error;
  long value;
} Answer;
static const Answer by_kernel = {0};
static Answer refused(int error) { return (Answer){1, error, -1}; }
static Answer done(long value) { return value < 0 ? refused(errno) : (Answer){1, 0, value}; }

static void reply(int listener, uint64_t id, Answer answer) {
  struct seccomp_notif_resp response = {
      .id = id, .val = answer.is_ours ? answer.value : 0, .error = -answer.error,
      .flags = answer.is_ours ? 0 : SECCOMP_USER_NOTIF_FLAG_CONTINUE};
  if (answer.error) response.val = 0;
  /* ENOENT: the client has ended meanwhile */
  if (ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response) != 0 && errno != ENOENT) fail("an answer");
}

static int is_under_root(const char *path) {
  size_t length = strlen(root), end = strlen(path);
  if (end > 4 && strcmp(path + end - 4, "-shm") == 0) return 0;
  return strncmp(path, root, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static ssize_t read_memory(const Call *call, uint64_t at, void *to, size_t length) {
  struct iovec here = {to, length}, there = {(void *)at, length};
  return process_vm_readv(call->pid, &here, 1, &there, 1, 0);
}

/* The absolute path that a call names; 0 when it is none of ours. */
static int path_of(const Call *call, int folder, uint64_t at, char path[PATH_MAX]) {
  char given[PATH_MAX], from[64], base[PATH_MAX], whole[2 * PATH_MAX], copy[2 * PATH_MAX];
  size_t length = 0;
  while (length < PATH_MAX - 1 && !memchr(given, 0, length)) { /* a string may end before a page that is not there */
    size_t part = 4096 - (at + length) % 4096;
    if (part > PATH_MAX - 1 - length) part = PATH_MAX - 1 - length;
    if (read_memory(call, at + length, given + length, part) <= 0) return 0;
    length += part;
  }
  given[length] = 0;
  if (given[0] == '/') {
    strcpy(whole, given);
  } else {
    if (folder == AT_FDCWD) snprintf(from, sizeof from, "/proc/%d/cwd", call->pid);
    else snprintf(from, sizeof from, "/proc/%d/fd/%d", call->pid, folder);
    ssize_t got = readlink(from, base, sizeof base - 1);
    if (got < 0) return 0;
    base[got] = 0;
    snprintf(whole, sizeof whole, "%s/%s", base, given);
  }
  strcpy(copy, whole);
  char real[PATH_MAX];
  if (!realpath(dirname(copy), real)) return 0;
  strcpy(copy, whole);
  return snprintf(path, PATH_MAX, "%s/%s", real, basename(copy)) < PATH_MAX && is_under_root(path);
}

/* A descriptor of our own for one of the client's, when it is of a file or folder under the root; else -1. */
static int borrow(const Client *client, int fd, char path[PATH_MAX]) {
  int own = syscall(__NR_pidfd_getfd, client->process, fd, 0);
  if (own < 0) return -1;
  char name[64];
  struct stat about;
  snprintf(name, sizeof name, "/proc/self/fd/%d", own);
  ssize_t length = readlink(name, path, PATH_MAX - 1);
  path[length < 0 ? 0 : length] = 0;
  if (fstat(own, &about) == 0 && (S_ISREG(about.st_mode) || S_ISDIR(about.st_mode)) && is_under_root(path)) return own;
  close(own);
  return -1;
}

static int refusal_of_change(void) {
  return condition == READ_ONLY ? EROFS : condition == FULL ? ENOSPC : 0;
}

static Answer write_bytes(int fd, off_t at, const uint8_t *bytes, size_t length) {
  if (condition == WRITE_ERROR) return refused(EIO);
  if (refusal_of_change()) return refused(refusal_of_change());
  struct stat about;
  fstat(fd, &about);
  int is_appended = fcntl(fd, F_GETFL) & O_APPEND;
  off_t place = is_appended ? about.st_size : at >= 0 ? at : lseek(fd, 0, SEEK_CUR);
  note_write(fd, place, bytes, length);
  return done(at >= 0 ? pwrite(fd, bytes, length, at) : write(fd, bytes, length));
}

static Answer write_vector(const Call *call, int fd, off_t at) {
  struct iovec there[64];
  size_t count = call->data.args[2] < 64 ? call->data.args[2] : 64;
  if (read_memory(call, call->data.args[1], there, count * sizeof *there) < 0) return refused(EFAULT);
  struct iovec here = {buffer, PART};
  ssize_t got = process_vm_readv(call->pid, &here, 1, there, count, 0);
  return got < 0 ? refused(EFAULT) : write_bytes(fd, at, buffer, got);
}

static Answer write_plain(const Call *call, int fd, off_t at) {
  size_t length = call->data.args[2] < PART ? call->data.args[2] : PART;
  ssize_t got = read_memory(call, call->data.args[1], buffer, length);
  return got < 0 ? refused(EFAULT) : write_bytes(fd, at, buffer, got);
}

/* `places` are the addresses of two offsets, or 0 for where the descriptors stand. */
static Answer copy(const Client *client, const Call *call, int from, int to, const uint64_t places[2], size_t length) {
  int source = syscall(__NR_pidfd_getfd, client->process, from, 0);
  if (source < 0) return refused(EBADF);
  off_t at[2] = {-1, -1};
  for (int i = 0; i < 2; i++)
    if (places[i] && read_memory(call, places[i], &at[i], sizeof at[i]) < 0) at[i] = -1;
  if (length > PART) length = PART;
  ssize_t got = at[0] >= 0 ? pread(source, buffer, length, at[0]) : read(source, buffer, length);
  close(source);
  if (got <= 0) return done(got);
  Answer answer = write_bytes(to, at[1], buffer, got);
  for (int i = 0; i < 2 && !answer.error; i++) {
    off_t next = at[i] + answer.value;
    struct iovec here = {&next, sizeof next}, there = {(void *)places[i], sizeof next};
    if (places[i]) process_vm_writev(call->pid, &here, 1, &there, 1, 0);
  }
  return answer;
}

static Answer resize(int fd, off_t size) {
  if (condition == READ_ONLY || condition == WRITE_ERROR) return refused(EIO);
  struct stat about;
  fstat(fd, &about);
  if (condition == FULL && size > about.st_size) return refused(ENOSPC);
  note_truncate(fd, size);
  return done(ftruncate(fd, size));
}

static Answer sync_file(int fd, const char *path) {
  note_sync(fd, path, condition == SYNC_ERROR);
  return condition == SYNC_ERROR ? refused(EIO) : done(0);
}

static Answer open_file(const char *path, int flags, int *is_counted) {
  int has_changed = 0;
  if (condition == READ_ONLY) return refused(EROFS);
  if (access(path, F_OK) != 0) {
    if (!(flags & O_CREAT)) return by_kernel;
    if (refusal_of_change()) return refused(refusal_of_change());
    note_create(path);
    has_changed = 1;
  } else if (flags & O_TRUNC && !(flags & O_EXCL)) {
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0) fail(path);
    note_truncate(fd, 0);
    close(fd);
    has_changed = 1;
  }
  *is_counted = has_changed;
  return by_kernel;
}

static Answer change_names(int number, const char *path, const char *to, mode_t mode) {
  int refusal = refusal_of_change();
  if (refusal == EROFS) return refused(refusal);
  switch (number) {
    case __NR_mkdirat:
      if (access(path, F_OK) == 0) return refused(EEXIST);
      if (refusal) return refused(refusal);
      note_mkdir(path);
      return done(mkdir(path, mode));
    case __NR_linkat:
      if (access(to, F_OK) == 0) return refused(EEXIST);
      note_link(to);
      return done(link(path, to));
    case __NR_unlinkat:
      if (access(path, F_OK) != 0) return refused(errno);
      note_unlink(path);
      return done(unlink(path));
    default:
      if (access(path, F_OK) != 0) return refused(errno);
      note_rename(path, to);
      return done(rename(path, to));
  }
}

/* A call on names in its general form: which one, and where its arguments are. */
typedef struct {
  int number, folder, path, to_folder, to, mode; /* indices of arguments; -1: none */
} Shape;

static Shape shape_of(int number) {
  switch (number) {
#ifdef __NR_open
    case __NR_open: return (Shape){__NR_openat, -1, 0, -1, -1, 1};
    case __NR_mkdir: return (Shape){__NR_mkdirat, -1, 0, -1, -1, 1};
    case __NR_link: return (Shape){__NR_linkat, -1, 0, -1, 1, -1};
    case __NR_unlink: return (Shape){__NR_unlinkat, -1, 0, -1, -1, -1};
    case __NR_rename: return (Shape){__NR_renameat2, -1, 0, -1, 1, -1};
#endif
#ifdef __NR_renameat
    case __NR_renameat:
#endif
    case __NR_renameat2: return (Shape){__NR_renameat2, 0, 1, 2, 3, -1};
    case __NR_openat: return (Shape){__NR_openat, 0, 1, -1, -1, 2};
    case __NR_mkdirat: return (Shape){__NR_mkdirat, 0, 1, -1, -1, 2};
    case __NR_linkat: return (Shape){__NR_linkat, 0, 1, 2, 3, -1};
    case __NR_unlinkat: return (Shape){__NR_unlinkat, 0, 1, -1, -1, 2};
    default: return (Shape){-1, -1, -1, -1, -1, -1};
  }
}

static int folder_in(const Call *call, int argument) {
  return argument < 0 ? AT_FDCWD : (int)call->data.args[argument];
}

static int is_cut(void) { return calls_left >= 0 && calls_left-- == 0; }

/* 1 when the power is to fail before the call. */
static int answer_naming(const Call *call, Shape shape, Answer *answer) {
  char path[PATH_MAX], to[PATH_MAX] = "";
  if (!path_of(call, folder_in(call, shape.folder), call->data.args[shape.path], path)) return 0;
  if (shape.to >= 0 && !path_of(call, folder_in(call, shape.to_folder), call->data.args[shape.to], to)) return 0;
  uint64_t mode = shape.mode < 0 ? 0 : call->data.args[shape.mode];
  if (shape.number == __NR_unlinkat && mode & AT_REMOVEDIR) return 0;
  if (shape.number == __NR_openat) {
    int is_counted = 0;
    *answer = open_file(path, mode, &is_counted);
    calls += is_counted;
    return is_counted && is_cut();
  }
  calls++;
  if (is_cut()) return 1;
  *answer = change_names(shape.number, path, to, mode);
  return 0;
}

static Answer answer_file(const Client *client, const Call *call, int fd, const char *path) {
  const uint64_t *of = (const uint64_t *)call->data.args;
  switch (call->data.nr) {
    case __NR_write: return write_plain(call, fd, -1);
    case __NR_pwrite64: return write_plain(call, fd, of[3]);
    case __NR_writev: return write_vector(call, fd, -1);
    case __NR_pwritev:
    case __NR_pwritev2: return write_vector(call, fd, (off_t)of[3]);
    case __NR_ftruncate: return resize(fd, of[1]);
    case __NR_fallocate: return of[1] == 0 ? resize(fd, of[2] + of[3]) : refused(EOPNOTSUPP);
    case __NR_copy_file_range: return copy(client, call, of[0], fd, (uint64_t[2]){of[1], of[3]}, of[4]);
    case __NR_sendfile: return copy(client, call, of[1], fd, (uint64_t[2]){of[2], 0}, of[3]);
    default: return sync_file(fd, path);
  }
}

static uint64_t milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000ull + now.tv_nsec / 1000000;
}

int answer_call(const Client *client) {
  Call call = {0};
  if (ioctl(client->listener, SECCOMP_IOCTL_NOTIF_RECV, &call) != 0) return 0; /* ended before we took it */
  Answer answer = by_kernel;
  Shape shape = shape_of(call.data.nr);
  if (shape.number >= 0) {
    if (answer_naming(&call, shape, &answer)) return 1;
  } else {
    char path[PATH_MAX];
    int fd = borrow(client, call.data.args[call.data.nr == __NR_copy_file_range ? 2 : 0], path);
    if (fd >= 0) {
      calls++;
      if (is_cut()) return 1;
      answer = answer_file(client, &call, fd, path);
      close(fd);
      int is_sync = call.data.nr == __NR_fsync || call.data.nr == __NR_fdatasync;
      if (is_sync && sync_takes > 0 && late_count < LATE && !answer.error) {
        late[late_count++] = (Sync){client->listener, call.id, milliseconds() + sync_takes};
        return 0;
      }
    }
  }
  reply(client->listener, call.id, answer);
  return 0;
}

int answer_syncs(void) {
  uint64_t now = milliseconds(), next = UINT64_MAX;
  for (int i = late_count; i-- > 0;) {
    if (late[i].due <= now) {
      reply(late[i].listener, late[i].id, done(0));
      late[i] = late[--late_count];
    } else if (late[i].due < next) {
      next = late[i].due;
    }
  }
  return next == UINT64_MAX ? -1 : (int)(next - now);
}
