import { all, equal, type Value } from "../../../../db/condition.ts";
import { insert } from "../../../../db/insert.ts";
import { type Db, type Tx, write } from "../../../../db/open.ts";
import { apiKeys, staff } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { type Actor, may, type Scope } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { STAFF } from "../../core/actor/profile-types.ts";
import { listFlags, requireStaffWithin, staffCondition } from "../../core/actor/reach.ts";
import { audit } from "../../core/audit/audit.ts";
import { takenBy } from "../../core/errors/codes.ts";
import { DomainError, type Faults, rejectFaults } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { fold } from "../../core/fields/text.ts";
import { addFault, type Input, readFields, type Values } from "../../core/fields/fields.ts";
import { findReferenceFaults, ispForNewRow, storedReferences } from "../../core/references/references.ts";
import { formatTime, type Seconds } from "../../core/time/time.ts";
import { keyFields, newKeyFields, rotationFields } from "./fields.ts";
import { newSecret, newUsername } from "./secret.ts";

const HOUR = 3600;
/** How long the secret before a new one stays valid, where nobody says. */
const KEPT = 24;

/** A key: what a program calls as, with rights of its own. */
export interface ApiKey {
  readonly id: number;
  /** What it is called as, in place of a username. */
  readonly key: string;
  readonly ispId: number;
  readonly branchId: number | null;
  readonly name: string;
  readonly roleCode: number | null;
  readonly roleName: string | null;
  /** Which of the role's it has, with commas between; null: all of them. */
  readonly flags: string | null;
  readonly addresses: string | null;
  readonly endsAt: Seconds | null;
  readonly formerUntil: Seconds | null;
  readonly usedAt: Seconds | null;
  readonly usedFrom: string | null;
  readonly createdAt: Seconds;
  readonly createdBy: number | null;
  readonly revokedAt: Seconds | null;
}

interface At {
  readonly now: Seconds;
}

export interface WithSecret {
  readonly key: ApiKey;
  readonly secret: string;
}

const select = `SELECT a.id, a.username AS key, a.isp_id AS ispId, a.branch_id AS branchId, a.name, a.role_code AS roleCode,
    r.name AS roleName, k.flags, k.addresses, k.ends_at AS endsAt, k.former_until AS formerUntil, k.used_at AS usedAt,
    k.used_from AS usedFrom, a.created_at AS createdAt, k.created_by AS createdBy, k.revoked_at AS revokedAt
  FROM api_keys k JOIN staff a ON a.id = k.staff_id LEFT JOIN roles r ON r.code = a.role_code`;

/** Keys by name, revoked ones last. */
export function listKeys(db: Db, by: Actor): ApiKey[] {
  permit(by, "listKeys");
  return listed(db, by.scope);
}

function listed({ $client }: Db, scope: Scope): ApiKey[] {
  const { text, values } = staffCondition(scope);
  return $client
    .query<ApiKey, Value[]>(
      `${select} WHERE ${text} ORDER BY k.revoked_at IS NOT NULL, a.name COLLATE NOCASE, a.id`,
    )
    .all(...values);
}

/** Throws `not_found`. */
export function keyById(db: Db, by: Actor, { id }: { id: number }): ApiKey {
  permit(by, "keyById");
  return byId(db, by.scope, id);
}

/** The key by name, id or number; of a name the one that is not revoked. Throws `not_found`, `refused` where several ISPs have the name. */
export function keyNamed(db: Db, by: Actor, named: string): ApiKey {
  permit(by, "keyNamed");
  const known = listed(db, by.scope);
  const [first, second] = known.filter(({ name, revokedAt }) => name === named && revokedAt === null);
  if (second)
    throw new DomainError("refused", phrase`several ISPs have a key called ${named}; name it by its id`, {
      code: "ambiguous",
    });
  const found = first ?? known.find(({ id, key }) => key === named || String(id) === named);
  if (!found) throw new DomainError("not_found", phrase`there is no key ${named}; see: gatehouse key list`);
  return found;
}

