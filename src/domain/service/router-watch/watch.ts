import { type Db, writePatiently } from "../../../../db/open.ts";
import { all, equal } from "../../../../db/condition.ts";
import { type Actor, requireWholeIsp, type Scope } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import type { Clock, Seconds } from "../../core/time/time.ts";
import type { Arrivals } from "../../goods/nas/arrivals.ts";
import { findNas, type Nas, nasById, nasWhere } from "../../goods/nas/find.ts";
import { modelMenus } from "../../goods/router-setup/garden/model.ts";
import { isBeingSetUp } from "../../goods/router-setup/alone.ts";
import type { RouterMenus } from "../../goods/router-setup/menus.ts";
import { requestedPlaces, readMemory, noteRequested, storedLogin } from "../../goods/router-setup/memory.ts";
import { placeAt } from "../../goods/router-setup/places.ts";
import { listMenus } from "../../goods/router-setup/plan.ts";
import { scriptFor } from "../../goods/router-setup/setup.ts";
import type { NasTools } from "../../goods/router-setup/tools.ts";
import { type Item, isYes } from "../../goods/router-setup/values.ts";
import { apiCallers, desiredState } from "../../goods/router-setup/desired.ts";
import { MARK } from "../../goods/router-setup/mark.ts";
import type { RadiusPlace } from "../../goods/router-setup/parts.ts";
import { lastSeen } from "../../goods/nas/last-seen.ts";
import { type Judged, judge } from "./judge.ts";
import { type Facts, type Made, madeOr, readKnown } from "./known.ts";
import { withLoad } from "./load.ts";
import { noteFindings, type Noted } from "./note.ts";
import { menuRows, type Reading, readRouter } from "./reading.ts";
import { countOthers } from "./rows/names.ts";
import { readBadReplies } from "./rows/radius.ts";

export interface WatchTools {
  readonly clock: Clock;
  readonly arrivals: Arrivals;
  readonly nasTools: Pick<NasTools, "open" | "findPlace" | "ownAddress">;
  /** Since when reports are received without a gap, if by this process. */
  readonly listeningSince?: Seconds | undefined;
}

/** The part of a router's API that changes nothing. */
type ReadRouter = Pick<RouterMenus, "print" | "run">;

/** Routers checked in parallel, and milliseconds per router. */
const AT_ONCE = 4;
const PATIENCE = 10_000;

export type Looked =
  | ({ readonly kind: "read"; readonly nasId: number; readonly name: string } & Noted)
  | { readonly kind: "failed"; readonly nasId: number; readonly name: string; readonly reason: string };

/**
 * Checks every router in scope with an API account, or one, a few in parallel: reads, changes nothing, stores findings. One
 * being set up is skipped. Stops at `signal`.
 */
