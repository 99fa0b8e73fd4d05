import type { Notes } from "../notes.ts";
import type { Network } from "./network.ts";
import { Routers, type SentReport } from "./routers.ts";

/** Milliseconds that a part is away at the most, and between two blows. */
const AWAY = 1500;
const BETWEEN = 400;
/** Reports of a session before it ends. */
const REPORTS = 6;

interface Blows {
  readonly count: number;
  readonly draw: () => number;
  readonly subscribers: number;
  /** Routers that report at once, and milliseconds that each waits before the next one. */
  readonly workers: number;
  readonly pace: number;
  readonly log: (line: string) => void;
}

/** Ends parts at any moment, or makes them stand still, while routers report, and holds the books against what the routers know. */
export async function killParts(network: Network, notes: Notes, blows: Blows): Promise<void> {
  await using routers = new Routers(network, "81");
  const shift = { isOver: false };
  const work = async (worker: number) => {
    for (let nth = 0; !shift.isOver; nth++) {
      // of one name no two sessions at once
      const user = ((nth * blows.workers + worker) % blows.subscribers) + 1;
      const session = routers.begin(user, worker);
      await routers.login(user, worker);
      await routers.report(session, "Start");
      for (let report = 0; report < REPORTS && !shift.isOver; report++) {
        if (blows.pace > 0) await Bun.sleep(blows.pace);
        await routers.report(session, "Interim-Update");
      }
      if (!shift.isOver) await routers.report(session, "Stop");
    }
  };
  const working = Promise.all(Array.from({ length: blows.workers }, (_, worker) => work(worker)));
  const struck = new Map<string, number>();
  try {
    for (let nth = 0; nth < blows.count; nth++) {
      await Bun.sleep(BETWEEN * blows.draw());
      const part = network.parts[Math.floor(blows.draw() * network.parts.length)];
      if (!part) continue;
      const isKill = blows.draw() < 0.75;
      struck.set(part.name, (struck.get(part.name) ?? 0) + 1);
      const away = AWAY * blows.draw();
      if (isKill) await part.kill();
      else process.kill(part.pid(), "SIGSTOP");
      await Bun.sleep(away);
      if (isKill) await part.start();
      else process.kill(part.pid(), "SIGCONT");
    }
  } finally {
    shift.isOver = true;
    await working;
  }
  await endAll(routers, notes);
  notes.expect(
    await network.until(() => network.waiting === 0),
    "what boxes have to tell did not come home when all was well again",
  );
  compareSessions(network, notes, routers.sessions);
  blows.log(`${[...struck].map(([name, times]) => `${name} ${times}`).join(", ")} times`);
  notes.figure(
    `accounting records lost, or booked twice, in ${blows.count} blows at books, boxes and nats-server (SIGKILL, a quarter SIGSTOP), while routers go over to the next server`,
    `none of ${routers.answered} in ${routers.sessions.length} sessions; ${routers.failedOver} were answered by another than the nearest`,
  );
  notes.figure(
    "logins meanwhile, by whichever server answered",
    `${routers.logins}, the slowest after ${Math.round(routers.slowest)} ms of tries`,
  );
}

/** Every router tells the end of what it has open, until somebody answers. */
export async function endAll(routers: Routers, notes: Notes): Promise<void> {
  for (const session of routers.sessions) {
    for (let tries = 0; !session.isOver && tries < 20; tries++) await routers.report(session, "Stop");
    notes.expect(session.isOver, "a Stop was answered by nobody although every server was up");
  }
}

interface Booked {
  readonly id: string;
  readonly rows: number;
  readonly octets: number;
  readonly open: number;
}

/** Each session once, with the counters that its router had last, to the byte. */
export function compareSessions(
  network: Network,
  notes: Notes,
  reports: readonly SentReport[],
  /** What usage of days was before them. */
  before = 0,
): void {
  const booked = new Map(
    network.primary
      .rows<Booked>(
        `SELECT acct_session_id AS id, count(*) AS rows, sum(input_octets) AS octets, sum(stopped_at IS NULL) AS open
         FROM sessions GROUP BY acct_session_id`,
      )
      .map((row) => [row.id, row]),
  );
  let octets = 0;
  for (const session of reports) {
    octets += session.octets;
    const row = booked.get(session.id);
    notes.expect(row !== undefined, "a session that was told is not in the books");
    notes.expect(!row || row.rows === 1, "a session is in the books twice");
    notes.expect(
      !row || row.octets === session.octets,
      "a session has other bytes in the books than at its router",
    );
    notes.expect(!row || (row.open === 0) === session.isOver, "a session is shown online or offline wrongly");
  }
  const used = network.primary.one<{ used: number }>(
    "SELECT ifnull(sum(input_octets), 0) AS used FROM usage_days",
  ).used;
  notes.expect(
    used - before === octets,
    `usage of days is ${used - before} bytes, and routers have counted ${octets}`,
  );
}
