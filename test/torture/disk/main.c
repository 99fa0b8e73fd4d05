/*
 * A disk that forgets, fills up, fails and dawdles, for the programs that run on it.
 *
 *   disk serve SOCKET ROOT GRAVEYARD SEED   answers the file system calls of its clients about files under ROOT; GRAVEYARD
 *                                           is an empty folder beside it
 *   disk run SOCKET PROGRAM [ARGUMENT ...]  runs a program as a client
 *
 * A client asks the disk before each call that changes a file or a name (seccomp user notification, so also calls that do
 * not go through libc are seen), the disk does it in its place and remembers what stood there before, until it is synced: a
 * file's bytes by a sync of the file, its name by a sync of its folder. When the power fails, every client is killed, and
 * what was not synced is taken back, all of it or sector by sector as it is drawn, names in the order in which they changed.
 * SQLite's -shm is no part of this: it is never synced, and holds arbitrary bytes after a cut.
 *
 * Orders by standard input, a line each, answered by a line of JSON on standard output:
 *
 *   cut KEEP           the power fails; of what was not synced KEEP of 100 sectors stay
 *   arm CALLS KEEP     the same before the call after so many
 *   fail full|read-only|write|sync   from now on: no space, EROFS, EIO at each write, EIO at each sync
 *   slow MILLISECONDS  each sync takes so long
 *   heal               ends `fail` and `slow`
 *   count              how many calls there were
 */
#include "disk.h"
#include "calls.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

enum { MAX_CLIENTS = 256 };
static Client clients[MAX_CLIENTS];
static int client_count, keep_when_armed;

void fail(const char *what) {
  fprintf(stderr, "disk: %s: %s\n", what, strerror(errno));
  exit(1);
}

static void kill_all(void) {
  for (int i = 0; i < client_count; i++) syscall(__NR_pidfd_send_signal, clients[i].process, SIGKILL, NULL, 0);
  for (int i = 0; i < client_count; i++) {
    struct pollfd end = {.fd = clients[i].process, .events = POLLIN};
    while (poll(&end, 1, -1) < 0 && errno == EINTR) {}
  }
}

static void cut(int keep) {
  kill_all();
  Loss loss = lose_power(keep);
  printf("{\"cut\":true,\"calls\":%lu,\"writes\":%lu,\"sectors_lost\":%lu,\"names_lost\":%lu}\n", calls, loss.writes,
         loss.sectors_lost, loss.names_lost);
  exit(0);
}

static void obey(char *order) {
  long number = 0;
  char word[16] = "";
  if (sscanf(order, "cut %ld", &number) == 1) cut(number);
  else if (sscanf(order, "arm %ld %d", &calls_left, &keep_when_armed) == 2) {}
  else if (sscanf(order, "slow %d", &sync_takes) == 1) {}
  else if (sscanf(order, "fail %15s", word) == 1)
    condition = strcmp(word, "full") == 0 ? FULL
                : strcmp(word, "read-only") == 0 ? READ_ONLY
                : strcmp(word, "write") == 0 ? WRITE_ERROR : SYNC_ERROR;
  else if (strcmp(order, "heal") == 0) condition = SOUND, sync_takes = 0;
  else if (strcmp(order, "count") != 0) fprintf(stderr, "disk: unknown order: %s\n", order), exit(2);
  printf("{\"cut\":false,\"calls\":%lu}\n", calls);
}

static void take_orders(void) {
  static char line[256];
  static size_t length;
  ssize_t got = read(0, line + length, sizeof line - 1 - length);
  if (got <= 0) kill_all(), exit(0); /* whoever gave the orders is gone */
  length += got;
  for (char *end; (end = memchr(line, '\n', length));) {
    *end = 0;
    obey(line);
    length -= end + 1 - line;
    memmove(line, end + 1, length);
  }
}

static void welcome(int door) {
  int connection = accept(door, NULL, NULL), listener = -1;
  char byte, space[CMSG_SPACE(sizeof listener)];
  struct iovec vector = {&byte, 1};
  struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
  struct ucred peer;
  socklen_t length = sizeof peer;
  if (connection < 0 || getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) fail("accept");
  if (recvmsg(connection, &message, 0) == 1 && CMSG_FIRSTHDR(&message)) {
    if (client_count == MAX_CLIENTS) fail("too many clients");
    memcpy(&listener, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof listener);
    int process = syscall(__NR_pidfd_open, peer.pid, 0);
    if (process < 0) fail("pidfd_open");
    clients[client_count++] = (Client){listener, process, peer.pid};
    if (write(connection, &byte, 1) != 1) fail("a client");
  }
  close(connection);
}

static void serve(int door) {
  for (;;) {
    struct pollfd waiting[2 + MAX_CLIENTS] = {{.fd = 0, .events = POLLIN}, {.fd = door, .events = POLLIN}};
    for (int i = 0; i < client_count; i++) waiting[2 + i] = (struct pollfd){.fd = clients[i].listener, .events = POLLIN};
    if (poll(waiting, 2 + client_count, answer_syncs()) < 0 && errno != EINTR) fail("poll");
    for (int i = client_count; i-- > 0;) {
      if (waiting[2 + i].revents & POLLIN && answer_call(&clients[i])) cut(keep_when_armed);
      if (!(waiting[2 + i].revents & POLLHUP)) continue;
      close(clients[i].listener), close(clients[i].process);
      clients[i] = clients[--client_count];
    }
    if (waiting[0].revents) take_orders();
    if (waiting[1].revents) welcome(door);
  }
}

int main(int argc, char **argv) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (argc > 3 && strcmp(argv[1], "run") == 0) run_client(argv[2], argv + 3);
  if (argc != 6 || strcmp(argv[1], "serve") != 0) return fprintf(stderr, "usage: see test/torture/disk/main.c\n"), 2;
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, argv[2], sizeof address.sun_path - 1);
  root = realpath(argv[3], NULL);
  if (!root) fail(argv[3]);
  memory_begin(argv[4], strtoull(argv[5], NULL, 10));
  signal(SIGPIPE, SIG_IGN);
  int door = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (door < 0 || bind(door, (struct sockaddr *)&address, sizeof address) != 0 || listen(door, 16) != 0) fail(argv[2]);
  printf("{\"ready\":true}\n");
  serve(door);
}
