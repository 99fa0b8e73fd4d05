/*
 * Load generator of scripts/bench: drives one RADIUS port over loopback and prints what came back as one line of JSON.
 *
 *   load HOST PORT SECRET TEMPLATES key=value ...
 *
 *   inflight=32     closed loop: as many requests under way at any time, once they are, 0.1 s after the beginning: all at
 *                   once would overflow the receive buffer of some servers, and stay lost for the time of a timeout
 *   rate=20000      open loop instead: requests a second, whatever comes back; latency counts from when each was due
 *   ports=8         source ports
 *   seconds=3       measured, after warmup=0.5 that is not
 *   first=0         where the numbers of requests begin: templates are taken in turn, accounting sessions are never reused
 *   pause=0         microseconds between two looks at the replies, so that they are taken in batches
 *   limit=0         ends after as many requests
 *   starts=0        1: of accounting nothing but the Start of a session for each template in turn
 *
 * TEMPLATES is a file of RADIUS packets, one after the other. Every request gets a Request Authenticator of its own, so no
 * server may take it for a repetition: a User-Password stands in the template in clear text and is hidden under it, the
 * Message-Authenticator is computed. In accounting, Acct-Status-Type, Acct-Session-Id, Class and the counters are written
 * into the template: sessions run through Start, three Interim-Updates and Stop, mixed evenly, an update never before the one
 * before it was answered. Counters have to be the last attributes, Acct-Terminate-Cause the very last one.
 *
 * Every reply is checked: identifier, code, Response Authenticator. No answer within 1.1 s (RouterOS' timeout) is lost, an
 * answer after that is late.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* --- MD5 (RFC 1321) and HMAC-MD5 (RFC 2104) --- */

typedef struct {
  uint32_t state[4];
  uint64_t length;
  uint8_t block[64];
} Md5;

static const uint32_t sines[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501, 0x698098d8, 0x8b44f7af,
    0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa,
    0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8, 0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8,
    0x676f02d9, 0x8d2a4c8a, 0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665, 0xf4292244, 0x432aff97,
    0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1, 0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1,
    0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};
static const uint8_t shifts[16] = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};

static void md5_block(uint32_t state[4], const uint8_t *block) {
  uint32_t words[16], a = state[0], b = state[1], c = state[2], d = state[3];
  memcpy(words, block, 64);
#define STEP(i, f, g)                                                     \
  do {                                                                    \
    uint32_t sum = a + (f) + sines[i] + words[(g) & 15];                  \
    uint8_t by = shifts[((i) >> 4) * 4 + ((i) & 3)];                      \
    a = d, d = c, c = b, b += sum << by | sum >> (32 - by);               \
  } while (0)
#pragma GCC unroll 16
  for (int i = 0; i < 16; i++) STEP(i, d ^ (b & (c ^ d)), i);
#pragma GCC unroll 16
  for (int i = 16; i < 32; i++) STEP(i, c ^ (d & (b ^ c)), 5 * i + 1);
#pragma GCC unroll 16
  for (int i = 32; i < 48; i++) STEP(i, b ^ c ^ d, 3 * i + 5);
#pragma GCC unroll 16
  for (int i = 48; i < 64; i++) STEP(i, c ^ (b | ~d), 7 * i);
  state[0] += a, state[1] += b, state[2] += c, state[3] += d;
}

