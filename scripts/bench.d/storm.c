/*
 * The storm of scripts/bench: lines of many routers come back at once, each with a login and, once it is accepted, the Start of its
 * session. Prints what came of it as one line of JSON.
 *
 *   storm HOST AUTH ACCT SECRET LOGINS STARTS key=value ...
 *
 *   lines=100000    subscribers, in turn of each router
 *   routers=20      at 127.0.1.1 and after it, each with a socket for each port of the server
 *   seconds=60      after which it ends, whoever is not online
 *
 * LOGINS and STARTS are those of packets.h, one of a line each. A router has as many requests under way as it has identifiers, 256 at
 * each port. It sends the same bytes again 300 ms after it sent them last, three times in all; what is not answered then is lost, and
 * its line asks anew once those before it have. A login takes from the first time that its line asked.
 */
#include "packets.h"

enum { TRIES = 3, MAX_ROUTERS = 200 };
static const uint64_t REPEAT = 300000000;

typedef struct {
  int is_waiting, tries;
  uint32_t line;
  uint64_t last;
  Request request;
} Slot;

/* The socket of a router at one port of the server. */
typedef struct {
  int fd, is_accounting, under_way;
  uint8_t next;
  Slot slots[IDS];
  /* lines of this router that wait for an identifier: those of `queue`, a ring of as many as there may be */
  uint32_t *queue, head, tail;
} Way;

static Way *ways; /* of each router: its logins, its Starts */
static uint32_t lines, routers, each, (*classes)[4], *class_length, online;
static uint64_t *asked; /* when each line did first */
static uint64_t refused, repeated, lost[2], began, last_online; /* logins, Starts */

static void open_way(Way *way, const char *host, int port, uint32_t router) {
  struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons(port)};
  struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000101 + router)};
  int size = 4 << 20;
  way->fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
  way->queue = malloc(sizeof *way->queue * (each + 1));
  if (inet_pton(AF_INET, host, &server.sin_addr) != 1) fail(host);
  setsockopt(way->fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size);
  if (way->fd < 0 || bind(way->fd, (struct sockaddr *)&own, sizeof own) != 0) fail("socket");
  if (connect(way->fd, (struct sockaddr *)&server, sizeof server) != 0) fail("connect");
}

static void send_slot(Way *way, Slot *slot, uint64_t at) {
  slot->last = at, slot->tries++;
  /* a full buffer of our own is a datagram that is lost on the way */
  if (send(way->fd, slot->request.bytes, slot->request.length, 0) < 0 && errno != EAGAIN && errno != ENOBUFS) fail("send");
}

/* The Class of the Accept stands where the template has one: of as many bytes, or the packet would have to be another. */
static void put_class(Request *request, uint32_t line) {
  uint8_t bytes[MAX_PACKET];
  size_t to = 20;
  memcpy(bytes, request->bytes, 20);
  for (size_t at = 20; at < request->length; at += request->bytes[at + 1]) {
    const uint8_t *attribute = request->bytes + at;
    if (attribute[0] == CLASS) {
      bytes[to] = CLASS, bytes[to + 1] = class_length[line] + 2;
      memcpy(bytes + to + 2, classes[line], class_length[line]);
      to += class_length[line] + 2;
    } else {
      memcpy(bytes + to, attribute, attribute[1]);
      to += attribute[1];
    }
  }
  memcpy(request->bytes, bytes, to);
  request->length = to;
  request->bytes[2] = to >> 8, request->bytes[3] = to;
  memset(request->bytes + 4, 0, 16);
  Md5 md5;
  md5_begin(&md5);
  md5_add(&md5, request->bytes, to);
  md5_add(&md5, secret, secret_length);
  md5_end(&md5, request->bytes + 4);
}

static void begin_some(Way *way, const Templates *from) {
  while (way->head != way->tail && way->under_way < IDS) {
    while (way->slots[way->next].is_waiting) way->next++;
    Slot *slot = &way->slots[way->next];
    uint32_t line = way->queue[way->head++ % (each + 1)];
    use_templates(from);
    if (way->is_accounting) build_accounting(&slot->request, way->next, line), put_class(&slot->request, line);
    else build_access(&slot->request, way->next, line);
    slot->is_waiting = 1, slot->tries = 0, slot->line = line;
    uint64_t at = now();
    if (asked[line] == 0) asked[line] = at;
    send_slot(way, slot, at);
    way->next++, way->under_way++;
  }
}

