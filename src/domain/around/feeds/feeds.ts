import { all, equal, type Value } from "../../../../db/condition.ts";
import { insert } from "../../../../db/insert.ts";
import { type Db, type Tx, write } from "../../../../db/open.ts";
import { feedRouters, feeds } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { type Actor, requireOwnIsp, requireWholeIsp, type Scope } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError, type FieldErrors, rejectFaults } from "../../core/errors/errors.ts";
import { addFault, id, type Input, readFields } from "../../core/fields/fields.ts";
import type { Seconds } from "../../core/time/time.ts";
import { feedFields } from "./fields.ts";

export interface Feed {
  readonly id: number;
  readonly ispId: number;
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly allRouters: number;
  readonly routers: string;
  readonly answeredAt: Seconds | null;
  readonly silentSince: Seconds | null;
  readonly behindSince: Seconds | null;
  readonly waiting: number;
}

const select = `SELECT f.id, f.isp_id AS ispId, f.name, f.address, f.port, f.all_routers AS allRouters, f.answered_at AS answeredAt,
  f.silent_since AS silentSince, f.behind_since AS behindSince, f.waiting,
  coalesce((SELECT group_concat(n.name, ', ') FROM feed_routers r JOIN nas n ON n.id = r.nas_id WHERE r.feed_id = f.id), '') AS routers
  FROM feeds f`;

export function listFeeds(db: Db, by: Actor): Feed[] {
  permit(by, "listFeeds");
  return listed(db, by.scope);
}

function listed({ $client }: Db, { ispId }: Pick<Scope, "ispId">): Feed[] {
  const { text, values } = all(equal("f.isp_id", ispId));
  return $client.query<Feed, Value[]>(`${select} WHERE ${text} ORDER BY f.name, f.id`).all(...values);
}

/** By name or id. Throws `not_found`, `refused` for an ambiguous name. */
export function feedNamed(db: Db, by: Actor, nameOrId: string): Feed {
  permit(by, "feedNamed");
  const found = listed(db, by.scope).filter(
    ({ id: own, name }) => name === nameOrId || String(own) === nameOrId,
  );
  const [first, second] = found;
  if (second)
    throw new DomainError("refused", `several ISPs feed a shaper called ${nameOrId}; name it by its id`, {
      code: "ambiguous",
    });
  if (!first) throw new DomainError("not_found", `no shaper ${nameOrId} is fed; see: gatehouse feed list`);
  return first;
}

interface Routers {
  readonly nasIds?: readonly number[] | null | undefined;
}

/** Throws `invalid` with every fault. */
export function addFeed(
  db: Db,
  by: Actor,
  { input, nasIds = null }: { input: Input } & Routers,
  { now }: { now: Seconds },
): Feed {
  permit(by, "addFeed");
  requireWholeIsp(by, "routers");
  const faults: FieldErrors = {};
  const { isp_id: ispId } = readFields({ isp_id: id }, input, faults, { required: ["isp_id"] });
  const { name, address, port, secret } = readFields(feedFields, input, faults, {
    required: ["name", "address", "secret"],
  });
  if (ispId) requireOwnIsp(by, ispId);
  return write(db, (tx) => {
    if (ispId && name) findNameFault(tx, { id: 0, ispId, name }, faults);
    rejectFaults(faults);
    if (!ispId || !name || !address || !secret) throw new Error("a required field was not checked");
    const feedId = insert(tx, feeds, {
      ispId,
      name,
      address,
      createdAt: now,
      secretSealed: tx.vault.seal(secret),
      ...(port && { port }),
    });
    setRouters(tx, { id: feedId, ispId }, nasIds);
    const after = recordOf(byId(tx, by.scope, feedId));
    audit(tx, by, now, { action: "feed.add", entity: "feed", entityId: feedId, ispId, after });
    return byId(tx, by.scope, feedId);
  });
}

/** Throws `not_found`, `invalid` with every fault. */
export function updateFeed(
  db: Db,
  by: Actor,
  { feedId, input, nasIds }: { feedId: number; input: Input } & Routers,
  { now }: { now: Seconds },
): Feed {
  permit(by, "updateFeed");
  requireWholeIsp(by, "routers");
  const faults: FieldErrors = {};
  const { name, address, port, secret } = readFields(feedFields, input, faults, {
    required: ["name", "address", "secret"],
    partial: true,
  });
  return write(db, (tx) => {
    const before = byId(tx, by.scope, feedId);
    if (name) findNameFault(tx, { ...before, name }, faults);
    rejectFaults(faults);
    const changes = {
      ...(name && { name }),
      ...(address && { address }),
      ...(port && { port }),
      ...(secret && { secretSealed: tx.vault.seal(secret) }),
    };
    if (Object.keys(changes).length > 0) update(tx, feeds, changes, { id: feedId });
    if (nasIds !== undefined) setRouters(tx, before, nasIds);
    const row = byId(tx, by.scope, feedId);
    audit(tx, by, now, {
      action: "feed.set",
      entity: "feed",
      entityId: feedId,
      ispId: row.ispId,
      before: recordOf(before),
      after: { ...recordOf(row), ...(secret && { secret_replaced: true }) },
    });
    return row;
  });
}

export function removeFeed(db: Db, by: Actor, feedId: number, { now }: { now: Seconds }): Feed {
  permit(by, "removeFeed");
  requireWholeIsp(by, "routers");
  return write(db, (tx) => {
    const removed = byId(tx, by.scope, feedId);
    tx.$client.query("DELETE FROM feeds WHERE id = ?").run(feedId);
    audit(tx, by, now, {
      action: "feed.remove",
      entity: "feed",
      entityId: feedId,
      ispId: removed.ispId,
      before: recordOf(removed),
    });
    return removed;
  });
}

function byId({ $client }: Db, { ispId }: Pick<Scope, "ispId">, feedId: number): Feed {
  const { text, values } = all(equal("f.id", feedId), equal("f.isp_id", ispId));
  const found = $client.query<Feed, Value[]>(`${select} WHERE ${text}`).get(...values);
  if (!found) throw new DomainError("not_found", `no shaper ${feedId} is fed`);
  return found;
}

const recordOf = ({ name, address, port, allRouters, routers }: Feed) => ({
  name,
  address,
  port,
  routers: allRouters === 1 ? "all" : routers,
});

function findNameFault(
  { $client }: Tx,
  { id: own, ispId, name }: Pick<Feed, "id" | "ispId" | "name">,
  faults: FieldErrors,
): void {
  const taken = $client
    .query<{ id: number }, [number, string, number]>(
      "SELECT id FROM feeds WHERE isp_id = ? AND name = ? AND id <> ?",
    )
    .get(ispId, name, own);
  if (taken) addFault(faults, "name", `is that of another shaper, ${taken.id}; give it another one`);
}

function setRouters(
  tx: Tx,
  { id: feedId, ispId }: Pick<Feed, "id" | "ispId">,
  nasIds: readonly number[] | null,
): void {
  tx.$client.query("DELETE FROM feed_routers WHERE feed_id = ?").run(feedId);
  update(tx, feeds, { allRouters: nasIds === null ? 1 : 0 }, { id: feedId });
  for (const nasId of new Set(nasIds)) {
    const router = tx.$client
      .query<{ id: number }, [number, number]>("SELECT id FROM nas WHERE id = ? AND isp_id = ?")
      .get(nasId, ispId);
    if (!router) throw new DomainError("not_found", `there is no NAS ${nasId} of that ISP`);
    insert(tx, feedRouters, { feedId, nasId });
  }
}
