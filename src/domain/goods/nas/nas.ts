import { SESSION_CHANGED } from "../../../../db/record-changes.ts";
import { all, equal } from "../../../../db/condition.ts";
import { insert } from "../../../../db/insert.ts";
import { type Db, type Tx, write } from "../../../../db/open.ts";
import { nas, subscribers } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError, type Faults, rejectFaults } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { SessionEvents } from "../../core/events/sessions.ts";
import { addFault, type Input } from "../../core/fields/fields.ts";
import { type Actor, ownIsp, requireOwnIsp, requireWholeIsp, type Scope } from "../../core/actor/actor.ts";
import { everything } from "../../core/actor/operator.ts";
import { permit } from "../../core/actor/permissions.ts";
import { checkNewIsp, inOwnIsp, storedReferences } from "../../core/references/references.ts";
import type { Seconds } from "../../core/time/time.ts";
import { nasColumns, nasRow } from "./columns.ts";
import { type NasValues, readNas } from "./fields.ts";
import { type Nas, nasById, nasWhere } from "./find.ts";
import { findMethodFault, findNasFaults, findRadsecFaults, storedNas } from "./rules.ts";
import { forgetMessageAuthenticators } from "./sources.ts";

/** Adds a router, by default to the actor's ISP. Throws `invalid` with every fault. */
export function addNas(db: Db, by: Actor, input: Input, { now }: { now: Seconds }): Nas {
  permit(by, "addNas");
  requireWholeIsp(by, "routers");
  const faults: Faults = {};
  const values = readNas(inOwnIsp(db, by, input), faults);
  if (values.isp_id) requireOwnIsp(by, values.isp_id);
  return write(db, (tx) => {
    const isp = checkNewIsp(storedReferences(tx), values.isp_id, faults);
    findNasFaults(storedNas(tx, by.scope), { id: 0, isp, values }, faults);
    findMethodFault(values, undefined, faults);
    findRadsecFaults(undefined, values, faults);
    rejectFaults(faults);
    const row = nasById(tx, everything, insert(tx, nas, nasRow(tx, values, now)));
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

/** `forget` resets "auto" for an address or all. Throws `not_found`, `invalid` with every fault, `refused` with nothing to forget. */
export function updateNas(
  db: Db,
  by: Actor,
  { nasId, input, forget }: { nasId: number; input: Input; forget?: string | true | undefined },
  { now }: { now: Seconds },
): Nas {
  permit(by, "updateNas");
  requireWholeIsp(by, "routers");
  return write(db, (tx) => {
    const before = nasById(tx, by.scope, nasId);
    const faults: Faults = {};
    const values = readNas(input, faults, { partial: true, hasRouteros: before.routerosHost !== null });
    if (values.isp_id) requireOwnIsp(by, values.isp_id);
    findNasFaults(storedNas(tx, by.scope), { id: nasId, isp: before.ispId, values }, faults);
    findMethodFault(values, before, faults);
    if (by.staffId !== null) findPasswordFault(before, values, faults);
    findRadsecFaults(before, values, faults);
    rejectFaults(faults);
    const forgotten = forget === undefined ? [] : forgetMessageAuthenticators(tx, nasId, forget);
    const changes = nasColumns(tx, values, before);
    if (Object.values(changes).some((value) => value !== undefined)) update(tx, nas, changes, { id: nasId });
    const row = nasById(tx, everything, nasId);
    const forgets = forgotten.length > 0 && { message_authenticators_forgotten: forgotten };
    const replaces = values.secret && { secret_replaced: true };
    audit(tx, by, now, {
      action: "nas.set",
      entity: "nas",
      entityId: nasId,
      ispId: row.ispId,
      before: nasRecord(before),
      after: { ...nasRecord(row), ...forgets, ...replaces },
    });
    return row;
  });
}

/** A new host needs the API password again, or its staff could capture it there. */
function findPasswordFault({ routerosHost }: Nas, { routeros }: NasValues, faults: Faults): void {
  if (routerosHost === null || !routeros?.host || routeros.host === routerosHost || routeros.password) return;
  addFault(
    faults,
    "routeros_password",
    phrase`is required with another routeros_host, which is not sent the one that is kept`,
  );
}

/** Throws `refused` unless there is exactly one. */
export function onlyIsp(db: Db, { scope }: Actor, question = phrase`whose router it is`): number {
  const ispId = ownIsp(db, scope);
  if (ispId !== null) return ispId;
  if (db.$client.query("SELECT 1 FROM isps LIMIT 1").get() === null)
    throw new DomainError(
      "refused",
      phrase`there is no ISP yet; add one first: gatehouse place add isp NAME`,
    );
  throw new DomainError("refused", phrase`there are several ISPs; say ${question}: --isp ID`, {
    code: "isp_required",
  });
}

export function listNas(db: Db, by: Actor): Nas[] {
  permit(by, "listNas");
  return listed(db, by.scope);
}

function listed(db: Db, { ispId }: Scope): Nas[] {
  return nasWhere(db, all(equal("n.isp_id", ispId)), "ORDER BY n.isp_id, n.name");
}

/** The router by name, address or id. Throws `not_found`, `refused` for an ambiguous name. */
export function nasNamed(db: Db, by: Actor, nameOrAddress: string): Nas {
  permit(by, "nasNamed");
  const found = listed(db, by.scope);
  const byAddress = found.find(
    ({ address, id }) => address === nameOrAddress || String(id) === nameOrAddress,
  );
  const byName = found.filter(({ name }) => name === nameOrAddress);
  const [first, second] = byName;
  if (second) {
    throw new DomainError(
      "refused",
      phrase`several NAS are called ${nameOrAddress}; name one by its address: ${byName.map(({ address }) => address).join(", ")}`,
      { code: "ambiguous" },
    );
  }
  const one = first ?? byAddress;
  if (!one)
    throw new DomainError("not_found", phrase`there is no NAS ${nameOrAddress}; see: gatehouse nas list`);
  return one;
}

/**
 * Removes a router and ends its open sessions, of which nothing more will be heard. Throws `refused` while subscribers use it,
 * unless `detach`. Returns it with both counts.
 */
export function removeNas(
  db: Db,
  by: Actor,
  { nasId, detach }: { nasId: number; detach: boolean },
  { now }: { now: Seconds },
): { removed: Nas; detached: number; ended: number } {
  permit(by, "removeNas");
  requireWholeIsp(by, "routers");
  return write(db, (tx) => {
    const removed = nasById(tx, by.scope, nasId);
    const detached = detachSubscribers(tx, removed, detach, now);
    const ended = endOpenSessions(tx, nasId, now);
    tx.$client.query("DELETE FROM nas WHERE id = ?").run(nasId);
    audit(tx, by, now, {
      action: "nas.remove",
      entity: "nas",
      entityId: nasId,
      ispId: removed.ispId,
      before: { ...nasRecord(removed), subscribers_detached: detached, sessions_ended: ended },
    });
    return { removed, detached, ended };
  });
}

function endOpenSessions(tx: Tx, nasId: number, now: Seconds): number {
  const ended = tx.$client
    .query<{ id: number }, [number, number]>(
      `UPDATE sessions SET stopped_at = max(?, started_at), closed_by = 'hand', terminate_cause = 'lost', ${SESSION_CHANGED}
       WHERE nas_id = ? AND stopped_at IS NULL RETURNING id`,
    )
    .all(now, nasId);
  const events = new SessionEvents(tx);
  for (const { id } of ended) events.tell("session.stopped", id, { now, at: now });
  return ended.length;
}

/** The router without secrets. */
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
    kind: row.kind,
    radsec: row.radsec === 1,
    dhcp: row.dhcp === 1,
    shaper: row.shaper,
    shaper_leases: row.shaperLeases === 1,
    dual_stack: row.dualStack,
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
  const usernames = tx.$client
    .query<{ username: string }, [number]>(
      "SELECT username FROM subscribers WHERE nas_id = ? ORDER BY username_key",
    )
    .all(id)
    .map(({ username }) => username);
  if (usernames.length > 0 && !detach) {
    const more = usernames.length > 3 ? phrase` and ${usernames.length - 3} more` : "";
    throw new DomainError(
      "refused",
      phrase`subscribers point at the NAS ${name}: ${usernames.slice(0, 3).join(", ")}${more}; give them another one, or detach them (--detach, detach=1), which leaves them without`,
      { code: "in_use" },
    );
  }
  update(tx, subscribers, { nasId: null, updatedAt: now }, { nasId: id });
  return usernames.length;
}