/** Answers its secret, which nobody reads again. Throws `invalid` with every fault, `forbidden` for more than the actor may do or see. */
export function createKey(db: Db, by: Actor, input: Input, { now }: At): WithSecret {
  permit(by, "createKey");
  const faults: Faults = {};
  const sent = readFields(newKeyFields, input, faults, { required: ["name", "role_code"] });
  return write(db, (tx) => {
    const ispId = ispForNewRow(tx, by, sent.isp_id);
    const branchId = sent.branch_id === undefined ? by.scope.branchId : sent.branch_id || null;
    requireStaffWithin(by, { ispId, branchId });
    findFaults(tx, { id: 0, ispId, sent, roleCode: sent.role_code ?? null, now }, faults);
    rejectFaults(faults);
    const { name, role_code: roleCode } = sent;
    if (!name || !roleCode) throw new Error("a required field was not checked");
    requireNoMoreFlags(tx, by, { roleCode, flags: sent.flags ?? null });
    const username = newUsername();
    const id = insert(tx, staff, {
      ispId,
      branchId,
      name,
      username,
      roleCode,
      usernameKey: username,
      passwordHash: "", // verified nowhere: signing in looks for accounts of people alone
      profileType: STAFF,
      isKey: 1,
      createdAt: now,
      updatedAt: now,
    });
    const { secret, secretHash } = newSecret();
    insert(tx, apiKeys, {
      staffId: id,
      secretHash,
      flags: sent.flags ?? null,
      addresses: sent.addresses ?? null,
      endsAt: sent.ends_at ?? null,
      createdBy: by.staffId,
    });
    const key = byId(tx, by.scope, id);
    audit(tx, by, now, { ...entry(key, "create"), after: auditView(key) });
    return { key, secret };
  });
}

/** Changes what is named of a key. Throws `not_found`, `invalid` with every fault, `forbidden` for more than the actor may do or see, `refused` for a revoked one. */
export function updateKey(
  db: Db,
  by: Actor,
  { id, input }: { id: number; input: Input },
  { now }: At,
): ApiKey {
  permit(by, "updateKey");
  const faults: Faults = {};
  const sent = readFields(keyFields, input, faults, { required: ["name", "role_code"], partial: true });
  return write(db, (tx) => {
    const before = managed(tx, by, id);
    const branchId = sent.branch_id === undefined ? before.branchId : sent.branch_id || null;
    const roleCode = sent.role_code ?? before.roleCode;
    requireStaffWithin(by, { ispId: before.ispId, branchId });
    const flags = sent.flags === undefined ? before.flags : sent.flags;
    const isOther = sent.flags !== undefined || sent.role_code !== undefined;
    const checked = { ...sent, ...(isOther && { flags }) };
    findFaults(tx, { id, ispId: before.ispId, sent: checked, roleCode, now }, faults);
    rejectFaults(faults);
    requireNoMoreFlags(tx, by, { roleCode, flags });
    update(tx, staff, { name: sent.name ?? undefined, roleCode, branchId, updatedAt: now }, { id });
    const changed = { flags, addresses: sent.addresses, endsAt: sent.ends_at };
    update(tx, apiKeys, changed, { staffId: id });
    const key = byId(tx, by.scope, id);
    audit(tx, by, now, { ...entry(key, "update"), before: auditView(before), after: auditView(key) });
    return key;
  });
}

/**
 * A new secret; the one before stays valid for so many hours. One that was never used is replaced by it, so that an answer that was lost
 * costs the program nothing; what was valid beside it stays so no longer than it was to. Throws `not_found`, `forbidden` for a key that may do more than the actor, `refused` for a revoked one.
 */
export function rotateKey(
  db: Db,
  by: Actor,
  { id, input }: { id: number; input: Input },
  { now }: At,
): WithSecret {
  permit(by, "rotateKey");
  const faults: Faults = {};
  const { keep_hours: hours } = readFields(rotationFields, input, faults);
  rejectFaults(faults);
  return write(db, (tx) => {
    managed(tx, by, id);
    const { secret, secretHash } = newSecret();
    const until = now + (hours ?? KEPT) * HOUR;
    tx.$client
      .query<unknown, [Seconds, Seconds, Uint8Array, number]>(
        `UPDATE api_keys SET former_hash = CASE WHEN is_proven = 1 THEN secret_hash ELSE former_hash END,
           former_until = CASE WHEN is_proven = 1 THEN ?2 WHEN former_until > ?1 THEN min(former_until, ?2) END, secret_hash = ?3, is_proven = 0
         WHERE staff_id = ?4`,
      )
      .run(now, until, secretHash, id);
    const key = byId(tx, by.scope, id);
    audit(tx, by, now, {
      ...entry(key, "rotate"),
      after: { name: key.name, former_until: formatted(key.formerUntil) },
    });
    return { key, secret };
  });
}

