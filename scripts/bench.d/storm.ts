import { Database } from "bun:sqlite";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { buffersIn, lateLoginsIn } from "../../src/cli/buffers.ts";
import { compile } from "./compile.ts";
import { signIn } from "./console.ts";
import { SECRET } from "./data-set.ts";
import { mortal } from "./endings.ts";
import { type Product, startGatehouse } from "./gatehouse.ts";
import { usedBy } from "./processes.ts";
import { writeTemplate } from "./templates.ts";

const LINES = 100_000;
const ROUTERS = 20;
/** Milliseconds for which they are asked for before. */
const WARM = 3000;
/** Milliseconds after which the metrics have everything. */
const COUNTED = 1500;
/** Pages that are asked for meanwhile, one at a time. */
const PAGES = ["/console", "/console/online", "/console/subscribers/42"];

const Outcome = Type.Object({
  lines: Type.Number(),
  online: Type.Number(),
  /** Until the last one was online. */
  seconds: Type.Number(),
  refused: Type.Number(),
  /** Logins and Starts that were not answered in three tries; their lines asked anew. */
  lost: Type.Number(),
  unacknowledged: Type.Number(),
  /** Datagrams that were sent once more. */
  repeated: Type.Number(),
  /** Microseconds from the first sending of a login to its answer. */
  p50: Type.Number(),
  p99: Type.Number(),
  max: Type.Number(),
});

export interface StormFigures extends Readonly<typeof Outcome.static> {
  readonly routers: number;
  /** What the kernel dropped at both ports. */
  readonly dropped: number;
  /** Logins that the server dropped because they had waited too long. */
  readonly late: number;
  /** Sessions that are open in the books afterwards. */
  readonly booked: number;
  /** Milliseconds of pages, one at a time meanwhile: the median, and the slowest. */
  readonly page50: number;
  readonly pageMax: number;
  /** Processor seconds of the server for a second, and bytes afterwards. */
  readonly busy: number;
  readonly memory: number;
}

/** All lines of some routers come back at once, each with a login and a Start. */
export async function measureStorm(
  folder: string,
  log: (line: string) => void,
  { lines, routers, warm } = { lines: LINES, routers: ROUTERS, warm: WARM },
): Promise<StormFigures> {
  log(`storm: ${lines} lines of ${routers} routers`);
  const generator = join(folder, "storm");
  await compile(generator, [join(import.meta.dir, "storm.c")]);
  const [logins, starts] = [
    await writeTemplate(folder, "pap", lines),
    await writeTemplate(folder, "accounting", lines),
  ];
  const product = await startGatehouse(lines, undefined, undefined, undefined, { routers });
  try {
    const cookie = await signIn(product);
    // what it does once, after its start, is no part of a storm
    await browse(product, cookie, Bun.sleep(warm));
    const before = usedBy(product.pids).cpu;
    const child = Bun.spawn(
      mortal([
        ...[generator, "127.0.0.1", String(product.port), String(product.acctPort), SECRET, logins, starts],
        ...[`lines=${lines}`, `routers=${routers}`],
      ]),
      { stdout: "pipe", stderr: "inherit" },
    );
    const pages = browse(product, cookie, child.exited);
    const [text, code] = await Promise.all([child.stdout.text(), child.exited]);
    if (code !== 0) throw new Error(`the storm ended with ${code}`);
    const outcome = Value.Parse(Outcome, JSON.parse(text));
    const { cpu, memory } = usedBy(product.pids);
    const times = (await pages).toSorted((a, b) => a - b);
    await Bun.sleep(COUNTED);
    const metrics = await (await fetch(`${product.http}/metrics`)).text();
    const readBuffer = buffersIn(metrics);
    return {
      ...outcome,
      ...{ routers, memory, busy: (cpu - before) / outcome.seconds },
      dropped: (readBuffer("auth")?.dropped ?? 0) + (readBuffer("acct")?.dropped ?? 0),
      late: lateLoginsIn(metrics).dropped,
      booked: openIn(product),
      page50: times[Math.floor(times.length / 2)] ?? 0,
      pageMax: times.at(-1) ?? 0,
    };
  } finally {
    await product.stop();
  }
}

function openIn({ folder }: Product): number {
  const client = new Database(join(folder, "gatehouse.db"), { readonly: true });
  const row = client
    .query<{ open: number }, []>("SELECT count(*) AS open FROM sessions WHERE stopped_at IS NULL")
    .get();
  client.close();
  return row?.open ?? 0;
}

/** Milliseconds of each page until something has ended. */
async function browse({ http }: Product, cookie: string, end: Promise<unknown>): Promise<number[]> {
  const ended = new AbortController();
  void end.then(() => ended.abort());
  const times: number[] = [];
  while (!ended.signal.aborted) {
    const path = PAGES[times.length % PAGES.length] ?? "/console";
    const began = performance.now();
    const answer = await fetch(http + path, { headers: { cookie }, redirect: "manual" });
    times.push(performance.now() - began); // the first byte: its head
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${path} answers ${answer.status}, which is no page`);
  }
  return times;
}
