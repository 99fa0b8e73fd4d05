import type { Db } from "../../../../db/open.ts";
import type { Session } from "../sessions/advance.ts";
import type { Holder, OnlineUser, Routers } from "./routers.ts";

/** Milliseconds between two looks into the books, and between two questions to a router. */
const LOOK_EVERY = 50;
const ASK_EVERY = 250;
/** A disconnect takes no longer than this in all. */
const TOTAL = 10_000;

interface Confirmation {
  routers: Pick<Routers, "find">;
  /** When the routers were asked, by performance.now(). */
  since: number;
  /** Seconds to wait at the most; 0 does not look at all. */
  patience: number;
}

/**
 * Whether acknowledged sessions are seen to be gone in time: by the routers' Stops, or because their active lists no longer
 * show them. null is what a router calls a session and our store does not have.
 */
export async function isConfirmed(
  db: Db,
  holder: Holder,
  ended: readonly (Session | null)[],
  { routers, since, patience }: Confirmation,
): Promise<boolean> {
  if (patience === 0) return false;
  const end = Math.min(performance.now() + patience * 1000, since + TOTAL);
  const watch = { isOver: false, isUnlisted: false };
  void watchLists(routers, holder, ended, { since, watch });
  try {
    for (;;) {
      if (watch.isUnlisted || hasStopped(db, ended)) return true;
      if (performance.now() >= end) return false;
      await Bun.sleep(LOOK_EVERY);
    }
  } finally {
    watch.isOver = true;
  }
}

/** Whether the Stop of every session has arrived. */
function hasStopped(db: Db, ended: readonly (Session | null)[]): boolean {
  const ids = ended.flatMap((session) => session?.id ?? []);
  if (ids.length < ended.length) return false;
  const statement = db.$client.query<{ closedBy: string | null }, [string]>(
    "SELECT closed_by AS closedBy FROM sessions WHERE id IN (SELECT value FROM json_each(?))",
  );
  return statement.all(JSON.stringify(ids)).every(({ closedBy }) => closedBy === "stop");
}

/** Asks until no list shows a session any more; gives up when a router cannot be asked. */
async function watchLists(
  routers: Pick<Routers, "find">,
  holder: Holder,
  ended: readonly (Session | null)[],
  { since, watch }: { since: number; watch: { isOver: boolean; isUnlisted: boolean } },
): Promise<void> {
  while (!watch.isOver) {
    const answers = await Promise.all(
      ended.map(async (session) => ({ session, answer: await routers.find(holder, session) })),
    );
    const elapsed = (performance.now() - since) / 1000;
    let count = 0;
    for (const { session, answer } of answers) {
      if (answer.kind !== "listed") return;
      if (answer.users.some((user) => isSame(user, session, elapsed))) count++;
    }
    if (count === 0) watch.isUnlisted = true;
    if (count === 0) return;
    await Bun.sleep(ASK_EVERY);
  }
}

/** Whoever has been up for less than `elapsed` seconds is the subscriber that has come back. */
function isSame({ address, uptime }: OnlineUser, session: Session | null, elapsed: number): boolean {
  const framedIp = session?.framedIp ?? null;
  return (framedIp === null || address === framedIp) && (uptime === null || uptime > elapsed);
}
