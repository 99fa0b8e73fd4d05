import { join } from "node:path";
import { openReader, openStore } from "../../../db/open.ts";
import type { NamedAttribute } from "../../../src/radius/packet/codec.ts";
import { Appliance } from "../../support/appliance.ts";
import { aPackage, aSubscriber, NAS_SECRET } from "../../support/isp.ts";
import { RadiusClient } from "../../support/radius-client.ts";
import { Shaper } from "../../support/shaper.ts";
import { systemClock } from "../../../src/domain/core/time/time.ts";
import { checkFaults } from "../soundness.ts";
import { drawing, type Outcome, type Trial } from "../trial.ts";

/** Lines that are online at once, and kills, of the server and of the shaper by turns. */
const LINES = { short: 80, whole: 5000 };
const KILLS = { short: 2, whole: 20 };
const SECRET = "shaper-secret-Kestrel";
/** What each package gives: as sold, after its tier, by its hours, and in the walled garden. */
const RATES = [
  [10e6, 20e6],
  [2e6, 4e6],
  [5e6, 6e6],
  [512e3, 512e3],
] as const;
const GIGABYTE = 1_000_000_000;

/** A shaper is told of every session with its rate, while server and shaper are killed by turns. */
export const feed: Trial = {
  name: "feed",
  run: async ({ isShort, seed, log }): Promise<Outcome> => {
    const draw = drawing(seed);
    const faults: string[] = [];
    const lines = isShort ? LINES.short : LINES.whole;
    await using appliance = new Appliance({});
    let shaper = await Shaper.start(SECRET);
    try {
      const { port } = shaper;
      await prepare(appliance, lines, port);
      const kills = isShort ? KILLS.short : KILLS.whole;
      let [answered, requests, isServing] = [0, 0, false];
      let at: Awaited<ReturnType<Appliance["serve"]>> | undefined;
      for (let life = 0; life <= kills; life++) {
        if (!isServing) at = await appliance.serve();
        isServing = true;
        if (!at) throw new Error("nothing serves");
        const isGone = life % 2 === 1; // a shaper that hears nothing holds up nobody
        if (isGone) await shaper[Symbol.asyncDispose]();
        const router = new RadiusClient({ host: "127.0.0.1", ...portsOf(at), secret: NAS_SECRET });
        for (let line = 1; line <= lines; line++) {
          if (life > 0 && draw() < 0.5) continue;
          const isOver = life > 0 && draw() < 0.2;
          requests++;
          if (await router.accounting(isOver ? "Stop" : "Interim-Update", reportOf(line, life))) answered++;
        }
        await router.close();
        if (isGone) {
          // one that is back before it was missed hears of all within 300 s, which a trial does not wait for
          if (!(await isMissed(appliance))) faults.push("a shaper that is gone was not missed");
          if (draw() < 0.5) {
            await appliance.stop("SIGKILL");
            isServing = false;
          }
          shaper = await Shaper.start(SECRET, port);
        } else if (life < kills) {
          await appliance.stop("SIGKILL");
          isServing = false;
        }
        log(`${life} kills, ${shaper.circuits.size} circuits`);
      }
      if (!isServing) await appliance.serve();
      if (answered < requests) faults.push(`${requests - answered} reports of ${requests} were not answered`);
      changeTerms(appliance);
      const wrong = await settled(appliance, () => shaper);
      faults.push(...wrong.slice(0, 5), ...shaper.refused.slice(0, 5));
      if ((await appliance.stop()) !== 0) faults.push("the last stop in order was none");
      faults.push(...(await checkFaults(appliance)));
      return {
        faults,
        figures: [
          {
            what: `sessions that a shaper does not have, or at another rate, after ${kills} kills of server and shaper`,
            figure: `${wrong.length} of ${shaper.circuits.size}; ${answered} reports answered of ${requests}`,
          },
        ],
      };
    } finally {
      await shaper[Symbol.asyncDispose]();
    }
  },
};

/** Whether the server has said that the shaper is silent. */
async function isMissed(appliance: Appliance): Promise<boolean> {
  const db = openReader(join(appliance.folder, "data"));
  const silent = () => db.$client.query("SELECT 1 FROM feeds WHERE silent_since IS NOT NULL").get() !== null;
  for (const end = performance.now() + 60_000; !silent() && performance.now() < end;) await Bun.sleep(50);
  const isSo = silent();
  db.$client.close();
  return isSo;
}