static void take(Way *way, uint8_t *reply, size_t length, uint64_t at) {
  Slot *slot = length < 20 ? NULL : &way->slots[reply[1]];
  /* of what was sent twice the second reply comes to an identifier that is free, or another's by now */
  if (!slot || !slot->is_waiting || !is_genuine(reply, length, slot->request.bytes + 4)) return;
  slot->is_waiting = 0, way->under_way--;
  if (way->is_accounting) {
    online++, last_online = at;
    return;
  }
  record(at - asked[slot->line]);
  if (reply[0] != ACCESS_ACCEPT) { refused++; return; }
  for (size_t place = 20; place + 2 <= length && reply[place + 1] >= 2; place += reply[place + 1]) {
    if (reply[place] != CLASS) continue;
    class_length[slot->line] = reply[place + 1] - 2 < 16 ? reply[place + 1] - 2 : 16;
    memcpy(classes[slot->line], reply + place + 2, class_length[slot->line]);
  }
  Way *starts = way + 1;
  starts->queue[starts->tail++ % (each + 1)] = slot->line;
}

static void repeat_some(Way *way, uint64_t at) {
  for (int i = 0; i < IDS; i++) {
    Slot *slot = &way->slots[i];
    if (!slot->is_waiting || at < slot->last + REPEAT) continue;
    if (slot->tries == TRIES) {
      slot->is_waiting = 0, way->under_way--, lost[way->is_accounting]++;
      way->queue[way->tail++ % (each + 1)] = slot->line;
    } else {
      repeated++;
      send_slot(way, slot, at);
    }
  }
}

int main(int argc, char **argv) {
  if (argc < 7) return fprintf(stderr, "usage: storm HOST AUTH ACCT SECRET LOGINS STARTS [key=value ...]\n"), 2;
  begin(argv[4]);
  Templates logins = read_templates(argv[5]), starts = read_templates(argv[6]);
  lines = option(argc, argv, "lines", 100000), routers = option(argc, argv, "routers", 20);
  if (routers > MAX_ROUTERS) routers = MAX_ROUTERS;
  each = (lines + routers - 1) / routers;
  uint64_t patience = option(argc, argv, "seconds", 60) * 1e9;
  only_starts = 1;
  ways = calloc(2 * routers, sizeof *ways);
  classes = calloc(lines, sizeof *classes), class_length = calloc(lines, sizeof *class_length);
  asked = calloc(lines, sizeof *asked);
  int epoll = epoll_create1(0);
  for (uint32_t i = 0; i < 2 * routers; i++) {
    ways[i].is_accounting = i & 1;
    open_way(&ways[i], argv[1], atoi(argv[i & 1 ? 3 : 2]), i / 2);
    epoll_ctl(epoll, EPOLL_CTL_ADD, ways[i].fd, &(struct epoll_event){.events = EPOLLIN, .data.u32 = i});
  }
  for (uint32_t line = 0; line < lines; line++) {
    Way *way = &ways[2 * (line % routers)];
    way->queue[way->tail++] = line;
  }
  began = now();
  uint64_t swept = began;
  while (online + refused < lines && now() < began + patience) {
    for (uint32_t i = 0; i < 2 * routers; i++) begin_some(&ways[i], i & 1 ? &starts : &logins);
    struct epoll_event events[2 * MAX_ROUTERS];
    int count = epoll_wait(epoll, events, 2 * MAX_ROUTERS, 10);
    for (int i = 0; i < count; i++) {
      uint8_t reply[4096];
      ssize_t length;
      while ((length = recv(ways[events[i].data.u32].fd, reply, sizeof reply, 0)) > 0)
        take(&ways[events[i].data.u32], reply, length, now());
    }
    uint64_t at = now();
    if (at < swept + 10000000) continue;
    swept = at;
    for (uint32_t i = 0; i < 2 * routers; i++) repeat_some(&ways[i], at);
  }
  printf("{\"lines\":%u,\"online\":%u,\"seconds\":%.3f,\"refused\":%llu,\"lost\":%llu,\"unacknowledged\":%llu,\"repeated\":%llu,\"p50\":%.1f,"
         "\"p99\":%.1f,\"max\":%.1f}\n",
         lines, online, (last_online - began) / 1e9, (unsigned long long)refused, (unsigned long long)lost[0],
         (unsigned long long)lost[1], (unsigned long long)repeated, percentile(0.5), percentile(0.99), slowest / 1000.0);
  return 0;
}
