import { createHash } from "node:crypto";
import { type Db, type Tx, writePatiently } from "../../../../db/open.ts";
import { audit } from "../../core/audit/audit.ts";
import { type Actor, requireWholeIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { findNas, type Nas } from "../../goods/nas/find.ts";
import { alone } from "../../goods/router-setup/alone.ts";
import { carryOut, type CarriedOut } from "../../goods/router-setup/carry-out.ts";
import type { RouterMenus } from "../../goods/router-setup/menus.ts";
import { noteGarden, noteProfiles } from "../../goods/router-setup/garden.ts";
import { buildModel } from "../../goods/router-setup/garden/model.ts";
import { keepMemory, readMemory, type RouterLogin, storedLogin } from "../../goods/router-setup/memory.ts";
import { type Change, remember } from "../../goods/router-setup/plan.ts";
import { isSecret } from "../../goods/router-setup/values.ts";
import { findingsById } from "./findings.ts";
import type { Found } from "./found.ts";
import {
  type Look,
  lookThrough,
  takeSnapshot,
  watchedRouter,
  watchThrough,
  type WatchTools,
} from "./watch.ts";

/** Findings to fix, and the login for it; else the stored account. */
export interface MendRequest {
  readonly nasId: number;
  readonly ids: readonly number[];
  readonly login?: RouterLogin | undefined;
}

export interface MendDifference {
  readonly version: string;
  readonly changes: readonly Change[];
  readonly gone: number;
  /** Changes with the difference; reveals no secret. */
  readonly digest: string;
}

/** Reads a router and returns what fixing would change. Changes nothing. Throws `not_found`, `refused`, `router_failed`. */
export async function mendDifference(
  db: Db,
  by: Actor,
  request: MendRequest,
  tools: WatchTools,
): Promise<MendDifference> {
  permit(by, "mendDifference");
  requireWholeIsp(by, "routers");
  const { router, login } = findRouter(db, by, request);
  return tools.nasTools.open(router, login, async (menus) => {
    const look = await lookThrough(db, router, menus, tools);
    return findDifference(db, look, request);
  });
}

/** The result; `other`: the router changed since the confirmation, and nothing was done. */
export interface Mended {
  readonly difference: MendDifference;
  readonly outcome: CarriedOut | { readonly kind: "other" };
}

/**
 * Fixes findings and checks the router again, where one check is enough. `digest` is of the confirmed difference. What it
 * changes of somebody's is kept for a removal. Throws as `mendDifference`, and `conflict` while another fix runs.
 */
export async function mendFindings(
  db: Db,
  by: Actor,
  request: MendRequest & { readonly digest: string },
  tools: WatchTools,
): Promise<Mended> {
  permit(by, "mendFindings");
  requireWholeIsp(by, "routers");
  const { router, login } = findRouter(db, by, request);
  const open = <T>(body: (menus: RouterMenus) => Promise<T>) => tools.nasTools.open(router, login, body);
  return alone(db, router, () =>
    open(async (menus) => {
      const look = await lookThrough(db, router, menus, tools);
      const difference = findDifference(db, look, request);
      if (difference.digest !== request.digest) return { difference, outcome: { kind: "other" } };
      const outcome = await carried(db, by, router, {
        look,
        changes: difference.changes,
        menus,
        open,
        tools,
      });
      if (outcome.kind === "done") await watchThrough(db, router, menus, { ...tools, isSure: true });
      return { difference, outcome };
    }),
  );
}

interface Carried {
  readonly look: Look;
  readonly changes: readonly Change[];
  readonly menus: RouterMenus;
  readonly open: <T>(body: (menus: RouterMenus) => Promise<T>) => Promise<T>;
  readonly tools: WatchTools;
}

async function carried(
  db: Db,
  by: Actor,
  router: Nas,
  { look, changes, menus, open, tools }: Carried,
): Promise<CarriedOut> {
  const before = readMemory(db, router.id);
  const now = tools.clock();
  // before the first change, so that the old values survive an interruption
  await writePatiently(db, (tx) => keepMemory(tx, router.id, remember(before, changes), now));
  const snapshot = takeSnapshot(
    look,
    changes.map(({ menu }) => menu),
  );
  const outcome = await carryOut(menus, changes, { open, snapshot, tell: () => {} });
  await writePatiently(db, (tx) => {
    const there = findNas(tx, router.id);
    if (!there) return;
    if (outcome.kind === "done") noteMadeGarden(tx, there, look, changes);
    if (outcome.kind === "undone") keepMemory(tx, router.id, before, now);
    const did = changes.map(({ kind, menu, key }) => [kind, menu, ...Object.values(key)].join(" "));
    const after =
      outcome.kind === "done"
        ? { did }
        : { outcome: outcome.kind, failed: outcome.failed.menu, reason: outcome.reason.toString() };
    audit(tx, by, now, {
      action: "nas.mended",
      entity: "nas",
      entityId: router.id,
      ispId: router.ispId,
      after,
    });
  });
  return outcome;
}

/** Records the walled garden's version, when its rules or profiles are current. */
function noteMadeGarden(tx: Tx, router: Nas, { made, reading }: Look, changes: readonly Change[]): void {
  if (!("wanted" in made)) return;
  const menus = new Set(changes.filter(({ part }) => part === "walled").map(({ menu }) => menu));
  if (menus.has("/ppp/profile")) noteProfiles(tx, router, buildModel(reading).servers, made.profiles);
  if (menus.has("/ip/firewall/filter")) noteGarden(tx, router);
}

function findRouter(db: Db, by: Actor, { nasId, login }: MendRequest): { router: Nas; login: RouterLogin } {
  const router = watchedRouter(db, by.scope, nasId);
  const used = login ?? storedLogin(db, router);
  if (used) return { router, login: used };
  throw new DomainError("refused", phrase`there is no account for the API of ${router.name}`, {
    code: "no_router_api",
  });
}

/** Changes for the present findings, each once. Throws `refused` for one that the API cannot fix. */
function findDifference(db: Db, { judged, reading }: Look, request: MendRequest): MendDifference {
  const findings = findingsById(db, request);
  const there = findings.map(({ kind, key }) =>
    judged.found.find((one) => one.kind === kind && one.key === key),
  );
  const fixed = there.filter((one) => one !== undefined);
  const stuck = fixed.find(({ fix }) => fix.length === 0);
  if (stuck)
    throw new DomainError(
      "refused",
      phrase`the API cannot mend this; do at the router what stands beside it, and the next look sees it`,
      { code: "no_router_api" },
    );
  const changes = eachOnce(fixed);
  const steps = changes.map(({ kind, menu, id, key, values, place }) => [
    ...[kind, menu, id, key, place ?? null],
    Object.entries(values).map(([name, value]) => [name, isSecret(name) ? "" : value]),
  ]);
  const digest = createHash("sha256").update(JSON.stringify(steps)).digest("hex");
  return { version: reading.version.text, changes, gone: there.length - fixed.length, digest };
}

function eachOnce(found: readonly Found[]): Change[] {
  const all = found.flatMap(({ fix }) => fix);
  return [...new Map(all.map((change) => [JSON.stringify(change), change])).values()];
}
