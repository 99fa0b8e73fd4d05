/*
 * Load generator of scripts/bench: drives one RADIUS port over loopback and prints what came back as one line of JSON.
 *
 *   load HOST PORT SECRET TEMPLATES key=value ...
 *
 *   inflight=32     closed loop: as many requests under way at any time, once they are, 0.1 s after the beginning: all at
 *                   once would overflow the receive buffer of some servers, and stay lost for the time of a timeout
 *   rate=20000      open loop instead: requests a second, whatever comes back; latency counts from when each was due
 *   ports=8         source ports
 *   sources=0       routers, each of a source port, at 127.0.1.1 and after it, that have the templates between them; 0: one, at 127.0.0.1
 *   seconds=3       measured, after warmup=0.5 that is not
 *   first=0         where the numbers of requests begin: templates are taken in turn, accounting sessions are never reused
 *   pause=0         microseconds between two looks at the replies, so that they are taken in batches
 *   limit=0         ends after as many requests
 *   starts=0        1: of accounting nothing but the Start of a session for each template in turn
 *
 * TEMPLATES are those of packets.h. Sessions run through Start, three Interim-Updates and Stop, mixed evenly, an update never before the
 * one before it was answered.
 *
 * Every reply is checked: identifier, code, Response Authenticator. No answer within 1.1 s (RouterOS' timeout) is lost, an
 * answer after that is late.
 */
#include "packets.h"

enum { MAX_PORTS = 64, BATCH = 64 };
static const uint64_t PATIENCE = 1100000000;
/* in which a closed loop begins as many requests as it keeps under way */
static const uint64_t OPENING = 100000000;

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
  uint64_t number; /* where each port has templates of its own */
} Port;

static Port ports[MAX_PORTS];
static uint64_t sent, answered, refused, forged, lost, late, unsent, number, first_number, measure_from;
static int is_accounting, sources;

static int open_port(const struct sockaddr_in *server, uint32_t address) {
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0), size = 4 << 20;
  struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(address)};
  setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size);
  if (fd < 0 || bind(fd, (struct sockaddr *)&own, sizeof own) != 0) fail("socket");
  if (connect(fd, (const struct sockaddr *)server, sizeof *server) != 0) fail("connect");
  return fd;
}

static Request outgoing[BATCH];
static struct mmsghdr out_headers[BATCH], in_headers[BATCH];
static struct iovec out_vectors[BATCH], in_vectors[BATCH];
static uint8_t incoming[BATCH][4096];

/* Those of the router of a port, or a line would come by another router before its session has begun. */
static uint64_t own_number(Port *port) {
  uint64_t of_port = template_count / sources, own = port->number++ % of_port;
  return (port - ports) * of_port + own;
}

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
        build_access(request, port->next, sources ? own_number(port) : number);
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
  if (length < 20) return forged++, 0;
  Slot *slot = &port->slots[reply[1]];
  if (slot->state == FREE) return late++, 0;
  if (!is_genuine(reply, length, slot->authenticator)) return forged++, 0;
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

int main(int argc, char **argv) {
  if (argc < 5) return fprintf(stderr, "usage: load HOST PORT SECRET TEMPLATES [key=value ...]\n"), 2;
  begin(argv[3]);
  Templates templates = read_templates(argv[4]);
  use_templates(&templates);
  is_accounting = template_at[0][0] == ACCOUNTING_REQUEST;
  int inflight = option(argc, argv, "inflight", 32), port_count = option(argc, argv, "ports", 8);
  sources = option(argc, argv, "sources", 0);
  if (sources) port_count = sources;
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
    ports[i].fd = open_port(&server, sources ? 0x7f000101u + i : INADDR_LOOPBACK);
    epoll_ctl(epoll, EPOLL_CTL_ADD, ports[i].fd, &event);
  }
  for (int i = 0; i < BATCH; i++) {
    out_vectors[i].iov_base = outgoing[i].bytes;
    in_vectors[i] = (struct iovec){incoming[i], sizeof incoming[i]};
    out_headers[i].msg_hdr = (struct msghdr){.msg_iov = &out_vectors[i], .msg_iovlen = 1};
    in_headers[i].msg_hdr = (struct msghdr){.msg_iov = &in_vectors[i], .msg_iovlen = 1};
  }

  uint64_t began = now(), end = began + (warmup + seconds) * 1e9, swept = began, due = began;
  uint64_t apart = rate > 0 ? 1e9 / rate : 0;
  measure_from = began + warmup * 1e9;
  uint64_t answered_before = 0;
  int is_measuring = 0, turn = 0;
  /* of a closed loop: requests that are to be begun beside those that follow a reply, and when the next one may be */
  uint64_t owed = rate > 0 ? 0 : inflight, opening = began;

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
