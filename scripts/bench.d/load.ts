import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { compile } from "./compile.ts";
import { SECRET } from "./data-set.ts";
import { mortal } from "./endings.ts";

const Outcome = Type.Object({
  seconds: Type.Number(),
  /** Answers a second. */
  rate: Type.Number(),
  sent: Type.Number(),
  answered: Type.Number(),
  /** Answered with something else than what was asked for. */
  refused: Type.Number(),
  /** Replies whose Response Authenticator is wrong. */
  forged: Type.Number(),
  lost: Type.Number(),
  late: Type.Number(),
  /** Of an open loop: due while every identifier waited. */
  unsent: Type.Number(),
  /** Microseconds. */
  p50: Type.Number(),
  p90: Type.Number(),
  p99: Type.Number(),
  p999: Type.Number(),
  max: Type.Number(),
  /** Processor seconds of the generator. */
  cpu: Type.Number(),
  /** The number after the last request: where the next run goes on. */
  next: Type.Number(),
});
export type Outcome = typeof Outcome.static;

export interface Load {
  readonly port: number;
  readonly templates: string;
  readonly seconds: number;
  readonly warmup: number;
  /** Requests under way in a closed loop, or requests a second of an open one. */
  readonly drive: { inflight: number } | { rate: number };
  readonly first: number;
  /** Ends after so many requests. */
  readonly limit?: number;
  /** Routers that ask, as `startGatehouse` has them; one on loopback unless said otherwise. */
  readonly sources?: number;
  /** Of accounting nothing but Starts. */
  readonly isStarts?: boolean;
}

/** Compiles the load generator into a folder. */
export async function compileLoad(folder: string): Promise<(load: Load) => Promise<Outcome>> {
  const program = join(folder, "load");
  await compile(program, [join(import.meta.dir, "load.c")]);
  return (load) => run(program, load);
}

async function run(
  program: string,
  { port, templates, seconds, warmup, drive, first, limit = 0, sources = 0, isStarts = false }: Load,
): Promise<Outcome> {
  const isOpen = "rate" in drive;
  const isWide = !isOpen && drive.inflight >= 16;
  const child = Bun.spawn(
    mortal([
      ...[program, "127.0.0.1", String(port), SECRET, templates],
      ...[`seconds=${seconds}`, `warmup=${warmup}`, `first=${first}`],
      ...[`limit=${limit}`, `sources=${sources}`, `starts=${isStarts ? 1 : 0}`],
      isOpen ? `rate=${drive.rate}` : `inflight=${drive.inflight}`,
      `ports=${isOpen ? 32 : 8}`,
      // with a queue in front of the server there is time to take the replies in batches
      `pause=${isWide ? 30 : 0}`,
    ]),
    { stdout: "pipe", stderr: "inherit" },
  );
  const [text, code] = await Promise.all([child.stdout.text(), child.exited]);
  if (code !== 0) throw new Error(`the load generator ended with ${code}`);
  return Value.Parse(Outcome, JSON.parse(text));
}
