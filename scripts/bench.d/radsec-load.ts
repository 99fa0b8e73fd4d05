import { connect, type TLSSocket } from "node:tls";
import { PacketStream } from "../../src/radius/server/radsec-stream.ts";
import type { NamedAttribute } from "../../src/radius/packet/codec.ts";
import { type Prepared, RadiusClient } from "../../test/support/radius-client.ts";
import { makeLogin } from "./data-set.ts";

/** What the load by RadSec is made of; a line of JSON on standard input. */
export interface RadsecLoad {
  readonly port: number;
  readonly work: "pap" | "accounting";
  readonly certificate: string;
  readonly key: string;
  readonly authority: string;
  readonly connections: number;
  /** On each connection. */
  readonly inflight: number;
  readonly requests: number;
  readonly subscribers: number;
  /** Sessions are never reused. */
  readonly name: string;
}

/** What came of it; a line of JSON on standard output. */
export interface RadsecOutcome {
  /** Answers a second. */
  readonly rate: number;
  readonly answered: number;
  /** Answered with something else. */
  readonly refused: number;
  /** Microseconds. */
  readonly p50: number;
  readonly p99: number;
}

const STATUS = ["Start", "Interim-Update", "Interim-Update", "Interim-Update", "Stop"] as const;

/** One connection that has so many requests under way at any time, made before, so that the load is not what is measured. */
class Connection {
  readonly #socket: TLSSocket;
  readonly #requests: readonly Prepared[];
  readonly #stream = new PacketStream();
  readonly #sent = new Float64Array(256);
  readonly #done = Promise.withResolvers<void>();
  #next = 0;
  #answered = 0;
  refused = 0;
  readonly took: number[] = [];

  constructor(socket: TLSSocket, requests: readonly Prepared[], code: number) {
    this.#socket = socket;
    this.#requests = requests;
    socket.on("data", (bytes: Buffer) => {
      const replies = this.#stream.add(bytes) ?? [];
      const at = performance.now();
      for (const reply of replies) {
        if (reply[0] !== code) this.refused++;
        this.took.push((at - (this.#sent[reply[1] ?? 0] ?? at)) * 1000);
      }
      this.#answered += replies.length;
      this.#send(replies.length);
      if (this.#answered === requests.length) this.#done.resolve();
    });
    socket.on("close", () => this.#done.reject(new Error("the server hung up")));
  }

  async run(inflight: number): Promise<void> {
    this.#send(inflight);
    await this.#done.promise;
  }

  #send(count: number): void {
    const packets = this.#requests.slice(this.#next, this.#next + count).map(({ datagram }) => datagram);
    this.#next += packets.length;
    const at = performance.now();
    for (const packet of packets) this.#sent[packet[1] ?? 0] = at;
    if (packets.length > 0) this.#socket.write(Buffer.concat(packets));
  }
}

function makeRequests({ work, requests, connections, subscribers, name }: RadsecLoad, connection: number) {
  const client = new RadiusClient({ host: "127.0.0.1", port: 1, acctPort: 2, secret: "radsec" });
  return Array.from({ length: Math.ceil(requests / connections) }, (_, i) => {
    const number = connection * requests + i;
    if (work === "pap") {
      const id = 1 + (number % subscribers);
      const { username, password } = makeLogin(id);
      return client.prepareAccess({ name: username, password, attributes: aboutLine(id) });
    }
    const id = 1 + (Math.floor(number / STATUS.length) % subscribers);
    const step = i % STATUS.length;
    return client.prepareAccounting(STATUS[step] ?? "Stop", [
      ["User-Name", makeLogin(id).username],
      ...aboutLine(id),
      ["Acct-Session-Id", `${name}-${connection}-${Math.floor(i / STATUS.length)}`],
      ["Acct-Session-Time", step * 300],
      ["Acct-Input-Octets", step * 1000],
      ["Acct-Output-Octets", step * 9000],
    ]);
  });
}

/** As the packets over UDP say it. */
function aboutLine(id: number): NamedAttribute[] {
  const hex = id.toString(16).padStart(6, "0").toUpperCase();
  return [
    ["Service-Type", "Framed-User"],
    ["Framed-Protocol", "PPP"],
    ["NAS-Port", 15_728_640 + id],
    ["NAS-Port-Type", "Ethernet"],
    ["Calling-Station-Id", `02:00:00:${hex.replace(/..(?=.)/g, "$&:")}`],
    ["Called-Station-Id", "service1"],
    ["NAS-Port-Id", "bridge1"],
    ["NAS-Identifier", "MikroTik"],
    ["NAS-IP-Address", "127.0.0.1"],
  ];
}

async function open({ port, certificate, key, authority }: RadsecLoad): Promise<TLSSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect({ host: "127.0.0.1", port, cert: certificate, key, ca: authority }, resolve);
  socket.on("error", reject);
  await promise;
  return socket;
}

async function main(): Promise<void> {
  const load: RadsecLoad = JSON.parse(await Bun.stdin.text());
  const code = load.work === "pap" ? 2 : 5;
  const all = await Promise.all(
    Array.from(
      { length: load.connections },
      async (_, i) => new Connection(await open(load), makeRequests(load, i), code),
    ),
  );
  const began = performance.now();
  await Promise.all(all.map((one) => one.run(load.inflight)));
  const seconds = (performance.now() - began) / 1000;
  const took = all.flatMap((one) => one.took).toSorted((a, b) => a - b);
  const outcome: RadsecOutcome = {
    rate: took.length / seconds,
    answered: took.length,
    refused: all.reduce((sum, { refused }) => sum + refused, 0),
    p50: took[Math.floor(took.length / 2)] ?? 0,
    p99: took[Math.floor(took.length * 0.99)] ?? 0,
  };
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
  process.exit(0);
}

if (import.meta.main) await main();
