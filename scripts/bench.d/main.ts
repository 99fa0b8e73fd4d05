import { chmod, mkdtemp, rm } from "node:fs/promises";
import { statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { comparisons, otherBuild, pruneWorktrees, slower } from "./against.ts";
import { measureThreads } from "./access-threads.ts";
import { type ApiFigure, measureApi } from "./api.ts";
import { type CardFigures, measureCards } from "./cards.ts";
import { chart } from "./chart.ts";
import { type ConsoleFigures, measureConsole } from "./console.ts";
import { endWithAll } from "./endings.ts";
import { type Product, startGatehouse } from "./gatehouse.ts";
import { type Growth, measureGrowth, writeSessions } from "./growth.ts";
import { compileLoad } from "./load.ts";
import { measureOffice, type OfficeFigures } from "./office.ts";
import { usedBy } from "./processes.ts";
import { type Footprint, machine, markdown, type Results } from "./report.ts";
import { measureRadius } from "./radius.ts";
import { requireCommit, writeTables } from "./readme.ts";
import { measureMessages, type MessageFigures } from "./messages.ts";
import { measureReminders } from "./reminders.ts";
import { type Work, writeTemplates } from "./templates.ts";
import { measureRadsec } from "./radsec.ts";
import { measureStorm } from "./storm.ts";
import { numberOption, parseArguments, wrongUsage } from "../usage.ts";

const SUBSCRIBERS = 20_000;
/** What the footprint is measured with, and half of the API. */
const MANY_SUBSCRIBERS = 50_000;

const PARTS = [
  "radius",
  "api",
  "growth",
  "office",
  "console",
  "cards",
  "messages",
  "radsec",
  "storm",
  "threads",
];

const HELP = `scripts/bench [--peers] [options]

  --peers          first install FreeRADIUS, PostgreSQL and gcc from Debian (must come first)
  --quick          one round of the main loads, no growth: under two minutes
  --rounds N       rounds, 3 unless said otherwise
  --subscribers N  who log in and are accounted for, 20,000 unless said otherwise
  --only PART      of "radius", "api", "growth", "office", "console", "cards", "messages", "radsec", "storm", "threads"; may
                   be repeated
  --huge           growth, office and console with 10,000,000 session rows too: some minutes more, and 10 GB of disk
  --against WHAT   RADIUS beside another commit, which is built in a worktree, or an executable, in turn; ends with 1 where ours is
                   below 0.95 of it in speed or in what a request costs
  --readme         write the tables, with the commit beside them, into the READMEs that have them; nothing may be uncommitted
  --json FILE      write everything that was measured
  --svg FILE       write a picture of it
  --markdown FILE  write the tables as README.md in scripts/bench.d has them
`;

const log = (line: string) => process.stderr.write(`${line}\n`);
type Load = Awaited<ReturnType<typeof compileLoad>>;
type Context = {
  load: Load;
  templates: Record<Work, string>;
  subscribers: number;
  isQuick: boolean;
  rounds: number;
};

async function main(): Promise<void> {
  const { values } = parseArguments(HELP, () =>
    parseArgs({
      options: {
        help: { type: "boolean" },
        quick: { type: "boolean" },
        rounds: { type: "string" },
        subscribers: { type: "string" },
        only: { type: "string", multiple: true },
        huge: { type: "boolean" },
        json: { type: "string" },
        svg: { type: "string" },
        markdown: { type: "string" },
        against: { type: "string" },
        readme: { type: "boolean" },
      },
    }),
  );
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const isQuick = values.quick ?? false;
  const usual = isQuick ? PARTS.slice(0, 2) : PARTS;
  const parts = values.only ?? (values.against === undefined ? usual : ["radius"]);
  const unknown = parts.find((part) => !PARTS.includes(part));
  if (unknown !== undefined) wrongUsage(`there is no part ${unknown}`, HELP);
  if (values.against !== undefined && (values.readme || parts.some((part) => part !== "radius")))
    wrongUsage("--against measures radius, for no README", HELP);
  const rounds = numberOption("rounds", values.rounds, HELP) ?? (isQuick ? 1 : 3);
  const subscribers = numberOption("subscribers", values.subscribers, HELP) ?? SUBSCRIBERS;
  const commit = values.readme ? await requireCommit() : undefined;
  const folder = await ownFolder();
  const { isEnding } = endWithAll(folder);
  try {
    const other = values.against === undefined ? undefined : await otherBuild(values.against, folder);
    const context: Context = {
      load: await compileLoad(folder),
      templates: await writeTemplates(folder, subscribers),
      subscribers,
      isQuick,
      rounds,
    };
    const samples = parts.includes("radius") ? await measureRadius({ ...context, other, log }) : [];
    const { api, footprint } = parts.includes("api")
      ? await measureProduct(context)
      : { api: [], footprint: null };
    const growth = parts.includes("growth") ? await measureCurve(context, values.huge ?? false) : [];
    const office = parts.includes("office") ? await measureBooks(context, values.huge ?? false) : null;
    const pages = parts.includes("console") ? await measurePages(context, values.huge ?? false) : null;
    const cards: CardFigures | null = parts.includes("cards") ? await measureCards(log) : null;
    const messages = parts.includes("messages") ? await measureNotices(context) : null;
    const radsec = parts.includes("radsec") ? await measureRadsec({ ...context, log }) : [];
    const threads = parts.includes("threads") ? await measureThreads({ ...context, log }) : [];
    const storm = parts.includes("storm") ? await measureStorm(folder, log) : null;
    const date = new Date().toISOString().slice(0, 10);
    const results: Results = {
      machine: machine(),
      date,
      samples,
      api,
      growth,
      footprint,
      office,
      console: pages,
      cards,
      messages,
      radsec,
      storm,
      threads,
    };
    const text = `${markdown(results)}\n`;
    process.stdout.write(text);
    if (values.json) await Bun.write(values.json, `${JSON.stringify(results, null, 1)}\n`);
    if (values.svg) await Bun.write(values.svg, chart(results));
    if (values.markdown) await Bun.write(values.markdown, text);
    if (commit !== undefined) await writeTables(results, commit);
    const lost = other ? slower(comparisons(samples)) : [];
    if (lost.length > 0) {
      log(`slower than ${other?.name}: ${lost.join("; ")}`);
      process.exitCode = 1;
    }
  } catch (error) {
    // what was ended while it was asked has no figures
    if (!isEnding()) throw error;
    await new Promise(() => {});
  } finally {
    await rm(folder, { recursive: true, force: true });
    if (values.against !== undefined) await pruneWorktrees();
  }
}

/** All that a run writes is below it, whoever writes it. */
async function ownFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-bench-"));
  // PostgreSQL runs as another user
  await chmod(folder, 0o711);
  process.env["TMPDIR"] = folder;
  return folder;
}