export async function watchRouters(
  db: Db,
  by: Actor,
  { nasId, signal }: { nasId?: number | undefined; signal?: AbortSignal | undefined },
  tools: WatchTools,
): Promise<Looked[]> {
  permit(by, "watchRouters");
  requireWholeIsp(by, "routers");
  const routers = nasId === undefined ? watchedRouters(db, by) : [watchedRouter(db, by.scope, nasId)];
  const waiting = routers.filter((router) => !isBeingSetUp(db, router)).values();
  const looked: Looked[] = [];
  const work = async () => {
    for (const router of waiting) {
      if (signal?.aborted) return;
      looked.push(await lookAt(db, router, tools));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return looked;
}

const HAS_API = {
  text: "n.kind = 'mikrotik' AND n.routeros_username IS NOT NULL AND n.routeros_password_sealed IS NOT NULL",
  values: [],
};

function watchedRouters(db: Db, { scope }: Actor): Nas[] {
  return nasWhere(db, all(HAS_API, equal("n.isp_id", scope.ispId)), "ORDER BY n.id");
}

/** Throws `not_found`, and `refused` for one that cannot be checked. */
export function watchedRouter(db: Db, scope: Scope, nasId: number): Nas {
  const router = nasById(db, scope, nasId);
  if (router.kind !== "mikrotik")
    throw new DomainError(
      "refused",
      phrase`${router.name} is of kind ${router.kind} and has no RouterOS API to look at`,
      { code: "no_router_api" },
    );
  if (storedLogin(db, router)) return router;
  throw new DomainError(
    "refused",
    phrase`there is no account for the API of ${router.name}; make one with: gatehouse nas setup, or have what gatehouse nas script prints pasted there`,
    { code: "no_router_api" },
  );
}

async function lookAt(db: Db, router: Nas, tools: WatchTools): Promise<Looked> {
  const { id: nasId, name } = router;
  const login = storedLogin(db, router);
  try {
    if (!login)
      throw new DomainError("refused", phrase`there is no account for its API`, { code: "no_router_api" });
    const noted = await tools.nasTools.open(router, login, (menus) =>
      watchThrough(db, router, withinTime(menus, name), { ...tools, isSure: false }),
    );
    return { kind: "read", nasId, name, ...noted };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    await noteFailure(db, router, { reason: error.message, now: tools.clock() });
    return { kind: "failed", nasId, name, reason: error.message };
  }
}

/** The same router, which fails after its time limit. */
function withinTime(menus: RouterMenus, name: string): ReadRouter {
  const over = AbortSignal.timeout(PATIENCE);
  const late = new DomainError("router_failed", phrase`${name} took longer than ${PATIENCE / 1000} s in all`);
  const { promise: end, reject } = Promise.withResolvers<never>();
  end.catch(() => {}); // nobody may wait when it comes
  over.addEventListener("abort", () => reject(late));
  return {
    print: (...query) => Promise.race([over.aborted ? end : menus.print(...query), end]),
    run: (...query) => Promise.race([over.aborted ? end : menus.run(...query), end]),
  };
}

/** A check over an open connection, which updates findings; `isSure`: one is enough. */
export async function watchThrough(
  db: Db,
  router: Nas,
  menus: ReadRouter,
  { isSure, ...tools }: WatchTools & { readonly isSure: boolean },
): Promise<Noted> {
  const look = await lookThrough(db, router, menus, tools);
  return writePatiently(db, (tx) => {
    const now = findNas(tx, router.id);
    // deleted meanwhile
    if (!now) return { drifted: 0, mended: 0 };
    if (look.learned) noteRequested(tx, now, look.learned);
    noteReading(tx, now, look, tools.clock());
    return noteFindings(tx, now, look.judged, { now: tools.clock(), isSure });
  });
}

export interface Look {
  readonly reading: Reading;
  readonly judged: Judged;
  readonly facts: Facts;
  readonly made: Made;
  /** RADIUS servers found at the first check of a router without a set-up. */
  readonly learned: readonly RadiusPlace[] | null;
}

export async function lookThrough(
  db: Db,
  router: Nas,
  open: ReadRouter,
  { clock, arrivals, nasTools, listeningSince }: WatchTools,
): Promise<Look> {
  const now = clock();
  const menus = readOnce(open);
  const learned = await placesLearned(db, router, menus, now);
  const asksAt = learned ? JSON.stringify(learned) : router.asksAt;
  const places = requestedPlaces({ asksAt });
  const made = await madeOr(async () => {
    const script = await scriptFor(db, router, {
      account: null,
      menus,
      mode: "setup",
      tools: { now, findPlace: placeAt(nasTools.findPlace, places), ownAddress: nasTools.ownAddress },
    });
    // a read-only account cannot list users
    const target = desiredState(script).filter(({ part }) => part !== "api");
    return {
      wanted: target,
      memory: readMemory(db, router.id),
      lists: script.expiredLists,
      profiles: script.found?.profiles ?? [],
      callers: apiCallers(script),
    };
  });
  const query = [...modelMenus, ...("wanted" in made ? listMenus(made.wanted) : [])];
  const eachOnce = new Map(query.map((one) => [JSON.stringify([one.menu, one.only]), one]));
  const reading = await readRouter(menus, [...eachOnce.values()], clock);
  const before = readFacts(db, router.id);
  const since = listeningSince ?? before.listeningSince;
  const kept: Facts = { since: now, ...before, ...(since !== undefined && { listeningSince: since }) };
  const known = await readKnown(db, router, reading, { made, facts: kept, arrivals, now });
  const load = withLoad(before.load, reading, now);
  const facts: Facts = {
    ...kept,
    badReplies: readBadReplies(reading),
    others: countOthers(reading, known),
    ...(load && { load }),
  };
  return { reading, judged: judge(reading, known), facts, made, learned };
}

/** Caches each menu. */
function readOnce({ print, run }: ReadRouter): ReadRouter {
  const known = new Map<string, ReturnType<RouterMenus["print"]>>();
  return {
    run,
    print: (menu, only = {}, properties = undefined) =>
      known.getOrInsertComputed(JSON.stringify([menu, only, properties]), () =>
        print(menu, only, properties),
      ),
  };
}

/** Seconds within which a router that sends requests has the right servers. */
const LATELY = 7200;

/** RADIUS servers of a router without a set-up: its rows for us, if heard lately, as they evidently work. null: it was set up, or shows nothing. */
async function placesLearned(
  db: Db,
  router: Nas,
  menus: Pick<RouterMenus, "print">,
  now: Seconds,
): Promise<RadiusPlace[] | null> {
  if (router.asksAt !== null || router.radsec === 1) return null;
  if (now - (lastSeen(db, router.id)?.at ?? 0) > LATELY) return null;
  const rows = (await menus.print("/radius")) ?? [];
  const places = rows.filter((row) => row["comment"] === MARK && !isYes(row["disabled"])).map(toPlace);
  return places.length > 0 ? places : null;
}

function toPlace(row: Item): RadiusPlace {
  const authPort = Number(row["authentication-port"] ?? 1812);
  return { server: row["address"] ?? "", authPort, acctPort: Number(row["accounting-port"] ?? authPort + 1) };
}

function readFacts({ $client }: Db, nasId: number): Facts {
  const row = $client
    .query<{ facts: string }, [number]>("SELECT facts FROM router_readings WHERE nas_id = ?")
    .get(nasId);
  const facts: Facts = row ? JSON.parse(row.facts) : {};
  return facts;
}

function noteReading({ $client }: Db, { id }: Nas, { reading, judged, facts }: Look, now: Seconds): void {
  const unread = [...judged.unlooked].map(([kind, reason]) => ({ kind, reason }));
  $client
    .query<unknown, [number, Seconds, Seconds, string, string, string]>(
      `INSERT INTO router_readings (nas_id, tried_at, read_at, failure, version, unread, facts) VALUES (?, ?, ?, NULL, ?, ?, ?)
       ON CONFLICT (nas_id) DO UPDATE SET tried_at = excluded.tried_at, read_at = excluded.read_at, failure = NULL,
         version = excluded.version, unread = excluded.unread, facts = excluded.facts`,
    )
    .run(id, now, now, reading.version.text, JSON.stringify(unread), JSON.stringify(facts));
}

/** Records a failed check; findings stay. */
async function noteFailure(
  db: Db,
  { id }: Nas,
  { reason, now }: { reason: string; now: Seconds },
): Promise<void> {
  await writePatiently(db, (tx) => {
    if (!findNas(tx, id)) return;
    tx.$client
      .query<unknown, [number, Seconds, string]>(
        `INSERT INTO router_readings (nas_id, tried_at, failure) VALUES (?, ?, ?)
         ON CONFLICT (nas_id) DO UPDATE SET tried_at = excluded.tried_at, failure = excluded.failure`,
      )
      .run(id, now, reason);
  });
}

/** Rows by menu, for undoing a fix. */
export const takeSnapshot = ({ reading }: Look, menus: readonly string[]) =>
  new Map(menus.map((menu) => [menu, menuRows(reading, menu)]));
