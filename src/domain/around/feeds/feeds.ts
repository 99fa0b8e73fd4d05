import { all, equal, type Value } from "../../../../db/condition.ts";
import { insert } from "../../../../db/insert.ts";
import { type Db, type Tx, write } from "../../../../db/open.ts";
import { feedRouters, feeds } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { type Actor, requireWholeIsp, type Scope } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { audit, auditEntry } from "../../core/audit/audit.ts";
import { DomainError, type Faults, rejectFaults, known } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { addFault, type Input, readFields, type Values } from "../../core/fields/fields.ts";
import { ispForNewRow } from "../../core/references/references.ts";
import type { Seconds } from "../../core/time/time.ts";
import { feedFields, newFeedFields } from "./fields.ts";

/** A shaper that is told of sessions, and how that goes. */
export interface Feed {
  readonly id: number;
  readonly ispId: number;
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly allRouters: number;
  /** With commas between; empty where it is told of all of the ISP. */
  readonly routers: string;
  /** As JSON. */
  readonly routerIds: string;
  readonly answeredAt: Seconds | null;
  readonly silentSince: Seconds | null;
  readonly behindSince: Seconds | null;
  readonly waiting: number;
  readonly disabledAt: Seconds | null;
  readonly createdAt: Seconds;
}

interface At {
  readonly now: Seconds;
}

const select = `SELECT f.id, f.isp_id AS ispId, f.name, f.address, f.port, f.all_routers AS allRouters, f.answered_at AS answeredAt,
  f.silent_since AS silentSince, f.behind_since AS behindSince, f.waiting, f.disabled_at AS disabledAt, f.created_at AS createdAt,
  coalesce((SELECT group_concat(n.name, ', ') FROM feed_routers r JOIN nas n ON n.id = r.nas_id WHERE r.feed_id = f.id), '') AS routers,
  (SELECT json_group_array(r.nas_id) FROM feed_routers r WHERE r.feed_id = f.id) AS routerIds
  FROM feeds f`;

export function listFeeds(db: Db, by: Actor): Feed[] {
  permit(by, "listFeeds");
  return listed(db, by.scope);
}

function listed({ $client }: Db, { ispId }: Pick<Scope, "ispId">): Feed[] {
  const { text, values } = all(equal("f.isp_id", ispId));
  return $client.query<Feed, Value[]>(`${select} WHERE ${text} ORDER BY f.name, f.id`).all(...values);
}

/** The shaper of an id. Throws `not_found`. */
export function feedById(db: Db, by: Actor, { id }: { id: number }): Feed {
  permit(by, "feedById");
  return byId(db, by.scope, id);
}

/** The shaper of a name or an id. Throws `not_found`, and `refused` where several ISPs have the name. */
export function feedNamed(db: Db, by: Actor, nameOrId: string): Feed {
  permit(by, "feedNamed");
  const found = listed(db, by.scope).filter(
    ({ id: own, name }) => name === nameOrId || String(own) === nameOrId,
  );
  const [first, second] = found;
  if (second)
    throw new DomainError(
      "refused",
      phrase`several ISPs feed a shaper called ${nameOrId}; name it by its id`,
      {
        code: "ambiguous",
      },
    );
  if (!first)
    throw new DomainError("not_found", phrase`no shaper ${nameOrId} is fed; see: gatehouse feed list`);
  return first;
}

/** Adds a shaper to an ISP, of all its routers where none are named. Throws `invalid` with every fault. */
export function createFeed(db: Db, by: Actor, input: Input, { now }: At): Feed {
  permit(by, "createFeed");
  requireWholeIsp(by, "routers");
  const faults: Faults = {};
  const sent = readFields(newFeedFields, input, faults, { required: ["name", "address", "secret"] });
  return write(db, (tx) => {
    const { name, address, port, secret } = sent;
    const ispId = ispForNewRow(tx, by, sent.isp_id);
    if (name) findNameFault(tx, { id: 0, ispId, name }, faults);
    findRouterFault(tx, ispId, sent, faults);
    rejectFaults(faults);
    if (!name || !address || !secret) throw new Error("a required field was not checked");
    const id = insert(tx, feeds, {
      ispId,
      name,
      address,
      createdAt: now,
      secretSealed: tx.vault.seal(secret),
      ...(port && { port }),
    });
    setRouters(tx, id, sent);
    const made = byId(tx, by.scope, id);
    audit(tx, by, now, { ...entry(made, "create"), after: auditRecord(made) });
    return made;
  });
}

