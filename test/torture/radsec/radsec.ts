import { join } from "node:path";
import { openReader } from "../../../db/open.ts";
import { Appliance } from "../../support/appliance.ts";
import { aPackage, aSubscriber } from "../../support/isp.ts";
import { freePort } from "../../support/free-port.ts";
import { openedBundle, RadsecClient, type RouterFiles } from "../../support/radsec-client.ts";
import { checkFaults } from "../soundness.ts";
import { drawing, type Outcome, type Trial } from "../trial.ts";
import { RadsecRouter, type SentReport } from "./router.ts";

/** Routers that are connected at once, and kills of the server. */
const ROUTERS = { short: 2, whole: 16 };
const KILLS = { short: 1, whole: 50 };
const SUBSCRIBERS = 400;
/** Milliseconds that a server lives at the least, and at the most. */
const LIFE = [150, 900] as const;

/** Routers that ask by RadSec, each over a connection of its own, and a server that is killed again and again. */
export const radsec: Trial = {
  name: "radsec",
  run: async ({ isShort, seed, log }): Promise<Outcome> => {
    const draw = drawing(seed);
    const port = freePort(); // RadSec is served from the first certificate on, and says no port at the start
    await using appliance = new Appliance({ GATEHOUSE_RADSEC_LISTEN: `127.0.0.1:${port}` });
    const files = await prepare(appliance);
    const books = new Map<string, SentReport>();
    const faults: string[] = [];
    const counts = { kills: 0, again: 0, logins: 0, answered: 0 };
    const kills = isShort ? KILLS.short : KILLS.whole;
    for (let life = 0; life <= kills; life++) {
      await appliance.serve();
      const routers = await connectAll(files, port, isShort ? ROUTERS.short : ROUTERS.whole, { life, books });
      // what was told before and not acknowledged comes again, over another connection; some of what was, too
      counts.again += await sendAgain(routers[0], books, draw);
      const work = routers.map((router) => router.work());
      await Bun.sleep(LIFE[0] + draw() * (LIFE[1] - LIFE[0]));
      if (life === kills) {
        for (const router of routers) router.isEnding = true;
        await Promise.all(work);
        if ((await appliance.stop()) !== 0) faults.push("the last stop in order was none");
      } else {
        await appliance.stop("SIGKILL");
        counts.kills++;
        await Promise.all(work);
      }
      for (const router of routers) {
        counts.logins += router.logins;
        counts.answered += router.answered;
        faults.push(...router.faults);
        await router.close();
      }
      faults.push(...faultsIn(join(appliance.folder, "data"), books));
      log(`${counts.kills} kills, ${books.size} sessions, ${faults.length} faults`);
    }
    faults.push(...(await checkFaults(appliance)));
    return {
      faults,
      figures: [
        {
          what: `accounting records by RadSec, acknowledged and lost, or there twice, in ${counts.kills} SIGKILLs of the server`,
          figure: `none of ${counts.answered}; ${counts.again} came again over another connection; ${counts.logins} logins beside them`,
        },
      ],
    };
  },
};

async function prepare(appliance: Appliance): Promise<RouterFiles> {
  const isp = {
    isps: [{ id: 1, name: "Northlink" }],
    staff: [
      {
        id: 1,
        isp_id: 1,
        branch_id: 0,
        name: "ada",
        username: "ada",
        password: "ada-5-Kestrel",
        profile_type: 1,
        status: 1,
      },
    ],
    nas: [{ id: 1, isp_id: 1, name: "core", address: "10.99.0.1", secret: "core-secret-Osprey" }],
    packages: [aPackage(1, { simultaneous_use: 1000 })],
    subscribers: Array.from({ length: SUBSCRIBERS }, (_, i) =>
      aSubscriber(i + 1, { current_expiration_date: "2035-01-01 00:00:00" }),
    ),
  };
  await appliance.load(isp);
  const command = ["nas", "radsec", "core", "--server", "127.0.0.1", "--out", "core.p12", "--json"];
  const { code, stdout, stderr } = await appliance.run(command);
  if (code !== 0) throw new Error(`there is no certificate: ${stderr}`);
  const bundle = Buffer.from(await Bun.file(join(appliance.folder, "core.p12")).arrayBuffer());
  const { id, password } = JSON.parse(stdout);
  return { id, ...(await openedBundle(bundle, password)) };
}

/** The thread of TLS may listen a moment after the server is ready. */
async function connectAll(
  files: RouterFiles,
  port: number,
  count: number,
  { life, books }: { life: number; books: Map<string, SentReport> },
): Promise<RadsecRouter[]> {
  const connected = async (): Promise<RadsecClient> => {
    for (let tries = 0; ; tries++) {
      try {
        return await RadsecClient.open(port, files);
      } catch (error) {
        if (tries === 500) throw error;
        await Bun.sleep(20);
      }
    }
  };
  return Promise.all(
    Array.from(
      { length: count },
      async (_, i) =>
        new RadsecRouter(await connected(), `${life}-${i}`, { books, subscribers: SUBSCRIBERS }),
    ),
  );
}

/** How many were told again. */
async function sendAgain(
  router: RadsecRouter | undefined,
  books: Map<string, SentReport>,
  draw: () => number,
): Promise<number> {
  let count = 0;
  for (const [session, report] of books) {
    if (report.pending === undefined && draw() > 0.1) continue;
    count++;
    await router?.tellAgain(session, report);
  }
  return count;
}

/** What was acknowledged is in the store as it was told last, once; what was not is at most one step ahead. */
function faultsIn(folder: string, books: Map<string, SentReport>): string[] {
  const db = openReader(folder);
  const find = db.$client.query<{ input: number; stopped: number; nas: string }, [string]>(
    "SELECT input_octets AS input, stopped_at IS NOT NULL AS stopped, nas_address AS nas FROM sessions WHERE acct_session_id = ?",
  );
  const faults: string[] = [];
  for (const [session, { acknowledged, pending }] of books) {
    const rows = find.all(session);
    const [row] = rows;
    if (rows.length > 1) faults.push(`session ${session} is there ${rows.length} times`);
    if (acknowledged && !row) faults.push(`session ${session} was acknowledged and is not there`);
    if (!row) continue;
    if (row.nas !== "10.99.0.1") faults.push(`session ${session} is of ${row.nas}`);
    const known = [acknowledged, pending].filter((one) => one !== undefined);
    if (!known.some(({ input, isStop }) => input === row.input && isStop === (row.stopped === 1)))
      faults.push(
        `session ${session} has ${row.input} bytes, told were ${known.map(({ input }) => input).join(" or ")}`,
      );
  }
  db.$client.close();
  return faults;
}
