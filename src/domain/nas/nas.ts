import { asc, eq } from "drizzle-orm";
import { type Db, type Tx, write } from "../../../db/open.ts";
import { isps, nas, subscribers } from "../../../db/schema.ts";
import { audit } from "../audit.ts";
import { DomainError, type FieldErrors, rejectFaults } from "../errors.ts";
import type { Input } from "../fields.ts";
import { ispOfNewRow, storedReferences } from "../references.ts";
import type { Actor } from "../staff/actor.ts";
import type { Seconds } from "../time.ts";
import { nasColumns, nasRow } from "./columns.ts";
import { readNas } from "./fields.ts";
import { findNasFaults, storedNas } from "./rules.ts";
import { forgetMessageAuthenticators } from "./sources.ts";

export type Nas = typeof nas.$inferSelect;

interface Change {
  now: Seconds;
  by: Actor;
}

/** Adds a router. Throws `invalid` with every fault: an ISP that is not there, an address or name that another NAS has. */
export function addNas(db: Db, input: Input, { now, by }: Change): Nas {
  const faults: FieldErrors = {};
  const values = readNas(input, faults);
  return write(db, (tx) => {
    const isp = ispOfNewRow(storedReferences(tx), values.isp_id, faults);
    findNasFaults(storedNas(tx, by.scope), { id: 0, isp, values }, faults);
    rejectFaults(faults);
    const row = tx
      .insert(nas)
      .values(nasRow(tx, values, now))
      .returning()
      .get();
    audit(tx, by, now, {
      action: "nas.add",
      entity: "nas",
      entityId: row.id,
      ispId: row.ispId,
      after: nasRecord(row),
    });
    return row;
  });
}

/**
 * Changes what `input` names of a router; with `forget`, "auto" begins anew for one address or all. Throws `not_found`,
 * `invalid` with every fault, and `refused` when there is nothing to forget.
 */
export function updateNas(
  db: Db,
  {
    nasId,
    input,
    forget,
    now,
    by,
  }: { nasId: number; input: Input; forget?: string | true | undefined } & Change,
): Nas {
  return write(db, (tx) => {
    const before = tx.select().from(nas).where(eq(nas.id, nasId)).get();
    if (!before) throw new DomainError("not_found", `there is no NAS ${nasId}`);
    const faults: FieldErrors = {};
    const values = readNas(input, faults, { partial: true, hasRouteros: before.routerosHost !== null });
    findNasFaults(storedNas(tx, by.scope), { id: nasId, isp: before.ispId, values }, faults);
    rejectFaults(faults);
    const forgotten = forget === undefined ? [] : forgetMessageAuthenticators(tx, nasId, forget);
    const changes = nasColumns(tx, values, before);
    const row = Object.values(changes).some((value) => value !== undefined)
      ? tx.update(nas).set(changes).where(eq(nas.id, nasId)).returning().get()
      : before;
    const forgets = forgotten.length > 0 && { message_authenticators_forgotten: forgotten };
    audit(tx, by, now, {
      action: "nas.set",
      entity: "nas",
      entityId: nasId,
      ispId: row.ispId,
      before: nasRecord(before),
      after: { ...nasRecord(row), ...forgets },
    });
    return row;
  });
}

/** The ISP of a router for which none is named. Throws `refused` unless there is exactly one. */
export function onlyIsp(db: Db, question = "whose router it is"): number {
  const [first, second] = db.select({ id: isps.id }).from(isps).limit(2).all();
  if (!first)
    throw new DomainError("refused", "there is no ISP yet; import one first: gatehouse import FILE");
  if (second) throw new DomainError("refused", `there are several ISPs; say ${question}: --isp ID`);
  return first.id;
}

/** Every NAS, by ISP and name. */
export function listNas(db: Db): Nas[] {
  return db.select().from(nas).orderBy(asc(nas.ispId), asc(nas.name)).all();
}

/** The NAS with this name, address or id. Throws `not_found`, and `refused` when several ISPs have one of that name. */
export function nasNamed(db: Db, nameOrAddress: string): Nas {
  const all = listNas(db);
  const byAddress = all.find(({ address, id }) => address === nameOrAddress || String(id) === nameOrAddress);
  const byName = all.filter(({ name }) => name === nameOrAddress);
  const [first, second] = byName;
  if (second) {
    throw new DomainError(
      "refused",
      `several NAS are called ${nameOrAddress}; name one by its address: ${byName.map(({ address }) => address).join(", ")}`,
    );
  }
  const found = first ?? byAddress;
  if (!found) throw new DomainError("not_found", `there is no NAS ${nameOrAddress}; see: gatehouse nas list`);
  return found;
}

/**
 * Removes a router; its sessions stay in the books. Throws `refused` while subscribers point at it, unless `detach` leaves
 * them without one. Returns what was removed and how many were detached.
 */
export function removeNas(
  db: Db,
  { nasId, detach, now, by }: { nasId: number; detach: boolean } & Change,
): { removed: Nas; detached: number } {
  return write(db, (tx) => {
    const removed = tx.select().from(nas).where(eq(nas.id, nasId)).get();
    if (!removed) throw new DomainError("not_found", `there is no NAS ${nasId}`);
    const detached = detachSubscribers(tx, removed, detach, now);
    tx.delete(nas).where(eq(nas.id, nasId)).run();
    audit(tx, by, now, {
      action: "nas.remove",
      entity: "nas",
      entityId: nasId,
      ispId: removed.ispId,
      before: { ...nasRecord(removed), subscribers_detached: detached },
    });
    return { removed, detached };
  });
}

/** A NAS as the command line shows it and the audit trail keeps it: everything but the secrets. */
export function nasRecord(row: Nas) {
  return {
    id: row.id,
    isp_id: row.ispId,
    name: row.name,
    address: row.address,
    require_message_authenticator: row.requireMessageAuthenticator,
    swap_octets: row.swapOctets === 1,
    coa_port: row.coaPort,
    coa_event_timestamp: row.coaEventTimestamp === 1,
    disconnect_method: row.disconnectMethod,
    mppe: row.mppe,
    routeros:
      row.routerosHost === null
        ? null
        : {
            host: row.routerosHost,
            port: row.routerosPort,
            username: row.routerosUsername,
            tls: row.routerosTls === 1,
            tls_fingerprint: row.routerosTlsFingerprint,
          },
  };
}

function detachSubscribers(tx: Tx, { id, name }: Nas, detach: boolean, now: Seconds): number {
  const usernames = tx
    .select({ username: subscribers.username })
    .from(subscribers)
    .where(eq(subscribers.nasId, id))
    .orderBy(asc(subscribers.usernameKey))
    .all()
    .map(({ username }) => username);
  if (usernames.length > 0 && !detach) {
    const more = usernames.length > 3 ? ` and ${usernames.length - 3} more` : "";
    throw new DomainError(
      "refused",
      `subscribers point at the NAS ${name}: ${usernames.slice(0, 3).join(", ")}${more}; give them another one, or use --detach to leave them without`,
    );
  }
  tx.update(subscribers).set({ nasId: null, updatedAt: now }).where(eq(subscribers.nasId, id)).run();
  return usernames.length;
}
