import { join } from "node:path";
import { RadiusClient } from "../../support/radius-client.ts";
import { loginOf, SECRET, STAFF, type Target } from "../target.ts";
import { Honest } from "./honest.ts";
import type { Order } from "./hostile.ts";
import type { LoginOutcome } from "./hostile-logins.ts";
import type { UdpOutcome } from "./hostile-udp.ts";
import { type Notes, format } from "../notes.ts";
import { RawConnection } from "../raw-http.ts";

/** Bytes resident above which somebody fills the memory. */
const MEMORY = 400e6;

export interface Storm {
  /** Of hostile datagrams. */
  readonly seconds: number;
  readonly rate: number;
  readonly attempts: number;
  /** Seconds that they may take at the most. */
  readonly guessing: number;
  /** Slow clients, and clients that send a megabyte and do not end it. */
  readonly slow: number;
  readonly seed: number;
  /** Milliseconds between the honest client's calls. */
  readonly pace: number;
  /** Of the honest client: how often it asks over RADIUS, and how often it comes again when it is told to. */
  readonly tries: number;
  readonly comesAgain: number;
  /** Guesses that may hear nothing, as a share of all: more where the machine does other things. */
  readonly unheard: number;
}

/** Everything at once, and an honest client in the middle of it. */
export async function storm(target: Target, notes: Notes, extent: Storm): Promise<void> {
  const honest = new Honest(target, notes, extent);
  await honest.begin();
  const before = target.used();
  const began = performance.now();
  let isOver = false;
  let peak = before.memory;
  const calls = honest.call(extent.pace, () => isOver);
  const watch = setInterval(() => (peak = Math.max(peak, target.used().memory)), 250);
  const slow = new SlowClients();
  try {
    const [udp, logins] = await Promise.all([
      order<UdpOutcome>(await udpOrder(target, extent)),
      order<LoginOutcome>(loginOrder(target, extent)),
      slow.open(target, extent.slow),
    ]);
    judgeUdp(notes, udp, extent);
    judgeLogins(notes, logins, extent);
  } finally {
    isOver = true;
    await calls;
    slow.judge(notes);
    clearInterval(watch);
  }
  const seconds = (performance.now() - began) / 1000;
  honest.report();
  const cpu = ((target.used().cpu - before.cpu) / seconds).toFixed(2);
  notes.expect(peak < MEMORY, `the server took ${Math.round(peak / 1e6)} MB`);
  notes.figure(
    "memory of the server, idle and at its peak meanwhile",
    `${Math.round(before.memory / 1e6)} and ${Math.round(peak / 1e6)} MB`,
  );
  notes.figure("processors that the server used meanwhile", cpu);
}

async function order<T>(order: Order): Promise<T> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "hostile.ts")], {
    stdin: new Blob([JSON.stringify(order)]),
    stdout: "pipe",
    stderr: "pipe",
  });
  try {
    const [text, errors, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    if (code !== 0) throw new Error(`the attacker ended with ${code}: ${errors}`);
    return JSON.parse(text);
  } finally {
    child.kill();
  }
}

async function udpOrder(target: Target, { seconds, rate, seed }: Storm): Promise<Order> {
  const { auth, acct } = target;
  const client = new RadiusClient({ host: "127.0.0.1", port: auth, acctPort: acct, secret: SECRET });
  const user = { name: loginOf(1).username, password: "guessed" }; // who has the password gets in, as he should
  const session = [
    ["User-Name", user.name],
    ["Acct-Session-Id", "8f000001"],
    ["Acct-Session-Time", 60],
    ["Acct-Output-Octets", 4_000_000],
  ] as const;
  const packets = [
    client.prepareAccess(user),
    client.prepareAccess({ ...user, method: "chap" }),
    client.prepareAccess({ ...user, method: "mschapv2" }),
    client.prepareAccess({
      ...user,
      messageAuthenticator: false,
      attributes: [["Proxy-State", Buffer.from("x")]],
    }),
    client.prepareAccounting("Start", session),
    client.prepareAccounting("Stop", session),
    client.prepareAccounting("Accounting-Off", []),
  ];
  await client.close();
  return {
    kind: "udp",
    auth,
    acct,
    seconds,
    rate,
    seed,
    sources: 1000,
    genuine: packets.map(({ datagram }) => datagram.toString("hex")),
  };
}