static void md5_begin(Md5 *md5) {
  static const uint32_t initial[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  memcpy(md5->state, initial, 16);
  md5->length = 0;
}

static void md5_add(Md5 *md5, const void *bytes, size_t length) {
  const uint8_t *from = bytes;
  while (length > 0) {
    size_t at = md5->length & 63, part = 64 - at < length ? 64 - at : length;
    memcpy(md5->block + at, from, part);
    md5->length += part, from += part, length -= part;
    if ((md5->length & 63) == 0) md5_block(md5->state, md5->block);
  }
}

static void md5_end(Md5 *md5, uint8_t digest[16]) {
  uint64_t bits = md5->length * 8;
  static const uint8_t padding[64] = {0x80};
  size_t at = md5->length & 63;
  md5_add(md5, padding, at < 56 ? 56 - at : 120 - at);
  md5_add(md5, &bits, 8);
  memcpy(digest, md5->state, 16);
}

static const char *secret;
static size_t secret_length;
static Md5 hmac_inner, hmac_outer;

static void hmac_prepare(void) {
  uint8_t key[64];
  for (int outer = 0; outer < 2; outer++) {
    memset(key, 0, 64);
    memcpy(key, secret, secret_length);
    for (int i = 0; i < 64; i++) key[i] ^= outer ? 0x5c : 0x36;
    Md5 *md5 = outer ? &hmac_outer : &hmac_inner;
    md5_begin(md5);
    md5_add(md5, key, 64);
  }
}

static void hmac(const uint8_t *bytes, size_t length, uint8_t digest[16]) {
  Md5 md5 = hmac_inner;
  md5_add(&md5, bytes, length);
  md5_end(&md5, digest);
  md5 = hmac_outer;
  md5_add(&md5, digest, 16);
  md5_end(&md5, digest);
}

/* --- requests --- */

enum { ACCESS_REQUEST = 1, ACCESS_ACCEPT = 2, ACCOUNTING_REQUEST = 4, ACCOUNTING_RESPONSE = 5 };
enum { USER_PASSWORD = 2, CLASS = 25, STATUS_TYPE = 40, INPUT_OCTETS = 42, OUTPUT_OCTETS = 43, SESSION_ID = 44 };
enum { SESSION_TIME = 46, TERMINATE_CAUSE = 49, MESSAGE_AUTHENTICATOR = 80 };
enum { MAX_PORTS = 64, IDS = 256, MAX_PACKET = 512, BATCH = 64, OPEN_SESSIONS = 1000, INTERIM_EVERY = 300 };
static const uint64_t PATIENCE = 1100000000;
/* in which a closed loop begins as many requests as it keeps under way */
static const uint64_t OPENING = 100000000;

static uint8_t *templates, **template_at;
static uint64_t template_count;

static void fail(const char *what) {
  fprintf(stderr, "load: %s: %s\n", what, strerror(errno));
  exit(1);
}

static void read_templates(const char *path) {
  int file = open(path, O_RDONLY);
  struct stat about;
  if (file < 0 || fstat(file, &about) != 0) fail(path);
  templates = malloc(about.st_size);
  for (off_t at = 0; at < about.st_size;) {
    ssize_t got = read(file, templates + at, about.st_size - at);
    if (got <= 0) fail(path);
    at += got;
  }
  close(file);
  template_at = malloc(sizeof *template_at * (about.st_size / 20 + 1));
  for (off_t at = 0; at < about.st_size; at += templates[at + 2] << 8 | templates[at + 3])
    template_at[template_count++] = templates + at;
}

static uint64_t random_state;
static uint64_t random64(void) { /* splitmix64 */
  uint64_t z = (random_state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

static void put32(uint8_t *to, uint32_t value) {
  value = htonl(value);
  memcpy(to, &value, 4);
}

typedef struct {
  uint8_t bytes[MAX_PACKET];
  size_t length;
} Request;

static void finish(Request *request, uint8_t identifier) {
  request->bytes[1] = identifier;
  request->bytes[2] = request->length >> 8, request->bytes[3] = request->length;
}

static void build_access(Request *request, uint8_t identifier, uint64_t number) {
  const uint8_t *template = template_at[number % template_count];
  request->length = template[2] << 8 | template[3];
  memcpy(request->bytes, template, request->length);
  finish(request, identifier);
  uint64_t random[2] = {random64(), random64()};
  memcpy(request->bytes + 4, random, 16);
  uint8_t *proof = NULL;
  for (size_t at = 20; at < request->length; at += request->bytes[at + 1]) {
    uint8_t *attribute = request->bytes + at;
    if (attribute[0] == MESSAGE_AUTHENTICATOR) proof = attribute + 2;
    if (attribute[0] != USER_PASSWORD) continue;
    const uint8_t *before = request->bytes + 4;
    for (int block = 2; block < attribute[1]; block += 16) {
      uint8_t pad[16];
      Md5 md5;
      md5_begin(&md5);
      md5_add(&md5, secret, secret_length);
      md5_add(&md5, before, 16);
      md5_end(&md5, pad);
      for (int i = 0; i < 16; i++) attribute[block + i] ^= pad[i];
      before = attribute + block;
    }
  }
  if (proof) {
    uint8_t digest[16];
    memset(proof, 0, 16);
    hmac(request->bytes, request->length, digest);
    memcpy(proof, digest, 16);
  }
}

static int only_starts;

/* Requests come in rounds: each starts OPEN_SESSIONS sessions, updates those of the last three, ends those before. */
static int build_accounting(Request *request, uint8_t identifier, uint64_t number) {
  static const uint32_t statuses[5] = {1, 3, 3, 3, 2};
  uint64_t round = number / (5 * OPEN_SESSIONS), place = number % (5 * OPEN_SESSIONS), age = place % 5;
  if (only_starts) age = 0;
  if (age > round) return 0;
  uint64_t session = only_starts ? number : (round - age) * OPEN_SESSIONS + place / 5;
  const uint8_t *template = template_at[session % template_count];
  size_t length = template[2] << 8 | template[3];
  memcpy(request->bytes, template, length);
  for (size_t at = 20; at < length; at += request->bytes[at + 1]) {
    uint8_t *attribute = request->bytes + at;
    char name[17];
    switch (attribute[0]) {
      case STATUS_TYPE: put32(attribute + 2, statuses[age]); break;
      case SESSION_ID:
        snprintf(name, sizeof name, "81%0*llx", attribute[1] - 4, (unsigned long long)session);
        memcpy(attribute + 2, name, attribute[1] - 2);
        break;
      case CLASS: memcpy(attribute + 2, &session, 8); break;
      case SESSION_TIME: put32(attribute + 2, age * INTERIM_EVERY); break;
      case INPUT_OCTETS: put32(attribute + 2, age * 1000000 + session % 1000); break;
      case OUTPUT_OCTETS: put32(attribute + 2, age * 20000000 + session % 1000); break;
    }
    /* a Start has no counters yet, only a Stop has a cause */
    if ((attribute[0] == SESSION_TIME && age == 0) || (attribute[0] == TERMINATE_CAUSE && age < 4)) {
      length = at;
      break;
    }
  }
  request->length = length;
  finish(request, identifier);
  memset(request->bytes + 4, 0, 16);
  Md5 md5;
  md5_begin(&md5);
  md5_add(&md5, request->bytes, length);
  md5_add(&md5, secret, secret_length);
  md5_end(&md5, request->bytes + 4);
  return 1;
}

/* --- latencies: buckets of 1/64 of a power of two --- */

static uint64_t buckets[64 * 64], measured, slowest;

static void record(uint64_t nanoseconds) {
  uint64_t value = nanoseconds < 64 ? 64 : nanoseconds;
  int power = 63 - __builtin_clzll(value);
  buckets[power * 64 + (value >> (power - 6) & 63)]++;
  measured++;
  if (nanoseconds > slowest) slowest = nanoseconds;
}

static double percentile(double share) { /* microseconds */
  uint64_t wanted = measured * share, seen = 0;
  for (int i = 0; i < 64 * 64; i++) {
    seen += buckets[i];
    if (seen > wanted) return (double)((64ull + (i & 63)) << (i / 64)) / 64 / 1000;
  }
  return slowest / 1000.0;
}

/* --- the loop --- */

typedef struct {
  enum { FREE, WAITING, LOST } state;
  uint64_t at;
  uint8_t authenticator[16];
} Slot;

typedef struct {
  int fd;
  Slot slots[IDS];
  uint8_t next; /* identifiers are taken in turn, so that a late reply meets a slot that still knows it */
  int under_way;
} Port;

static Port ports[MAX_PORTS];
static uint64_t sent, answered, refused, forged, lost, late, unsent, number, first_number, measure_from;
static int is_accounting;

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000ull + time.tv_nsec;
}

static int open_port(const struct sockaddr_in *server) {
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0), size = 4 << 20;
  struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size);
  if (fd < 0 || bind(fd, (struct sockaddr *)&own, sizeof own) != 0) fail("socket");
  if (connect(fd, (const struct sockaddr *)server, sizeof *server) != 0) fail("connect");
  return fd;
}

