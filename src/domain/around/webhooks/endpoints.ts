import { isIP } from "node:net";
import { Type } from "@sinclair/typebox";
import { selectColumns } from "../../../../db/columns.ts";
import { all, equal, type Value } from "../../../../db/condition.ts";
import { insert } from "../../../../db/insert.ts";
import { type Db, write } from "../../../../db/open.ts";
import { webhookEndpoints } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { audit, auditEntry } from "../../core/audit/audit.ts";
import { DomainError, type Faults, rejectFaults } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { isEventType } from "../../core/events/types.ts";
import {
  addFault,
  type Field,
  field,
  flag,
  type Input,
  readFields,
  scopeId,
  text,
} from "../../core/fields/fields.ts";
import { isPublicAddress } from "../../core/networks/networks.ts";
import { ispNamed } from "../../core/references/references.ts";
import { type Actor, requireWholeIsp, type Scope } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { EVERY_TYPE } from "../../core/events/event-filter.ts";
import { planNew } from "./plan.ts";
import { makeSecret } from "../../core/signatures/signature.ts";

const DAY = 86_400;
/** Seconds. */
const ROTATION = DAY;

const url: Field<string> = field(
  Type.String({ minLength: 1, maxLength: 2000, pattern: "^https?://" }),
  phrase`must be an address such as https://example.com/hook, without a user or password in it`,
  (value) => {
    const parsed = URL.parse(value);
    const isOne =
      parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.username + parsed.password === "";
    return isOne ? parsed.href : undefined;
  },
);

/** Types with commas between; `*` excludes sessions. */
const types: Field<string> = field(
  Type.String({ minLength: 1, maxLength: 2000 }),
  phrase`must be * or types of events with commas between them, such as payment.received, subscriber.expired`,
  (value) => {
    const named = value.split(",").map((type) => type.trim());
    const isList = named.every((type) => type === EVERY_TYPE || isEventType(type));
    return isList ? [...new Set(named)].join(", ") : undefined;
  },
);

export const endpointChanges = { url, types, note: text(200), allow_local: flag };
export const endpointFields = { isp_id: scopeId, ...endpointChanges };

type Row = typeof webhookEndpoints.$inferSelect;

export type Endpoint = Omit<Row, "secretSealed" | "formerSealed">;

interface At {
  readonly now: Seconds;
}

const select = `SELECT ${selectColumns(webhookEndpoints, "w", ["secretSealed", "formerSealed"])} FROM webhook_endpoints w`;

export function listEndpoints(db: Db, by: Actor): Endpoint[] {
  permit(by, "listEndpoints");
  requireWholeIsp(by, "webhooks");
  const { text: where, values } = all(equal("w.isp_id", by.scope.ispId));
  return db.$client.query<Endpoint, Value[]>(`${select} WHERE ${where} ORDER BY w.id`).all(...values);
}

export function endpointById(db: Db, by: Actor, { id }: { id: number }): Endpoint {
  permit(by, "endpointById");
  requireWholeIsp(by, "webhooks");
  return find(db, by.scope, id);
}

/** Creates an endpoint of events from now on. Returns the secret. Throws `invalid` with every fault, `forbidden` for another ISP, and local addresses by non-Admins. */
export function createEndpoint(
  db: Db,
  by: Actor,
  input: Input,
  { now }: At,
): { endpoint: Endpoint; secret: string } {
  permit(by, "createEndpoint");
  requireWholeIsp(by, "webhooks");
  const faults: Faults = {};
  const sent = readFields(endpointFields, input, faults, { required: ["url", "types"] });
  if (sent.allow_local === 1) requireAdmin(by);
  if (sent.url && sent.allow_local !== 1 && isPrivate(new URL(sent.url)))
    addFault(faults, "url", phrase`is within your own network, which an Admin allows with allow_local`);
  return write(db, (tx) => {
    rejectFaults(faults);
    const ispId = ispNamed(tx, by, sent.isp_id);
    planNew(tx, now); // what happened before is not for this one
    const secret = makeSecret();
    const id = insert(tx, webhookEndpoints, {
      ispId,
      url: sent.url ?? "",
      types: toJsonList(sent.types ?? EVERY_TYPE),
      note: sent.note ?? null,
      secretSealed: tx.vault.seal(secret),
      allowLocal: sent.allow_local ?? 0,
      createdAt: now,
      createdBy: by.staffId,
    });
    const endpoint = find(tx, by.scope, id);
    audit(tx, by, now, { ...entry(endpoint, "create"), after: auditView(endpoint) });
    return { endpoint, secret };
  });
}

/** A new address needs an Admin's permission for local ones again. Throws `not_found`, `invalid`, `forbidden`. */
export function updateEndpoint(
  db: Db,
  by: Actor,
  { id, input }: { id: number; input: Input },
  { now }: At,
): Endpoint {
  permit(by, "updateEndpoint");
  requireWholeIsp(by, "webhooks");
  const faults: Faults = {};
  const sent = readFields(endpointChanges, input, faults, { required: ["url", "types"], partial: true });
  return write(db, (tx) => {
    const before = find(tx, by.scope, id);
    rejectFaults(faults);
    const isMoved = sent.url !== undefined && sent.url !== before.url;
    const allowLocal = sent.allow_local ?? (isMoved && !by.admin ? 0 : before.allowLocal);
    if (allowLocal === 1 && (isMoved || before.allowLocal === 0)) requireAdmin(by);
    update(
      tx,
      webhookEndpoints,
      {
        url: sent.url ?? undefined,
        types: sent.types ? toJsonList(sent.types) : undefined,
        note: sent.note,
        allowLocal,
        ...(isMoved && { slowUntil: null }),
      },
      { id },
    );
    const changed = find(tx, by.scope, id);
    audit(tx, by, now, { ...entry(changed, "update"), before: auditView(before), after: auditView(changed) });
    return changed;
  });
}