function loginOrder(target: Target, { attempts, guessing, seed }: Storm): Order {
  return {
    kind: "logins",
    lan: target.lan,
    public: target.public,
    attempts,
    seconds: guessing,
    seed,
    sources: 200,
    subscribers: Array.from({ length: 400 }, (_, i) => loginOf(i + 1).username),
    staff: ["ada", ...STAFF.map(({ username }) => username)],
  };
}

/** Nobody but routers that need not prove their packets hears anything, and what they hear is no. */
function judgeUdp(notes: Notes, { sent, replies }: UdpOutcome, { seconds, rate }: Storm): void {
  const REJECT = 3;
  let rejects = 0;
  for (const [to, count] of Object.entries(replies)) {
    const [network, code] = to.split(" ");
    if (network === "127.33" && Number(code) === REJECT) rejects += count;
    else
      notes.fault(
        `${count} replies with code ${code} went to ${network}.0.0/16, which has no secret of ours`,
      );
  }
  notes.expect(sent > seconds * rate * 0.05, `only ${sent} hostile datagrams were sent`);
  const refused = `${format(sent)} from 1,000 sources in ${Math.round(seconds)} s`;
  notes.figure("hostile datagrams", refused);
  notes.figure(
    "of them let in or booked (routers set to need no Message-Authenticator heard a reject)",
    `0 (${format(rejects)})`,
  );
}

function judgeLogins(notes: Notes, { attempts, seconds, statuses }: LoginOutcome, requests: Storm): void {
  const refusals = ["401", "429", "503"];
  const { none = 0, ...answers } = statuses;
  for (const [status, count] of Object.entries(answers))
    notes.expect(refusals.includes(status), `${count} guesses at passwords got ${status}`);
  // who fails most waits longest, and a connection that hears nothing for half a minute is closed
  notes.expect(none <= 10 + attempts * requests.unheard, `${none} guesses at passwords got no answer`);
  notes.expect(attempts > requests.attempts / 100, `only ${attempts} guesses were made`);
  notes.figure(
    "guesses at passwords from 200 addresses, let in",
    `0 of ${format(attempts)} in ${Math.round(seconds)} s`,
  );
  notes.figure(
    "of them refused: wrong, stopped by the limit, too many at once",
    refusals.map((status) => format(statuses[status] ?? 0)).join(", "),
  );
}

/** Moments of performance.now(). */
interface SlowClient {
  readonly connection: RawConnection;
  readonly opened: number;
  ended: number | undefined;
}

/** Clients that never come to an end: each holds a connection for as long as it is let. */
class SlowClients {
  readonly #connections: SlowClient[] = [];
  readonly #drip: Timer;

  constructor() {
    this.#drip = setInterval(() => {
      for (const { connection } of this.#connections)
        if (!connection.socket.destroyed) connection.socket.write("a");
    }, 2000);
  }

  async open(target: Target, count: number): Promise<void> {
    const post =
      "POST /api/v1/subscriber/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1048000\r\n\r\n";
    const starts = [
      "GET /portal HTTP/1.1\r\nHost: x\r\nX-A: ",
      "G",
      `${post}{`,
      post + "a".repeat(1_000_000),
    ];
    for (let i = 0; i < count; i++) {
      const port = i % 2 === 0 ? target.public : target.lan;
      const connection = await RawConnection.open({ port, from: `127.2.${i >> 8}.${i & 255 || 1}` });
      const slow: SlowClient = { connection, opened: performance.now(), ended: undefined };
      this.#connections.push(slow);
      connection.socket.on("close", () => (slow.ended = performance.now()));
      connection.socket.write(starts[i % starts.length] ?? "");
      if (i % 20 === 0) await Bun.sleep(10);
    }
  }

  /** Nobody keeps a connection for a minute by sending next to nothing. */
  judge(notes: Notes): void {
    clearInterval(this.#drip);
    const now = performance.now();
    const kept = this.#connections.filter(({ opened, ended = now }) => ended - opened > 60_000);
    notes.expect(kept.length === 0, `${kept.length} slow clients kept their connections for a minute`);
    const ages = this.#connections.flatMap(({ opened, ended }) =>
      ended === undefined ? [] : [(ended - opened) / 1000],
    );
    const longest =
      ages.length === 0 ? "none yet" : `${ages.length}, the last after ${Math.max(...ages).toFixed(0)} s`;
    notes.figure(
      `of ${format(this.#connections.length)} slow clients, a quarter with a megabyte each, cut off meanwhile`,
      longest,
    );
    for (const { connection } of this.#connections) connection[Symbol.dispose]();
  }
}