/** Revokes for good; what the key did stays under its name. Throws `not_found`, `forbidden` for one that may do more than the actor, `refused` for a revoked one. */
export function revokeKey(db: Db, by: Actor, { id }: { id: number }, { now }: At): ApiKey {
  permit(by, "revokeKey");
  return write(db, (tx) => {
    const before = managed(tx, by, id);
    update(tx, apiKeys, { revokedAt: now, formerHash: null, formerUntil: null }, { staffId: id });
    update(tx, staff, { status: 0, roleCode: null, updatedAt: now }, { id });
    const key = byId(tx, by.scope, id);
    audit(tx, by, now, { ...entry(key, "revoke"), before: auditView(before) });
    return key;
  });
}

function byId({ $client }: Pick<Db, "$client">, scope: Scope, id: number): ApiKey {
  const { text, values } = all(equal("a.id", id), staffCondition(scope));
  const found = $client.query<ApiKey, Value[]>(`${select} WHERE ${text}`).get(...values);
  if (!found) throw new DomainError("not_found", phrase`there is no API key ${id}`);
  return found;
}

/** One that may do no more than the actor, and was not revoked. */
function managed(tx: Tx, by: Actor, id: number): ApiKey {
  const key = byId(tx, by.scope, id);
  requireStaffWithin(by, key);
  if (key.revokedAt !== null)
    throw new DomainError("refused", phrase`the key ${key.name} was revoked; make a new one`, {
      code: "key_revoked",
    });
  requireNoMoreFlags(tx, by, key);
  return key;
}

const splitFlags = (flags: string | null) => flags?.split(",") ?? [];

/** Throws `forbidden` for permissions that the actor lacks. */
function requireNoMoreFlags(
  tx: Tx,
  by: Actor,
  { roleCode, flags }: Pick<ApiKey, "roleCode" | "flags">,
): void {
  const ofRole = roleCode === null ? [] : listFlags(tx, roleCode);
  const lacking = ofRole.filter(
    (flag) => (flags === null || splitFlags(flags).includes(flag)) && !may(by, flag),
  );
  if (lacking.length > 0)
    throw new DomainError(
      "forbidden",
      phrase`the key would have, or has, permissions that you lack: ${lacking.join(", ")}; ask an Admin`,
      { code: "permission_missing" },
    );
}

interface Checked {
  readonly id: number;
  readonly ispId: number;
  readonly sent: Values<typeof keyFields>;
  readonly roleCode: number | null;
  readonly now: Seconds;
}

function findFaults(tx: Tx, { id, ispId, sent, roleCode, now }: Checked, faults: Faults): void {
  const references = [
    ["branch_id", "branches"],
    ["role_code", "roles"],
  ] as const;
  findReferenceFaults(storedReferences(tx), references, { isp: ispId, values: sent }, faults);
  const { name, flags, ends_at: endsAt } = sent;
  const taken =
    name &&
    tx.$client
      .query<{ id: number }, [number, string, number]>(
        `SELECT a.id FROM staff a JOIN api_keys k ON k.staff_id = a.id
         WHERE a.isp_id = ? AND a.name = ? AND a.id <> ? AND k.revoked_at IS NULL`,
      )
      .get(ispId, name, id);
  if (taken) addFault(faults, "name", takenBy(phrase`another key, ${taken.id}`));
  // the trail calls people by their usernames and keys by their names
  const person =
    name &&
    tx.$client
      .query<unknown, [string]>("SELECT 1 FROM staff WHERE username_key = ? AND is_key = 0")
      .get(fold(name));
  if (person) addFault(faults, "name", takenBy(phrase`an account of staff`));
  if (typeof endsAt === "number" && endsAt <= now)
    addFault(faults, "ends_at", phrase`must be later than now`);
  if (faults["role_code"] || roleCode === null) return;
  const ofRole = listFlags(tx, roleCode);
  if (sent.role_code && !ofRole.includes("api_access"))
    addFault(
      faults,
      "role_code",
      phrase`is a role without the permission api_access, which its programs need`,
    );
  const others = splitFlags(flags ?? null).filter((flag) => !ofRole.includes(flag));
  if (others.length > 0)
    addFault(faults, "flags", phrase`has what the role does not have: ${others.join(", ")}`);
}

const formatted = (at: Seconds | null) => at && formatTime(at);

/** The key as the audit log keeps it: everything but the secret. */
const auditView = ({ name, roleCode, branchId, flags, addresses, endsAt }: ApiKey) => ({
  name,
  role_code: roleCode,
  branch_id: branchId ?? 0,
  flags: flags ?? "all",
  addresses,
  ends_at: formatted(endsAt),
});

const entry = ({ id, ispId }: ApiKey, what: string) => ({
  action: `api_key.${what}`,
  entity: "api_key",
  entityId: id,
  ispId,
});
