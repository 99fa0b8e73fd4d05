import { join } from "node:path";
import { Appliance, portOf } from "../../test/support/appliance.ts";
import { openedBundle } from "../../test/support/radsec-client.ts";
import { dataSet } from "./data-set.ts";
import type { Load, Outcome } from "./load.ts";
import type { RadsecLoad, RadsecOutcome } from "./radsec-load.ts";
import { busiest, threadTimes } from "./threads.ts";

/** What is asked for over UDP and by RadSec. */
const WORKS = ["pap", "accounting"] as const;
type RadsecWork = (typeof WORKS)[number];
const CONNECTIONS = 8;
const INFLIGHT = 4;
const REQUESTS = 40_000;

/** Medians of the rounds. */
export interface RadsecFigure {
  readonly work: RadsecWork;
  readonly way: "UDP" | "RadSec";
  /** Answers a second. */
  readonly rate: number;
  /** Processor time of the RADIUS thread, and of the one of TLS, for a request; microseconds. */
  readonly radius: number;
  readonly tls: number;
  readonly p50: number;
  readonly p99: number;
}

interface Needs {
  readonly load: (load: Load) => Promise<Outcome>;
  readonly templates: Readonly<Record<RadsecWork, string>>;
  readonly subscribers: number;
  readonly rounds: number;
  readonly log: (line: string) => void;
}

/** The same work over UDP and by RadSec, side by side, by the processor time of the threads that do it. */
export async function measureRadsec(needs: Needs): Promise<RadsecFigure[]> {
  const port = freePort();
  await using appliance = new Appliance({
    GATEHOUSE_LOG_LEVEL: "error",
    GATEHOUSE_RADSEC_LISTEN: `127.0.0.1:${port}`,
  });
  const files = await prepare(appliance, needs.subscribers);
  const addresses = await appliance.serve();
  await listening(port);
  const udp = { pap: portOf(addresses.radius_auth), accounting: portOf(addresses.radius_acct) };
  const figures: RadsecFigure[] = [];
  const threads = new Map<RadsecWork, string>();
  let first = 0;
  for (let round = 0; round <= needs.rounds; round++)
    for (const work of WORKS) {
      const known = threadTimes(appliance.pid);
      const plain = await needs.load({
        port: udp[work],
        templates: needs.templates[work],
        seconds: 2,
        warmup: 0,
        drive: { inflight: CONNECTIONS * INFLIGHT },
        first,
      });
      first = plain.next;
      const between = threadTimes(appliance.pid);
      const [busy] = busiest(known, between);
      if (busy) threads.set(work, busy[0]);
      const load: RadsecLoad = {
        port,
        work,
        ...files,
        connections: CONNECTIONS,
        inflight: INFLIGHT,
        requests: REQUESTS,
        subscribers: needs.subscribers,
        name: `r${round}`,
      };
      const sealed = await byRadsec(load);
      const after = busiest(between, threadTimes(appliance.pid));
      const own = (thread: string | undefined) => after.find(([one]) => one === thread)?.[1] ?? 0;
      const tls = after.find(([thread]) => ![...threads.values()].includes(thread));
      if (round === 0) continue; // the first one warms it up
      figures.push(
        {
          work,
          way: "UDP",
          rate: plain.rate,
          p50: plain.p50,
          p99: plain.p99,
          tls: 0,
          radius: (busy?.[1] ?? 0) / 1000 / plain.answered,
        },
        {
          work,
          way: "RadSec",
          rate: sealed.rate,
          p50: sealed.p50,
          p99: sealed.p99,
          radius: own(threads.get(work)) / 1000 / sealed.answered,
          tls: (tls?.[1] ?? 0) / 1000 / sealed.answered,
        },
      );
      needs.log(
        `round ${round}  ${work}: UDP ${Math.round(plain.rate)}/s, RadSec ${Math.round(sealed.rate)}/s, refused ${plain.refused} and ${sealed.refused}`,
      );
    }
  return WORKS.flatMap((work) => (["UDP", "RadSec"] as const).map((way) => medians(figures, work, way)));
}

function medians(figures: readonly RadsecFigure[], work: RadsecWork, way: RadsecFigure["way"]): RadsecFigure {
  const own = figures.filter((one) => one.work === work && one.way === way);
  const median = (of: (one: RadsecFigure) => number) =>
    own.map(of).toSorted((a, b) => a - b)[Math.floor(own.length / 2)] ?? 0;
  return {
    work,
    way,
    rate: median(({ rate }) => rate),
    radius: median(({ radius }) => radius),
    tls: median(({ tls }) => tls),
    p50: median(({ p50 }) => p50),
    p99: median(({ p99 }) => p99),
  };
}

async function prepare(appliance: Appliance, subscribers: number) {
  const file = join(appliance.folder, "isp.json");
  await Bun.write(file, dataSet(subscribers, {}));
  const run = async (...command: string[]) => {
    const { code, stdout, stderr } = await appliance.run(command);
    if (code !== 0) throw new Error(`${command.join(" ")} failed: ${stderr}`);
    return stdout;
  };
  await run("import", file);
  const { password } = JSON.parse(
    await run("nas", "radsec", "1", "--server", "127.0.0.1", "--out", "router.p12", "--json"),
  );
  const bundle = await Bun.file(join(appliance.folder, "router.p12")).arrayBuffer();
  return openedBundle(Buffer.from(bundle), password);
}

async function byRadsec(load: RadsecLoad): Promise<RadsecOutcome> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "radsec-load.ts")], {
    stdin: new Blob([JSON.stringify(load)]),
    stdout: "pipe",
    stderr: "inherit",
  });
  const [text, code] = await Promise.all([child.stdout.text(), child.exited]);
  if (code !== 0) throw new Error(`the load by RadSec ended with ${code}`);
  return JSON.parse(text);
}

function freePort(): number {
  const bound = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = bound;
  bound.stop(true);
  return port;
}

/** The thread of TLS listens a moment after the server is ready. */
async function listening(port: number): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {} } });
      socket.end();
      return;
    } catch (error) {
      if (tries === 500) throw error;
      await Bun.sleep(20);
    }
  }
}
