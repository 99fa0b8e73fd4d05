import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { type Product, startGatehouse } from "../../../scripts/bench.d/gatehouse.ts";
import { compileLoad, type Load, type Outcome as Answers } from "../../../scripts/bench.d/load.ts";
import { usedBy } from "../../../scripts/bench.d/processes.ts";
import { writeTemplates } from "../../../scripts/bench.d/templates.ts";
import { Browsing } from "./storm-api.ts";
import type { Outcome, Trial } from "../trial.ts";
import { diskFolder } from "../../support/disk.ts";

interface Scale {
  readonly subscribers: number;
  readonly seconds: number;
  /** Parts of it, every second one with the API at work. */
  readonly slices: number;
}

const WHOLE: Scale = { subscribers: 50_000, seconds: 120, slices: 12 };
const SHORT: Scale = { subscribers: 500, seconds: 2, slices: 2 };
/** Milliseconds that RouterOS waits for an answer. */
const PATIENCE = 1100;
/** What the unit of the service allows is twice as much. */
const MEMORY = 512e6;
/** Times the p99 without the API that it may be with it. */
const WORSE = 2;
/** Milliseconds of a p99 that nobody notices, whatever it is without the API: less than a switch of the processor. */
const UNNOTICED = 5;

interface Slice {
  readonly isBusy: boolean;
  readonly logins: Answers;
  readonly starts: Answers;
}

