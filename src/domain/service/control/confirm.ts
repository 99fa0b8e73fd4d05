import type { Db } from "../../../../db/open.ts";
import type { Session } from "../sessions/advance.ts";
import type { Holder, OnlineUser, Routers } from "./routers.ts";

/** Milliseconds between two checks of the store, and of a router. */
const LOOK_EVERY = 50;
const ASK_EVERY = 250;
/** Longest disconnect in milliseconds. */
const TOTAL = 10_000;

interface Confirmation {
  routers: Pick<Routers, "find">;
  /** Start time, performance.now(). */
  since: number;
  /** Seconds to wait at most; 0 does not check. */
  patience: number;
}

/**
 * Whether disconnected sessions are seen gone in time: by Stop, or absence from the router's active list. null: a session known
 * only to the router.
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

function hasStopped(db: Db, ended: readonly (Session | null)[]): boolean {
  const ids = ended.flatMap((session) => session?.id ?? []);
  if (ids.length < ended.length) return false;
  const statement = db.$client.query<{ closedBy: string | null }, [string]>(
    "SELECT closed_by AS closedBy FROM sessions WHERE id IN (SELECT value FROM json_each(?))",
  );
  return statement.all(JSON.stringify(ids)).every(({ closedBy }) => closedBy === "stop");
}

/** Polls until no list has a session; gives up when a router cannot be asked. */
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

/** A shorter uptime than `elapsed` means the subscriber has reconnected. */
function isSame({ address, uptime }: OnlineUser, session: Session | null, elapsed: number): boolean {
  const framedIp = session?.framedIp ?? null;
  return (framedIp === null || address === framedIp) && (uptime === null || uptime > elapsed);
}
