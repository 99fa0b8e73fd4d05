/*
 * What load.c and storm.c make of templates: requests as RouterOS sends them. TEMPLATES is a file of RADIUS packets, one after the
 * other. Every request gets a Request Authenticator of its own, so no server may take it for a repetition: a User-Password stands in
 * the template in clear text and is hidden under it, the Message-Authenticator is computed. In accounting, Acct-Status-Type,
 * Acct-Session-Id, Class and the counters are written into the template. Counters have to be the last attributes,
 * Acct-Terminate-Cause the very last one.
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
enum { IDS = 256, MAX_PACKET = 512, OPEN_SESSIONS = 1000, INTERIM_EVERY = 300 };

typedef struct {
  uint8_t **at;
  uint64_t count;
} Templates;

static uint8_t **template_at;
static uint64_t template_count;

static void fail(const char *what) {
  fprintf(stderr, "%s: %s\n", what, strerror(errno));
  exit(1);
}

static Templates read_templates(const char *path) {
  int file = open(path, O_RDONLY);
  struct stat about;
  if (file < 0 || fstat(file, &about) != 0) fail(path);
  uint8_t *bytes = malloc(about.st_size);
  for (off_t at = 0; at < about.st_size;) {
    ssize_t got = read(file, bytes + at, about.st_size - at);
    if (got <= 0) fail(path);
    at += got;
  }
  close(file);
  Templates templates = {malloc(sizeof *templates.at * (about.st_size / 20 + 1)), 0};
  for (off_t at = 0; at < about.st_size; at += bytes[at + 2] << 8 | bytes[at + 3]) templates.at[templates.count++] = bytes + at;
  return templates;
}

/* What requests are built of from now on. */
static void use_templates(const Templates *templates) { template_at = templates->at, template_count = templates->count; }

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

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000ull + time.tv_nsec;
}

/* Whether a reply verifies by the Request Authenticator of what was asked. */
static int is_genuine(uint8_t *reply, size_t length, const uint8_t *authenticator) {
  if (length < 20 || (size_t)(reply[2] << 8 | reply[3]) != length) return 0;
  uint8_t claimed[16], digest[16];
  memcpy(claimed, reply + 4, 16);
  memcpy(reply + 4, authenticator, 16);
  Md5 md5;
  md5_begin(&md5);
  md5_add(&md5, reply, length);
  md5_add(&md5, secret, secret_length);
  md5_end(&md5, digest);
  return memcmp(claimed, digest, 16) == 0;
}

/* --- the beginning --- */

static double option(int argc, char **argv, const char *name, double fallback) {
  size_t length = strlen(name);
  for (int i = 5; i < argc; i++)
    if (strncmp(argv[i], name, length) == 0 && argv[i][length] == '=') return atof(argv[i] + length + 1);
  return fallback;
}

static void begin(const char *given_secret) {
  secret = given_secret, secret_length = strlen(secret);
  if (secret_length > 64) fprintf(stderr, "the secret is longer than 64 bytes\n"), exit(2);
  hmac_prepare();
  struct timespec stamp;
  clock_gettime(CLOCK_REALTIME, &stamp);
  random_state = stamp.tv_sec * 1000000007ull ^ stamp.tv_nsec ^ (uint64_t)getpid() << 40;
  prctl(PR_SET_TIMERSLACK, 1000);
}