static Request outgoing[BATCH];
static struct mmsghdr out_headers[BATCH], in_headers[BATCH];
static struct iovec out_vectors[BATCH], in_vectors[BATCH];
static uint8_t incoming[BATCH][4096];

/* Sends up to `wanted` requests from a port; those of an open loop were due at `due`, `apart` from each other. */
static void send_some(Port *port, int wanted, uint64_t due, uint64_t apart) {
  while (wanted > 0) {
    int count = 0;
    uint64_t at = due ? due : now();
    while (count < BATCH && wanted > 0) {
      if (port->under_way == IDS) {
        unsent += wanted;
        wanted = 0;
        break;
      }
      while (port->slots[port->next].state == WAITING) port->next++;
      Slot *slot = &port->slots[port->next];
      Request *request = &outgoing[count];
      if (is_accounting)
        while (!build_accounting(request, port->next, number)) number++;
      else
        build_access(request, port->next, number);
      number++;
      memcpy(slot->authenticator, request->bytes + 4, 16);
      slot->state = WAITING, slot->at = at;
      if (due) at = due += apart;
      port->next++, port->under_way++, wanted--;
      out_vectors[count].iov_len = request->length;
      count++;
    }
    for (int done = 0; done < count;) {
      int now_done = sendmmsg(port->fd, out_headers + done, count - done, 0);
      if (now_done < 0 && errno != EAGAIN && errno != ECONNREFUSED && errno != ENOBUFS) fail("sendmmsg");
      if (now_done > 0) done += now_done;
    }
    sent += count;
  }
}