/** Everybody comes back at once, while the staff lists pages and the portal is browsed. */
export const storm: Trial = {
  name: "storm",
  run: async ({ isShort, log }): Promise<Outcome> => {
    const scale = isShort ? SHORT : WHOLE;
    const folder = mkdtempSync(join(diskFolder(), "gatehouse-storm-"));
    const product = await startGatehouse(scale.subscribers);
    let memory = 0;
    const watch = setInterval(() => {
      memory = Math.max(memory, usedBy(product.pids).memory);
    }, 1000);
    try {
      const load = await compileLoad(folder);
      const templates = await writeTemplates(folder, scale.subscribers);
      const browsing = await Browsing.open(product.http, scale.subscribers);
      const slices: Slice[] = [];
      for (let turn = 0; turn < scale.slices; turn++) {
        const slice = await play({ product, load, templates, browsing, scale, turn });
        slices.push(slice);
        log(
          `${slice.isBusy ? "with" : "without"} the API: logins ${format(slice.logins)}, Starts ${format(slice.starts)}; load of the machine ${loadavg()[0]?.toFixed(1)}`,
        );
      }
      memory = Math.max(memory, usedBy(product.pids).memory);
      const found = await countIn(product, scale.subscribers);
      return judge({ scale, slices, browsing, memory, found, isShort });
    } finally {
      clearInterval(watch);
      await product.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

interface Turn {
  readonly product: Product;
  readonly load: (load: Load) => Promise<Answers>;
  readonly templates: Awaited<ReturnType<typeof writeTemplates>>;
  readonly browsing: Browsing;
  readonly scale: Scale;
  readonly turn: number;
}

/** A part of the storm: each login, and half a second later its Start. */
async function play({ product, load, templates, browsing, scale, turn }: Turn): Promise<Slice> {
  const { subscribers, seconds, slices } = scale;
  const first = Math.round((turn * subscribers) / slices);
  const limit = Math.round(((turn + 1) * subscribers) / slices) - first;
  const common = { seconds: seconds * 2, warmup: 0, drive: { rate: subscribers / seconds }, first, limit };
  const isBusy = turn % 2 === 1;
  if (isBusy) browsing.begin();
  const logins = load({ ...common, port: product.port, templates: templates.pap });
  await Bun.sleep(500);
  const starts = load({
    ...common,
    port: product.acctPort ?? 0,
    templates: templates.accounting,
    isStarts: true,
  });
  const slice = { isBusy, logins: await logins, starts: await starts };
  await browsing.end();
  return slice;
}

/** How many subscribers were accepted, and how many are in the books; decisions are stored a moment after their answers. */
async function countIn(
  { folder }: Product,
  subscribers: number,
): Promise<{ accepted: number; started: number }> {
  const db = new Database(join(folder, "gatehouse.db"), { readonly: true });
  const count = (sql: string) => db.query<{ count: number }, []>(sql).get()?.count ?? 0;
  const look = () => ({
    accepted: count("SELECT count(DISTINCT subscriber_id) AS count FROM auth_log WHERE accepted = 1"),
    started: count("SELECT count(DISTINCT subscriber_id) AS count FROM sessions"),
  });
  let found = look();
  for (let tries = 0; tries < 600 && found.accepted + found.started < 2 * subscribers; tries++) {
    await Bun.sleep(100);
    found = look();
  }
  db.close();
  return found;
}

const ms = (microseconds: number) => `${(microseconds / 1000).toFixed(1)} ms`;
const format = ({ p50, p99, max, lost }: Answers) =>
  `p50 ${ms(p50)} p99 ${ms(p99)} max ${ms(max)} lost ${lost}`;

/** The median of the slices, so that one hiccup of the machine does not speak for all. */
function p99Of(slices: readonly Slice[], kind: "logins" | "starts", isBusy: boolean): number {
  const all = slices.filter((slice) => slice.isBusy === isBusy).map((slice) => slice[kind].p99 / 1000);
  return all.sort((a, b) => a - b)[Math.floor((all.length - 1) / 2)] ?? 0;
}

interface Played {
  readonly scale: Scale;
  readonly slices: readonly Slice[];
  readonly browsing: Browsing;
  readonly memory: number;
  readonly found: { accepted: number; started: number };
  readonly isShort: boolean;
}

function judge({ scale, slices, browsing, memory, found, isShort }: Played): Outcome {
  const { subscribers, seconds } = scale;
  const faults = [...browsing.faults];
  const all = slices.flatMap(({ logins, starts }) => [logins, starts]);
  const sum = (of: (answers: Answers) => number) => all.reduce((total, one) => total + of(one), 0);
  const slowest = Math.max(...all.map(({ max }) => max / 1000));
  const bad = {
    refused: sum(({ refused }) => refused),
    forged: sum(({ forged }) => forged),
    // on a machine that is busy with other tests an answer may be late, and no router asks again here
    ...(!isShort && { lost: sum(({ lost }) => lost), unsent: sum(({ unsent }) => unsent) }),
  };
  for (const [what, count] of Object.entries(bad))
    if (count > 0) faults.push(`${count} of ${2 * subscribers} RADIUS requests were ${what}`);
  for (const [what, count] of Object.entries(found))
    if (count !== subscribers) faults.push(`${count} of ${subscribers} subscribers were ${what}`);
  if (!isShort && slowest > PATIENCE) faults.push(`the slowest answer took ${slowest.toFixed(0)} ms`);
  if (memory > MEMORY) faults.push(`the program took ${(memory / 1e6).toFixed(0)} MB of memory`);
  const figures = [
    {
      what: `${subscribers} subscribers come back within ${seconds} s, each a login and a Start`,
      figure: `${found.accepted} accepted and ${found.started} in the books, ${sum(({ lost }) => lost)} answers lost, the slowest in ${slowest.toFixed(0)} ms (a router waits ${PATIENCE} ms); ${(memory / 1e6).toFixed(0)} MB of memory at the most`,
    },
  ];
  for (const kind of ["logins", "starts"] as const) {
    const [without, withApi] = [p99Of(slices, kind, false), p99Of(slices, kind, true)];
    if (!isShort && withApi > Math.max(WORSE * without, UNNOTICED))
      faults.push(
        `99 % of the ${kind} took ${withApi.toFixed(1)} ms with the API at work, ${without.toFixed(1)} ms without`,
      );
    figures.push({
      what: `99 % of these ${kind === "logins" ? kind : "Starts"} while staff list pages of 1,000 and the portal is browsed`,
      figure: `within ${withApi.toFixed(1)} ms; within ${without.toFixed(1)} ms without; meanwhile ${browsing.pages} lists and ${browsing.visits} pages of the portal`,
    });
  }
  return { figures, faults };
}