function portsOf({ radius_auth: auth, radius_acct: acct }: { radius_auth: string; radius_acct: string }) {
  const port = (text: string) => Number(text.slice(text.lastIndexOf(":") + 1));
  return { port: port(auth), acctPort: port(acct) };
}

async function prepare(appliance: Appliance, lines: number, port: number): Promise<void> {
  await appliance.load({
    isps: [{ id: 1, name: "Northlink" }],
    nas: [{ id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: NAS_SECRET }],
    packages: [
      aPackage(1),
      aPackage(2, { tiers: "1GB 2M/4M" }),
      aPackage(3, { hours: "daily 00:00-24:00 5M/6M" }),
      aPackage(4, { expired_address_list: "late" }),
    ],
    subscribers: Array.from({ length: lines }, (_, index) =>
      aSubscriber(index + 1, {
        package_id: (index % 4) + 1,
        salesperson_id: null,
        current_expiration_date: "2035-01-01 00:00:00",
      }),
    ),
  });
  const { code, stderr } = await appliance.run(
    ["feed", "add", "lq", `127.0.0.1:${port}`, "--secret-stdin"],
    SECRET,
  );
  if (code !== 0) throw new Error(`feed add failed: ${stderr}`);
}

/** Of the second package so much that its tier is reached. */
function reportOf(line: number, life: number): NamedAttribute[] {
  return [
    ["User-Name", `user${line}`],
    ["Acct-Session-Id", `8${String(life > 0 && line % 7 === 0 ? life : 0).padStart(2, "0")}${line}`],
    ["NAS-Port-Id", `line-${line}`],
    ["Calling-Station-Id", `02:00:00:00:${hex(line >> 8)}:${hex(line & 255)}`],
    ["Framed-IP-Address", `10.${100 + (line >> 16)}.${(line >> 8) & 255}.${line & 255}`],
    ["Acct-Session-Time", 60 + life * 60],
    ["Acct-Input-Octets", 1000 + life],
    ["Acct-Output-Octets", line % 4 === 2 ? 1.5 * GIGABYTE + life : 2000 + life],
  ];
}

const hex = (byte: number) => byte.toString(16).toUpperCase().padStart(2, "0");

/** What a clerk and the clock do: services of the last package end. */
function changeTerms(appliance: Appliance): void {
  const db = openStore(join(appliance.folder, "data"), { now: systemClock() });
  db.$client.run(
    "UPDATE services SET expires_at = unixepoch() - 10 WHERE subscriber_id IN (SELECT id FROM subscribers WHERE package_id = 4)",
  );
  db.$client.close();
}

interface Open {
  readonly id: number;
  readonly username: string;
  readonly packageId: number;
  readonly ip: string;
}

/** What of the shaper is not as the books say, once it had time to become so. */
async function settled(appliance: Appliance, shaper: () => Shaper): Promise<string[]> {
  const db = openReader(join(appliance.folder, "data"));
  try {
    const look = () => {
      const open = db.$client
        .query<Open, []>(
          `SELECT s.id, s.username, u.package_id AS packageId, s.framed_ip AS ip FROM sessions s
           JOIN subscribers u ON u.id = s.subscriber_id WHERE s.stopped_at IS NULL`,
        )
        .all();
      return [...missing(open, shaper()), ...strange(open, shaper())];
    };
    let wrong = look();
    for (const end = performance.now() + 120_000; wrong.length > 0 && performance.now() < end; wrong = look())
      await Bun.sleep(100);
    return wrong;
  } finally {
    db.$client.close();
  }
}

function missing(open: readonly Open[], { circuits }: Shaper): string[] {
  return open.flatMap(({ id, username, packageId, ip }) => {
    const found = circuits.get(`127.0.0.1 ${id}`);
    const [upload, download] = RATES[packageId - 1] ?? [];
    if (!found) return [`${username} is online, and the shaper does not know`];
    const isSame = found.upload === upload && found.download === download && found.ip === ip;
    return isSame ? [] : [`${username} has ${found.upload}/${found.download}, not ${upload}/${download}`];
  });
}

function strange(open: readonly Open[], { circuits }: Shaper): string[] {
  const keys = new Set(open.map(({ id }) => `127.0.0.1 ${id}`));
  return [...circuits].flatMap(([key, { username }]) =>
    keys.has(key) ? [] : [`${username} is offline, and the shaper holds ${key}`],
  );
}