/** Drops waiting deliveries; resending brings what it missed, of the last 30 days. Throws `not_found`. */
export function setEndpointEnabled(
  db: Db,
  by: Actor,
  { id, enabled }: { id: number; enabled: boolean },
  { now }: At,
): Endpoint {
  permit(by, "setEndpointEnabled");
  requireWholeIsp(by, "webhooks");
  return write(db, (tx) => {
    const before = find(tx, by.scope, id);
    if (enabled === (before.disabledAt === null)) return before;
    planNew(tx, now);
    if (enabled) update(tx, webhookEndpoints, { disabledAt: null, disabledReason: null }, { id });
    else disableEndpoint(tx, { id, reason: null }, now);
    const changed = find(tx, by.scope, id);
    audit(tx, by, now, entry(changed, enabled ? "enable" : "disable"));
    return changed;
  });
}

/** Switches a webhook off, with the reason where it was not staff. */
export function disableEndpoint(
  tx: Db,
  { id, reason }: { id: number; reason: string | null },
  now: Seconds,
): void {
  update(tx, webhookEndpoints, { disabledAt: now, disabledReason: reason, slowUntil: null }, { id });
  tx.$client
    .query<unknown, [Seconds, number]>(
      "UPDATE webhook_deliveries SET state = 'cancelled', ended_at = ? WHERE endpoint_id = ? AND state = 'waiting'",
    )
    .run(now, id);
}

/** The former one signs too for a day. Throws `not_found`. */
export function rotateEndpointSecret(
  db: Db,
  by: Actor,
  { id }: { id: number },
  { now }: At,
): { endpoint: Endpoint; secret: string } {
  permit(by, "rotateEndpointSecret");
  requireWholeIsp(by, "webhooks");
  return write(db, (tx) => {
    find(tx, by.scope, id);
    const secret = makeSecret();
    tx.$client
      .query<unknown, [Uint8Array, Seconds, number]>(
        "UPDATE webhook_endpoints SET former_sealed = secret_sealed, secret_sealed = ?, former_until = ? WHERE id = ?",
      )
      .run(tx.vault.seal(secret), now + ROTATION, id);
    const endpoint = find(tx, by.scope, id);
    audit(tx, by, now, entry(endpoint, "rotate"));
    return { endpoint, secret };
  });
}

export function endpointSecret(db: Db, by: Actor, { id }: { id: number }, { now }: At): string {
  permit(by, "endpointSecret");
  requireWholeIsp(by, "webhooks");
  return write(db, (tx) => {
    const endpoint = find(tx, by.scope, id);
    audit(tx, by, now, entry(endpoint, "secret"));
    return tx.vault.openText(findSecrets(tx, id).secretSealed);
  });
}

/** Deliveries go with their events. Throws `not_found`. */
export function deleteEndpoint(db: Db, by: Actor, { id }: { id: number }, { now }: At): Endpoint {
  permit(by, "deleteEndpoint");
  requireWholeIsp(by, "webhooks");
  return write(db, (tx) => {
    const gone = find(tx, by.scope, id);
    tx.$client.query<unknown, [number]>("DELETE FROM webhook_endpoints WHERE id = ?").run(id);
    audit(tx, by, now, { ...entry(gone, "delete"), before: auditView(gone) });
    return gone;
  });
}

/** Two during a rotation. */
export function signingSecrets(db: Db, id: number, now: Seconds): string[] {
  const { secretSealed, formerSealed, formerUntil } = findSecrets(db, id);
  const isRotating = formerSealed !== null && formerUntil !== null && now < formerUntil;
  return [secretSealed, ...(isRotating ? [formerSealed] : [])].map((sealed) => db.vault.openText(sealed));
}

type Secrets = Pick<Row, "secretSealed" | "formerSealed" | "formerUntil">;

function findSecrets({ $client }: Pick<Db, "$client">, id: number): Secrets {
  const row = $client
    .query<Secrets, [number]>(
      `SELECT secret_sealed AS secretSealed, former_sealed AS formerSealed, former_until AS formerUntil
       FROM webhook_endpoints WHERE id = ?`,
    )
    .get(id);
  if (!row) throw noEndpoint(id);
  return row;
}

function toJsonList(named: string): string {
  return JSON.stringify(named.split(", "));
}

function find({ $client }: Pick<Db, "$client">, { ispId }: Scope, id: number): Endpoint {
  const { text: where, values } = all(equal("w.id", id), equal("w.isp_id", ispId));
  const row = $client.query<Endpoint, Value[]>(`${select} WHERE ${where}`).get(...values);
  if (!row) throw noEndpoint(id);
  return row;
}

/** Whether the address is private by what stands in it; a name is looked at when it is called. */
function isPrivate({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  return host === "localhost" || (isIP(host) > 0 && !isPublicAddress(host));
}

function requireAdmin({ admin }: Actor): void {
  if (admin) return;
  throw new DomainError(
    "forbidden",
    phrase`calling an address within your own network is for an Admin to allow; ask one, or leave allow_local out`,
    { code: "admin_only" },
  );
}

const entry = auditEntry("webhook");

/** The webhook as the audit log keeps it: of its address the host alone, because the path may be a key. */
function auditView({ url: address, types: named, note, allowLocal }: Endpoint): object {
  return { host: new URL(address).host, types: JSON.parse(named), note, allow_local: allowLocal };
}

export const noEndpoint = (id: number) => new DomainError("not_found", phrase`there is no webhook ${id}`);