/* Takes a reply; 1 when it ends a request that was under way. */
static int take(Port *port, uint8_t *reply, size_t length, uint64_t at) {
  if (length < 20 || (size_t)(reply[2] << 8 | reply[3]) != length) return forged++, 0;
  Slot *slot = &port->slots[reply[1]];
  if (slot->state == FREE) return late++, 0;
  uint8_t claimed[16], digest[16];
  memcpy(claimed, reply + 4, 16);
  memcpy(reply + 4, slot->authenticator, 16);
  Md5 md5;
  md5_begin(&md5);
  md5_add(&md5, reply, length);
  md5_add(&md5, secret, secret_length);
  md5_end(&md5, digest);
  if (memcmp(claimed, digest, 16) != 0) return forged++, 0;
  int was_lost = slot->state == LOST;
  slot->state = FREE;
  if (was_lost) return late++, 0;
  port->under_way--;
  if (reply[0] == (is_accounting ? ACCOUNTING_RESPONSE : ACCESS_ACCEPT)) answered++;
  else refused++;
  if (slot->at >= measure_from) record(at - slot->at);
  return 1;
}

static int receive_some(Port *port) {
  int ended = 0;
  for (;;) {
    int count = recvmmsg(port->fd, in_headers, BATCH, MSG_DONTWAIT, NULL);
    if (count <= 0) return ended;
    uint64_t at = now();
    for (int i = 0; i < count; i++) ended += take(port, incoming[i], in_headers[i].msg_len, at);
    if (count < BATCH) return ended;
  }
}

static int give_up(Port *port, uint64_t at) {
  int ended = 0;
  for (int i = 0; i < IDS; i++) {
    if (port->slots[i].state != WAITING || at < port->slots[i].at + PATIENCE) continue;
    port->slots[i].state = LOST;
    port->under_way--, ended++, lost++;
  }
  return ended;
}

static double option(int argc, char **argv, const char *name, double fallback) {
  size_t length = strlen(name);
  for (int i = 5; i < argc; i++)
    if (strncmp(argv[i], name, length) == 0 && argv[i][length] == '=') return atof(argv[i] + length + 1);
  return fallback;
}

