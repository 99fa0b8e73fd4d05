import { ECDH } from "node:crypto";
import { Type } from "@sinclair/typebox";
import { insert } from "../../../../db/insert.ts";
import { type Db, type Tx, write } from "../../../../db/open.ts";
import { pushDevices } from "../../../../db/schema.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit, permitSelf } from "../../core/actor/permissions.ts";
import { DomainError, type Faults, rejectFaults } from "../../core/errors/errors.ts";
import { phrase, type Phrase } from "../../core/errors/phrase.ts";
import { type Field, field, type Input, readFields } from "../../core/fields/fields.ts";
import type { Seconds } from "../../core/time/time.ts";

/* Devices come and go as browsers do: not audited. */

/** Devices of a person; beyond it the oldest goes. */
const MOST = 10;
const LONGEST_USER_AGENT = 300;

/** Names alone: where they lead is looked at when something is sent. */
const endpoint: Field<string> = field(
  Type.String({ minLength: 1, maxLength: 1000, pattern: "^https://" }),
  phrase`must be the https address of a push service, as the browser gives it`,
  (value) => {
    const url = URL.parse(value);
    const isOne = url?.protocol === "https:" && url.username + url.password === "";
    return isOne && /^(?=.*[a-z])[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(url.hostname) ? url.href : undefined;
  },
);

const key = (message: Phrase, isKey: (bytes: Buffer) => boolean): Field<string> =>
  field(Type.String({ minLength: 1, maxLength: 100, pattern: "^[A-Za-z0-9_+/-]+=*$" }), message, (value) => {
    const bytes = Buffer.from(value, "base64url");
    return isKey(bytes) ? bytes.toString("base64url") : undefined;
  });

function isPoint(bytes: Buffer): boolean {
  try {
    return bytes.length === 65 && bytes[0] === 4 && ECDH.convertKey(bytes, "prime256v1").length === 65;
  } catch {
    return false; // a point beside the curve
  }
}

/** The fields of a browser's subscription, as `PushSubscription.toJSON()` has them. */
export const pushForm = {
  endpoint,
  p256dh: key(phrase`must be the key p256dh of the subscription, in base64url`, isPoint),
  auth: key(phrase`must be the key auth of the subscription, in base64url`, ({ length }) => length === 16),
};

export interface PushDevice {
  readonly id: number;
  readonly endpoint: string;
  readonly userAgent: string | null;
  readonly createdAt: Seconds;
}

/** What a notification is sent with. */
export interface PushTarget {
  readonly id: number;
  readonly endpoint: string;
  readonly site: string;
  readonly p256dh: string;
  readonly auth: string;
}

export interface Holder {
  readonly subscriberId: number | null;
  readonly staffId: number | null;
}

interface Own {
  readonly subscriberId: number;
}

interface At {
  readonly now: Seconds;
}

const OWN = "subscriber_id IS ?1 AND staff_id IS ?2";
const holderIds = ({ subscriberId, staffId }: Holder): [number | null, number | null] => [
  subscriberId,
  staffId,
];

/** The newest first. */
export function ownPushDevices(db: Db, by: Actor, { subscriberId }: Own): PushDevice[] {
  permitSelf(by, "ownPushDevices", subscriberId);
  return listDevices(db, { subscriberId, staffId: null });
}

/** Devices of the own account, the newest first. */
export function staffPushDevices(db: Db, by: Actor): PushDevice[] {
  permit(by, "staffPushDevices");
  return listDevices(db, ownAccount(by));
}

function listDevices({ $client }: Db, holder: Holder): PushDevice[] {
  return $client
    .query<PushDevice, (number | null)[]>(
      `SELECT id, endpoint, user_agent AS userAgent, created_at AS createdAt FROM push_devices WHERE ${OWN} ORDER BY id DESC`,
    )
    .all(...holderIds(holder));
}

export interface AskedBy {
  /** Of the page, such as `https://my.isp.example`. */
  readonly site: string;
  readonly userAgent: string | null;
  /** The token or session, as it is stored. */
  readonly tokenId: string;
}

interface Added extends AskedBy {
  readonly input: Input;
}

/** What a browser has been signed up with, and the session that it has now. */
interface Followed {
  readonly endpoint: string;
  readonly tokenId: string;
}

/** Whose it was before no longer has it: a browser is of who signed in last. Throws `invalid` with every fault. */
export function addOwnPush(
  db: Db,
  by: Actor,
  { subscriberId, ...added }: Own & Added,
  { now }: At,
): { id: number } {
  permitSelf(by, "addOwnPush", subscriberId);
  return add(db, { subscriberId, staffId: null }, added, now);
}

/** Adds a device to the own account, as `addOwnPush` does to a subscriber. */
export function addStaffPush(db: Db, by: Actor, added: Added, { now }: At): { id: number } {
  permit(by, "addStaffPush");
  return add(db, ownAccount(by), added, now);
}

/**
 * A browser that was signed up by an earlier session of the same account ends with this one instead. false: it is nobody's, or was another
 * person's who had it before, for whom it ends: this one has not asked.
 */
export function followOwnPush(db: Db, by: Actor, { subscriberId, ...followed }: Own & Followed): boolean {
  permitSelf(by, "followOwnPush", subscriberId);
  return follow(db, { subscriberId, staffId: null }, followed);
}

/** Follows a device of the own account, as `followOwnPush` does a subscriber's. */
export function followStaffPush(db: Db, by: Actor, followed: Followed): boolean {
  permit(by, "followStaffPush");
  return follow(db, ownAccount(by), followed);
}

function follow(db: Db, holder: Holder, { endpoint: address, tokenId }: Followed): boolean {
  return write(db, ({ $client }) => {
    const known = $client.query<unknown, (number | string | null)[]>(
      `UPDATE push_devices SET token_id = ?4 WHERE ${OWN} AND endpoint = ?3`,
    );
    if (known.run(...holderIds(holder), address, tokenId).changes > 0) return true;
    $client.query<unknown, [string]>("DELETE FROM push_devices WHERE endpoint = ?").run(address);
    return false;
  });
}

function add(
  db: Db,
  holder: Holder,
  { input, site, userAgent, tokenId }: Added,
  now: Seconds,
): { id: number } {
  const faults: Faults = {};
  const required = ["endpoint", "p256dh", "auth"] as const;
  const { endpoint: address, p256dh, auth } = readFields(pushForm, input, faults, { required });
  rejectFaults(faults);
  return write(db, (tx) => {
    tx.$client.query<unknown, [string]>("DELETE FROM push_devices WHERE endpoint = ?").run(address ?? "");
    const id = insert(tx, pushDevices, {
      ...holder,
      endpoint: address ?? "",
      keysSealed: tx.vault.seal(JSON.stringify({ p256dh, auth })),
      site,
      userAgent: userAgent?.slice(0, LONGEST_USER_AGENT) ?? null,
      tokenId,
      createdAt: now,
    });
    tx.$client
      .query<unknown, (number | null)[]>(
        `DELETE FROM push_devices WHERE id IN (SELECT id FROM push_devices WHERE ${OWN} ORDER BY id DESC LIMIT -1 OFFSET ${MOST})`,
      )
      .run(...holderIds(holder));
    return { id };
  });
}

/** A device by number, or by what the browser itself had. One that is gone is no fault. */
interface Named {
  readonly id?: number;
  readonly endpoint?: string;
}

export function removeOwnPush(db: Db, by: Actor, { subscriberId, ...named }: Own & Named): void {
  permitSelf(by, "removeOwnPush", subscriberId);
  remove(db, { subscriberId, staffId: null }, named);
}

/** Removes a device of the own account. */
export function removeStaffPush(db: Db, by: Actor, named: Named): void {
  permit(by, "removeStaffPush");
  remove(db, ownAccount(by), named);
}

function remove(db: Db, holder: Holder, { id = 0, endpoint: address = "" }: Named): void {
  write(db, ({ $client }) =>
    $client
      .query<unknown, (number | string | null)[]>(
        `DELETE FROM push_devices WHERE ${OWN} AND (id = ?3 OR endpoint = ?4)`,
      )
      .run(...holderIds(holder), id, address),
  );
}

/** Throws `forbidden`. */
function ownAccount({ staffId }: Actor): Holder {
  if (staffId === null)
    throw new DomainError("forbidden", phrase`this is for a member of staff, of the own account`);
  return { subscriberId: null, staffId };
}

/** Browsers in which something is to be shown. */
export function pushTargets(db: Db, holder: Holder): PushTarget[] {
  return db.$client
    .query<{ id: number; endpoint: string; site: string; sealed: Uint8Array }, (number | null)[]>(
      `SELECT id, endpoint, site, keys_sealed AS sealed FROM push_devices WHERE ${OWN} ORDER BY id`,
    )
    .all(...holderIds(holder))
    .flatMap(({ sealed, ...device }) => {
      const keys = db.vault.openTextIfWhole(sealed);
      return keys === undefined
        ? []
        : [{ ...device, ...(JSON.parse(keys) as { p256dh: string; auth: string }) }];
    });
}

/** The push services of somebody's devices, as the address of a message; null: there is no device. */
export function listServices(db: Pick<Db, "$client">, holder: Holder): string | null {
  const hosts = db.$client
    .query<{ endpoint: string }, (number | null)[]>(
      `SELECT endpoint FROM push_devices WHERE ${OWN} ORDER BY id`,
    )
    .all(...holderIds(holder))
    .map(({ endpoint: address }) => new URL(address).host);
  return hosts.length === 0 ? null : [...new Set(hosts)].join(", ");
}

export function takesPush({ $client }: Pick<Db, "$client">, holder: Holder): boolean {
  return $client.query(`SELECT 1 FROM push_devices WHERE ${OWN} LIMIT 1`).get(...holderIds(holder)) !== null;
}

/** Deletes devices that a push service says are gone. */
export function forgetPushDevices({ $client }: Tx, ids: readonly number[]): void {
  for (const id of ids) $client.query<unknown, [number]>("DELETE FROM push_devices WHERE id = ?").run(id);
}

/** Deletes devices of a token or session that is ended: `tokenId` alone, all `but` one, or all. */
export function endPush(
  { $client }: Tx,
  holder: Partial<Holder>,
  { tokenId = null, but = null }: { tokenId?: string | null; but?: string | null } = {},
): void {
  const { subscriberId = null, staffId = null } = holder;
  $client
    .query<unknown, (number | string | null)[]>(
      `DELETE FROM push_devices WHERE ${OWN} AND (?3 IS NULL OR token_id = ?3) AND (?4 IS NULL OR token_id <> ?4)`,
    )
    .run(subscriberId, staffId, tokenId, but);
}

/** A token that takes the place of another one. */
export function movePush(
  { $client }: Tx,
  { from, to }: { from: string; to: string },
  subscriberId: number,
): void {
  $client
    .query<unknown, [string, number, string]>(
      "UPDATE push_devices SET token_id = ? WHERE subscriber_id = ? AND token_id = ?",
    )
    .run(to, subscriberId, from);
}
