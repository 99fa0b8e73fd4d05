import { Database } from "bun:sqlite";
import { join } from "node:path";
import type { NamedAttribute } from "../src/radius/packet/codec.ts";
import { FakeNas, type FakeNasBehaviour, type NasRequest } from "../test/support/fake-nas.ts";
import { RadiusClient } from "../test/support/radius-client.ts";
import { INTERIM, routers } from "./demo.d/people.ts";

/*
 * The routers of the demo ISP, which report its open sessions as real ones do, so that lines are online, rates move and nobody is silent, for
 * as long as the server runs: demo-routers.ts FOLDER ACCOUNTING-ADDRESS PID-OF-THE-SERVER
 */

const COA_PORT = 3799;
/** RFC 5176 section 2.3, and Acct-Session-Id. */
const DISCONNECT = 40;
const SESSION_ID = 44;

interface Line {
  readonly session: string;
  readonly username: string;
  readonly nasAddress: string;
  readonly mac: string | null;
  readonly ip: string | null;
  readonly class: Uint8Array | null;
  readonly startedAt: number;
  readonly input: number;
  readonly output: number;
  readonly heardAt: number;
  /** Bits a second, and how many its package gives it. */
  readonly rate: number | null;
  readonly most: number;
}

const [folder = "", address = "", pid = ""] = process.argv.slice(2);
const at = /^(.*):(\d+)$/.exec(address);
if (!at) throw new Error("usage: scripts/demo-routers.ts FOLDER ADDRESS:PORT PID");
const clients = new Map(
  routers.map((router) => [
    router.address as string,
    new RadiusClient({
      host: "127.0.0.1",
      port: 0,
      acctPort: Number(at[2]),
      secret: "testing123",
      timeout: 3000,
      localAddress: router.address,
    }),
  ]),
);
const isServing = (): boolean => {
  try {
    return process.kill(Number(pid), 0);
  } catch {
    return false;
  }
};

/** Where routers are asked to end a session or to change it; a port that is taken is somebody else's. */
const answers = await Promise.allSettled(
  routers.map((router) =>
    FakeNas.start(makeAnswer(router.address), { address: router.address, port: COA_PORT }),
  ),
);

/** Once around in an interim interval, each session in its turn. */
while (isServing()) {
  const begun = Date.now();
  const lines = openLines();
  for (const [nth, line] of lines.entries()) {
    const due = begun + (nth * INTERIM * 1000) / lines.length;
    await Bun.sleep(Math.max(0, due - Date.now()));
    if (!isServing()) break;
    await report(line);
  }
  await Bun.sleep(Math.max(1000, begun + INTERIM * 1000 - Date.now()));
}
for (const one of answers) if (one.status === "fulfilled") one.value[Symbol.dispose]();
for (const client of clients.values()) await client.close();

/** Acknowledges all of it; of a session that is to end its Stop follows. */
function makeAnswer(address: string): (request: NasRequest) => FakeNasBehaviour {
  return ({ code, attributes }) => {
    const line =
      code === DISCONNECT ? openLines().find((one) => isNamed(one, address, attributes)) : undefined;
    if (line) setTimeout(() => void report(line, "Stop"), 200);
    return { answer: "ack" };
  };
}

function isNamed(line: Line, address: string, attributes: NasRequest["attributes"]): boolean {
  const hex = Buffer.from(line.session).toString("hex");
  return (
    line.nasAddress === address && attributes.some(([type, value]) => type === SESSION_ID && value === hex)
  );
}

function openLines(): Line[] {
  const db = new Database(join(folder, "gatehouse.db"), { readonly: true });
  try {
    return db
      .query<Line, []>(
        `SELECT acct_session_id AS session, o.username, nas_address AS nasAddress, mac, framed_ip AS ip, class, started_at AS startedAt,
           o.updated_at AS heardAt, counter_input AS input, counter_output AS output, rate_output AS rate,
           1e6 * coalesce(CAST(v.rate_limit AS INTEGER), 10) AS most
         FROM sessions o LEFT JOIN services v ON v.subscriber_id = o.subscriber_id
         WHERE stopped_at IS NULL AND card_id IS NULL AND acct_session_id GLOB '8*' ORDER BY o.id * 7919 % 10007`,
      )
      .all();
  } finally {
    db.close();
  }
}

async function report(line: Line, status: "Interim-Update" | "Stop" = "Interim-Update"): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  // around what it was, so that pages have something to draw
  const rate = Math.min(line.most * 0.97, (line.rate ?? 1e6) * (0.6 + Math.random() * 0.8));
  const octets = Math.round((rate * Math.max(0, now - line.heardAt)) / 8);
  const counters = [
    ["Input", line.input + Math.round(octets / 9)],
    ["Output", line.output + octets],
  ] as const;
  const attributes: NamedAttribute[] = [
    ["User-Name", line.username],
    ["Acct-Session-Id", line.session],
    ["Acct-Session-Time", now - line.startedAt],
    ...counters.flatMap(([way, count]): NamedAttribute[] => [
      [`Acct-${way}-Octets`, count % 2 ** 32],
      [`Acct-${way}-Gigawords`, Math.floor(count / 2 ** 32)],
    ]),
    ...(line.mac === null ? [] : ([["Calling-Station-Id", line.mac]] satisfies NamedAttribute[])),
    ...(line.ip === null ? [] : ([["Framed-IP-Address", line.ip]] satisfies NamedAttribute[])),
    ...(line.class === null ? [] : ([["Class", Buffer.from(line.class)]] satisfies NamedAttribute[])),
  ];
  await clients.get(line.nasAddress)?.accounting(status, attributes);
}
