#include "disk.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#define ARGUMENT(n) (offsetof(struct seccomp_data, args) + 8 * (n))
#define LOAD(at) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, at)
#define ASK BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF)
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define ASK_ABOUT(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1), ASK
/* only when it may change something */
#define ASK_WHEN_OPENED(call, flags)                                                                      \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4), LOAD(ARGUMENT(flags)),                                 \
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_CREAT | O_TRUNC | O_WRONLY | O_RDWR, 0, 1), ASK, ALLOW

static struct sock_filter filter[] = {
    LOAD(offsetof(struct seccomp_data, nr)),
    /* what goes to standard output and error is no file of ours */
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_write, 0, 4), LOAD(ARGUMENT(0)),
    BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, 2, 0, 1), ASK, ALLOW,
    ASK_ABOUT(__NR_pwrite64), ASK_ABOUT(__NR_writev), ASK_ABOUT(__NR_pwritev), ASK_ABOUT(__NR_pwritev2),
    ASK_ABOUT(__NR_fsync), ASK_ABOUT(__NR_fdatasync), ASK_ABOUT(__NR_ftruncate), ASK_ABOUT(__NR_fallocate),
    ASK_ABOUT(__NR_copy_file_range), ASK_ABOUT(__NR_sendfile), ASK_ABOUT(__NR_unlinkat), ASK_ABOUT(__NR_linkat),
    ASK_ABOUT(__NR_renameat2), ASK_ABOUT(__NR_mkdirat),
#ifdef __NR_renameat
    ASK_ABOUT(__NR_renameat),
#endif
    ASK_WHEN_OPENED(__NR_openat, 2),
#ifdef __NR_open
    ASK_ABOUT(__NR_unlink), ASK_ABOUT(__NR_link), ASK_ABOUT(__NR_rename), ASK_ABOUT(__NR_mkdir),
    ASK_WHEN_OPENED(__NR_open, 1),
#endif
    /* a copy by reference would pass the disk by */
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_ioctl, 0, 3), LOAD(ARGUMENT(1)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, FICLONE, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EOPNOTSUPP),
    ALLOW,
};

static int connect_to(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) != 0) fail(path);
  return fd;
}

static void hand_over(int connection, int fd) {
  char byte = 0, space[CMSG_SPACE(sizeof fd)] = {0};
  struct iovec vector = {&byte, 1};
  struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET, header->cmsg_type = SCM_RIGHTS, header->cmsg_len = CMSG_LEN(sizeof fd);
  memcpy(CMSG_DATA(header), &fd, sizeof fd);
  if (sendmsg(connection, &message, 0) != 1) fail("sendmsg");
  if (read(connection, &byte, 1) != 1) fail("the disk is gone");
}

void run_client(const char *socket_path, char **argv) {
  struct ucred disk;
  socklen_t length = sizeof disk;
  int connection = connect_to(socket_path);
  if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &disk, &length) != 0) fail("SO_PEERCRED");
  prctl(PR_SET_PTRACER, disk.pid, 0, 0, 0); /* where Yama lets only parents look into a process */
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail("no_new_privs");
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  int listener = syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
  if (listener < 0) fail("seccomp with a listener (Linux 5.5 or newer, not forbidden by a container)");
  fcntl(listener, F_SETFD, FD_CLOEXEC);
  hand_over(connection, listener);
  execv(argv[0], argv);
  fail(argv[0]);
}