int main(int argc, char **argv) {
  if (argc < 5) return fprintf(stderr, "usage: load HOST PORT SECRET TEMPLATES [key=value ...]\n"), 2;
  secret = argv[3], secret_length = strlen(secret);
  if (secret_length > 64) return fprintf(stderr, "load: the secret is longer than 64 bytes\n"), 2;
  hmac_prepare();
  read_templates(argv[4]);
  is_accounting = templates[0] == ACCOUNTING_REQUEST;
  int inflight = option(argc, argv, "inflight", 32), port_count = option(argc, argv, "ports", 8);
  double rate = option(argc, argv, "rate", 0), seconds = option(argc, argv, "seconds", 3);
  double warmup = option(argc, argv, "warmup", 0.5);
  uint64_t pause = option(argc, argv, "pause", 0) * 1000, limit = option(argc, argv, "limit", 0);
  number = first_number = option(argc, argv, "first", 0);
  only_starts = option(argc, argv, "starts", 0);
  if (port_count > MAX_PORTS) port_count = MAX_PORTS;
  if (rate == 0 && port_count > inflight) port_count = inflight;

  struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons(atoi(argv[2]))};
  if (inet_pton(AF_INET, argv[1], &server.sin_addr) != 1) return fprintf(stderr, "load: no address: %s\n", argv[1]), 2;
  int epoll = epoll_create1(0);
  for (int i = 0; i < port_count; i++) {
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = i};
    ports[i].fd = open_port(&server);
    epoll_ctl(epoll, EPOLL_CTL_ADD, ports[i].fd, &event);
  }
  for (int i = 0; i < BATCH; i++) {
    out_vectors[i].iov_base = outgoing[i].bytes;
    in_vectors[i] = (struct iovec){incoming[i], sizeof incoming[i]};
    out_headers[i].msg_hdr = (struct msghdr){.msg_iov = &out_vectors[i], .msg_iovlen = 1};
    in_headers[i].msg_hdr = (struct msghdr){.msg_iov = &in_vectors[i], .msg_iovlen = 1};
  }
  prctl(PR_SET_TIMERSLACK, 1000);

  struct timespec stamp;
  clock_gettime(CLOCK_REALTIME, &stamp);
  random_state = stamp.tv_sec * 1000000007ull ^ stamp.tv_nsec ^ (uint64_t)getpid() << 40;
  uint64_t begin = now(), end = begin + (warmup + seconds) * 1e9, swept = begin, due = begin;
  uint64_t apart = rate > 0 ? 1e9 / rate : 0;
  measure_from = begin + warmup * 1e9;
  uint64_t answered_before = 0;
  int is_measuring = 0, turn = 0;
  /* of a closed loop: requests that are to be begun beside those that follow a reply, and when the next one may be */
  uint64_t owed = rate > 0 ? 0 : inflight, opening = begin;

  for (;;) {
    uint64_t at = now();
    if (!is_measuring && at >= measure_from) is_measuring = 1, answered_before = answered, measure_from = at;
    if (at >= end || (limit && sent >= limit)) break;
    if (rate > 0)
      for (uint64_t ready = at > due ? (at - due) / apart : 0; ready > 0; turn = (turn + 1) % port_count) {
        int part = ready > 8 ? 8 : ready; /* a few from each port in turn */
        send_some(&ports[turn], part, due, apart);
        due += part * apart, ready -= part;
      }
    for (; owed > 0 && at >= opening; turn = (turn + 1) % port_count) {
      send_some(&ports[turn], 1, 0, 0);
      owed--, opening += OPENING / inflight;
    }
    if (owed == 0) opening = at;
    struct epoll_event events[MAX_PORTS];
    int count;
    if (pause || rate > 0) {
      struct timespec nap = {0, rate > 0 && !pause ? 20000 : pause};
      nanosleep(&nap, NULL);
      count = epoll_wait(epoll, events, port_count, rate > 0 ? 0 : 1);
    } else {
      count = epoll_wait(epoll, events, port_count, 20);
    }
    for (int i = 0; i < count; i++) {
      Port *port = &ports[events[i].data.u32];
      int ended = receive_some(port);
      if (rate == 0) send_some(port, ended, 0, 0);
    }
    if (at - swept > 50000000) {
      swept = at;
      for (int i = 0; i < port_count; i++) {
        int ended = give_up(&ports[i], at);
        if (rate == 0) owed += ended;
      }
    }
  }

  uint64_t measured_until = now(), in_time = answered - answered_before;
  /* what is still under way may come within its patience */
  for (uint64_t until = measured_until + PATIENCE; now() < until;) {
    int left = 0;
    struct epoll_event events[MAX_PORTS];
    int count = epoll_wait(epoll, events, port_count, 20);
    for (int i = 0; i < count; i++) receive_some(&ports[events[i].data.u32]);
    for (int i = 0; i < port_count; i++) left += ports[i].under_way;
    if (left == 0) break;
  }
  for (int i = 0; i < port_count; i++) give_up(&ports[i], now() + PATIENCE);

  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  double took = (measured_until - measure_from) / 1e9;
  printf("{\"seconds\":%.3f,\"rate\":%.1f,\"sent\":%llu,\"answered\":%llu,\"refused\":%llu,\"forged\":%llu,\"lost\":%llu,"
         "\"late\":%llu,\"unsent\":%llu,\"p50\":%.1f,\"p90\":%.1f,\"p99\":%.1f,\"p999\":%.1f,\"max\":%.1f,\"cpu\":%.3f,\"next\":%llu}\n",
         took, in_time / took, (unsigned long long)sent, (unsigned long long)answered, (unsigned long long)refused,
         (unsigned long long)forged, (unsigned long long)lost, (unsigned long long)late, (unsigned long long)unsent,
         percentile(0.5), percentile(0.9), percentile(0.99), percentile(0.999), slowest / 1000.0,
         usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6,
         (unsigned long long)number);
  return 0;
}