/** The API at two sizes, and what the product needs of the machine. */
async function measureProduct({
  load,
  templates,
  isQuick,
}: Context): Promise<{ api: ApiFigure[]; footprint: Footprint }> {
  const api: ApiFigure[] = [];
  const seconds = isQuick ? 1.5 : 3;
  const small = await startGatehouse(5000);
  try {
    if (!isQuick)
      api.push(
        ...(await measureApi({ product: small, subscribers: 5000, seconds, templates: templates.pap, load })),
      );
  } finally {
    await small.stop();
  }
  const product = await startGatehouse(MANY_SUBSCRIBERS);
  try {
    await Bun.sleep(2000);
    const memoryIdle = usedBy(product.pids).memory;
    api.push(
      ...(await measureApi({
        product,
        subscribers: MANY_SUBSCRIBERS,
        seconds,
        templates: templates.pap,
        load,
      })),
    );
    const sizes = await measureBytes();
    return { api, footprint: { ...measureFootprint(product, memoryIdle), ...sizes } };
  } finally {
    await product.stop();
  }
}

function measureFootprint({ readyAfter, pids }: Product, memoryIdle: number) {
  return {
    subscribers: MANY_SUBSCRIBERS,
    readyAfter,
    memoryIdle,
    memoryLoaded: usedBy(pids).memory,
    executable: statSync(join(import.meta.dir, "../../dist/gatehouse")).size,
  };
}

/** Bytes of database for a subscriber and for an ended session, from databases of different sizes. */
async function measureBytes(): Promise<{ bytesPerSubscriber: number; bytesPerSession: number }> {
  const sizeWith = async (subscribers: number, sessions: number) => {
    let size = 0;
    const product = await startGatehouse(subscribers, (data) => {
      writeSessions(data, { subscribers, sessions });
      size = statSync(join(data, "gatehouse.db")).size;
    });
    await product.stop();
    return size;
  };
  const [few, more, withSessions] = [
    await sizeWith(1000, 0),
    await sizeWith(11_000, 0),
    await sizeWith(1000, 50_000),
  ];
  return { bytesPerSubscriber: (more - few) / 10_000, bytesPerSession: (withSessions - few) / 50_000 };
}

async function measureCurve({ load, templates, subscribers }: Context, isHuge: boolean): Promise<Growth[]> {
  const growth: Growth[] = [];
  const sizes = [
    { subscribers: 1000, sessions: 0 },
    { subscribers: 10_000, sessions: 0 },
    { subscribers: 100_000, sessions: 0 },
    { subscribers: 10_000, sessions: 500_000 },
    ...(isHuge ? [{ subscribers: 20_000, sessions: 10_000_000 }] : []),
  ];
  for (const size of sizes) {
    log(`growth: ${size.subscribers} subscribers, ${size.sessions} sessions`);
    const folder = await mkdtemp(join(tmpdir(), "gatehouse-bench-"));
    try {
      // templates of no more subscribers than there are
      const own = size.subscribers < subscribers ? await writeTemplates(folder, size.subscribers) : templates;
      growth.push(await measureGrowth(size, { templates: own, load, seconds: 1.5 }));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  return growth;
}

/** Books of three years, with a million sessions beside them, or ten. */
function measureBooks({ load, templates, isQuick }: Context, isHuge: boolean): Promise<OfficeFigures> {
  const sessions = isHuge ? 10_000_000 : 1_000_000;
  return measureOffice({ sessions, log }, { templates: templates.pap, load, seconds: isQuick ? 1.5 : 3 });
}

/** Messages and webhooks in this process, and what logins notice of them. */
async function measureNotices({ load, templates, isQuick }: Context): Promise<MessageFigures> {
  const plan = { templates: templates.pap, load, seconds: isQuick ? 1.5 : 3 };
  return { ...(await measureMessages(log)), logins: await measureReminders(plan, log) };
}

/** The console on the same books. */
function measurePages({ load, templates, isQuick }: Context, isHuge: boolean): Promise<ConsoleFigures> {
  const sessions = isHuge ? 10_000_000 : 1_000_000;
  const plan = {
    templates: templates.pap,
    accounting: templates.accounting,
    load,
    seconds: isQuick ? 1.5 : 3,
  };
  return measureConsole({ sessions, log }, plan);
}

await main();