/** Changes what is named of a shaper. Throws `not_found`, and `invalid` with every fault. */
export function updateFeed(
  db: Db,
  by: Actor,
  { id, input }: { id: number; input: Input },
  { now }: At,
): Feed {
  permit(by, "updateFeed");
  requireWholeIsp(by, "routers");
  const faults: Faults = {};
  const sent = readFields(feedFields, input, faults, {
    required: ["name", "address", "secret"],
    partial: true,
  });
  return write(db, (tx) => {
    const { name, address, port, secret } = sent;
    const before = byId(tx, by.scope, id);
    if (name) findNameFault(tx, { ...before, name }, faults);
    findRouterFault(tx, before.ispId, sent, faults);
    rejectFaults(faults);
    const changes = {
      ...(name && { name }),
      ...(address && { address }),
      ...(port && { port }),
      ...(secret && { secretSealed: tx.vault.seal(secret) }),
    };
    if (Object.keys(changes).length > 0) update(tx, feeds, changes, { id });
    setRouters(tx, id, sent);
    const changed = byId(tx, by.scope, id);
    audit(tx, by, now, {
      ...entry(changed, "update"),
      before: auditRecord(before),
      after: { ...auditRecord(changed), ...(secret && { secret_replaced: true }) },
    });
    return changed;
  });
}

/** Tells a shaper nothing any more, or all anew; what it was told last ends there by itself. Throws `not_found`. */
export function setFeedEnabled(
  db: Db,
  by: Actor,
  { id, enabled }: { id: number; enabled: boolean },
  { now }: At,
): Feed {
  permit(by, "setFeedEnabled");
  requireWholeIsp(by, "routers");
  return write(db, (tx) => {
    const before = byId(tx, by.scope, id);
    if (enabled === (before.disabledAt === null)) return before;
    const none = { silentSince: null, behindSince: null, waiting: 0 };
    update(tx, feeds, { disabledAt: enabled ? null : now, ...none }, { id });
    const changed = byId(tx, by.scope, id);
    const { name } = changed;
    audit(tx, by, now, { ...entry(changed, enabled ? "enable" : "disable"), after: { name } });
    return changed;
  });
}

/** Removes a shaper, which hears nothing more; what it was told last ends there by itself. Throws `not_found`. */
export function deleteFeed(db: Db, by: Actor, { id }: { id: number }, { now }: At): Feed {
  permit(by, "deleteFeed");
  requireWholeIsp(by, "routers");
  return write(db, (tx) => {
    const gone = byId(tx, by.scope, id);
    tx.$client.query<unknown, [number]>("DELETE FROM feeds WHERE id = ?").run(id);
    audit(tx, by, now, { ...entry(gone, "delete"), before: auditRecord(gone) });
    return gone;
  });
}

function byId({ $client }: Pick<Db, "$client">, { ispId }: Pick<Scope, "ispId">, feedId: number): Feed {
  const { text, values } = all(equal("f.id", feedId), equal("f.isp_id", ispId));
  return known(
    $client.query<Feed, Value[]>(`${select} WHERE ${text}`).get(...values),
    phrase`there is no shaper ${feedId}`,
  );
}

const entry = auditEntry("feed");

/** The shaper as the audit log keeps it: everything but the secret. */
const auditRecord = ({ name, address, port, allRouters, routers }: Feed) => ({
  name,
  address,
  port,
  routers: allRouters === 1 ? "all" : routers,
});

function findNameFault(
  { $client }: Tx,
  { id: own, ispId, name }: Pick<Feed, "id" | "ispId" | "name">,
  faults: Faults,
): void {
  const taken = $client
    .query<{ id: number }, [number, string, number]>(
      "SELECT id FROM feeds WHERE isp_id = ? AND name = ? AND id <> ?",
    )
    .get(ispId, name, own);
  if (taken) addFault(faults, "name", phrase`is that of another shaper, ${taken.id}; give it another one`);
}

type Sent = Pick<Values<typeof feedFields>, "router_ids">;

function findRouterFault({ $client }: Tx, ispId: number, { router_ids: ids }: Sent, faults: Faults): void {
  if (!ids || ids === "all") return;
  const known = $client.query<{ id: number }, [number, number]>(
    "SELECT id FROM nas WHERE id = ? AND isp_id = ?",
  );
  const other = ids.find((id) => known.get(id, ispId) === null);
  if (other !== undefined) addFault(faults, "router_ids", phrase`${other} is no router of that ISP`);
}

/** Sets the routers of a shaper; null is all, as where nothing is said of a new one. */
function setRouters(tx: Tx, feedId: number, { router_ids: ids }: Sent): void {
  if (ids === undefined) return;
  const isAll = ids === null || ids === "all";
  tx.$client.query<unknown, [number]>("DELETE FROM feed_routers WHERE feed_id = ?").run(feedId);
  update(tx, feeds, { allRouters: isAll ? 1 : 0 }, { id: feedId });
  if (!isAll) for (const nasId of new Set(ids)) insert(tx, feedRouters, { feedId, nasId });
}
