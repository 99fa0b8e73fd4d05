import { createHash, randomBytes } from "node:crypto";
import { selectColumns } from "../../../../db/columns.ts";
import { all, equal, type Value } from "../../../../db/condition.ts";
import { insert } from "../../../../db/insert.ts";
import { type Db, type Tx, write } from "../../../../db/open.ts";
import { paymentSources } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { audit, auditEntry } from "../../core/audit/audit.ts";
import { DomainError, type Faults, rejectFaults, known } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { addFault, type Input, readFields } from "../../core/fields/fields.ts";
import { setting } from "../../core/settings/settings.ts";
import { ispForNewRow } from "../../core/references/references.ts";
import { type Actor, requireFlag, requireWholeIsp, type Scope } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { makeSecret } from "../../core/signatures/signature.ts";
import type { Provider } from "./provider.ts";
import { describedBy, sourceChanges, sourceFields } from "./source-fields.ts";

type Row = typeof paymentSources.$inferSelect;
const SEALED = ["keyHash", "keySealed", "secretSealed"] as const;
const WHAT = "payment sources";
/** The secret conveys this permission. */
const RECEIVES = "payment_receive";
/** Bytes of a URL key, unguessable. */
const KEY_BYTES = 16;
/** Sources of an ISP; a signature is tried against all. */
const MOST = 50;

/** `key`: end of its URL; null: none. The secret is not shown. */
export type Source = Omit<Row, (typeof SEALED)[number]> & {
  readonly key: string | null;
  readonly hasSecret: boolean;
};

interface At {
  readonly now: Seconds;
}

const select = `SELECT ${selectColumns(paymentSources, "o", SEALED)}, o.key_sealed AS keySealed, o.secret_sealed IS NOT NULL AS hasSecret
  FROM payment_sources o`;
const selectSecret = select.replace("o.key_sealed", "o.secret_sealed AS secretSealed, o.key_sealed");
type Found = Omit<Source, "key" | "hasSecret"> & { keySealed: Uint8Array | null; hasSecret: number };

/** Hexadecimal, because some providers reject words such as `sql` in URLs. */
const makeKey = (): string => randomBytes(KEY_BYTES).toString("hex");
const sha256 = (key: string): Buffer => createHash("sha256").update(key).digest();

export function listPaymentSources(db: Db, by: Actor): Source[] {
  permit(by, "listPaymentSources");
  requireWholeIsp(by, WHAT);
  const { text: where, values } = all(equal("o.isp_id", by.scope.ispId));
  const rows = db.$client.query<Found, Value[]>(`${select} WHERE ${where} ORDER BY o.id`).all(...values);
  return rows.map((row) => toSource(db, row));
}

export function paymentSourceById(db: Db, by: Actor, { id }: { id: number }): Source {
  permit(by, "paymentSourceById");
  requireWholeIsp(by, WHAT);
  return find(db, by.scope, id);
}

/** Returns a generated secret once (`signed`). Throws `invalid` with every fault, `conflict` for its name, `forbidden` for another ISP. */
export function createPaymentSource(
  db: Db,
  by: Actor,
  input: Input,
  { now }: At,
): { source: Source; secret: string | null } {
  permit(by, "createPaymentSource");
  requireFlag(by, RECEIVES);
  requireWholeIsp(by, WHAT);
  const faults: Faults = {};
  const sent = readFields(sourceFields, input, faults, { required: ["kind", "name", "method"] });
  const isSigned = sent.kind === "signed";
  if (isSigned)
    for (const name of ["preset", "settings", "addresses", "currency", "secret"] as const)
      if (sent[name] !== undefined)
        addFault(faults, name, phrase`is for a provider; a program signs with a secret that is made here`);
  const provider = isSigned ? undefined : describedBy(sent, undefined, faults);
  if (provider && provider.proof.kind !== "addresses") requireSecret(sent.secret, faults);
  return write(db, (tx) => {
    const ispId = ispForNewRow(tx, by, sent.isp_id);
    requireMethod(tx, ispId, sent.method, faults);
    rejectFaults(faults);
    const { name = "", method = "" } = sent;
    requireRoom(tx, { ispId, name: name ?? "" });
    const secret = isSigned ? makeSecret() : (sent.secret ?? null);
    const key = isSigned ? null : makeKey();
    const id = insert(tx, paymentSources, {
      ispId,
      kind: isSigned ? ("signed" as const) : ("provider" as const),
      name: name ?? "",
      method: method ?? "",
      settings: JSON.stringify(provider ?? {}),
      keyHash: key === null ? null : sha256(key),
      keySealed: key === null ? null : tx.vault.seal(key),
      secretSealed: secret === null ? null : tx.vault.seal(secret),
      createdAt: now,
    });
    const source = find(tx, by.scope, id);
    audit(tx, by, now, { ...entry(source, "create"), after: auditView(source) });
    return { source, secret: isSigned ? secret : null };
  });
}

export function updatePaymentSource(
  db: Db,
  by: Actor,
  { id, input }: { id: number; input: Input },
  { now }: At,
): Source {
  permit(by, "updatePaymentSource");
  requireFlag(by, RECEIVES);
  requireWholeIsp(by, WHAT);
  const faults: Faults = {};
  const sent = readFields(sourceChanges, input, faults, { required: ["method", "secret"], partial: true });
  return write(db, (tx) => {
    const before = find(tx, by.scope, id);
    const isSigned = before.kind === "signed";
    if (isSigned && sent.secret !== undefined)
      addFault(faults, "secret", phrase`is made here; ask for a new one with payment_source/rotate`);
    const provider = isSigned ? undefined : describedBy(sent, parseProvider(before), faults);
    if (provider && provider.proof.kind !== "addresses" && (sent.secret !== undefined || !before.hasSecret))
      requireSecret(sent.secret, faults);
    if (sent.method !== undefined) requireMethod(tx, before.ispId, sent.method, faults);
    rejectFaults(faults);
    update(
      tx,
      paymentSources,
      {
        method: sent.method ?? undefined,
        settings: provider && JSON.stringify(provider),
        secretSealed: sent.secret ? tx.vault.seal(sent.secret) : undefined,
      },
      { id },
    );
    const changed = find(tx, by.scope, id);
    const isOther = sent.secret ? { secret: "another one" } : {};
    audit(tx, by, now, {
      ...entry(changed, "update"),
      before: auditView(before),
      after: { ...auditView(changed), ...isOther },
    });
    return changed;
  });
}

/** A new URL or secret; the old one stops at once. Throws `not_found`. */
export function rotatePaymentSource(
  db: Db,
  by: Actor,
  { id }: { id: number },
  { now }: At,
): { source: Source; secret: string | null } {
  permit(by, "rotatePaymentSource");
  requireFlag(by, RECEIVES);
  requireWholeIsp(by, WHAT);
  return write(db, (tx) => {
    const before = find(tx, by.scope, id);
    const secret = before.kind === "signed" ? makeSecret() : null;
    const key = makeKey();
    const changes =
      secret === null
        ? { keyHash: sha256(key), keySealed: tx.vault.seal(key) }
        : { secretSealed: tx.vault.seal(secret) };
    update(tx, paymentSources, changes, { id });
    const source = find(tx, by.scope, id);
    audit(tx, by, now, entry(source, "rotate"));
    return { source, secret };
  });
}

/** Throws `not_found`. */
export function setPaymentSourceEnabled(
  db: Db,
  by: Actor,
  { id, enabled }: { id: number; enabled: boolean },
  { now }: At,
): Source {
  permit(by, "setPaymentSourceEnabled");
  if (enabled) requireFlag(by, RECEIVES);
  requireWholeIsp(by, WHAT);
  return write(db, (tx) => {
    const before = find(tx, by.scope, id);
    if (enabled === (before.disabledAt === null)) return before;
    update(tx, paymentSources, { disabledAt: enabled ? null : now }, { id });
    const changed = find(tx, by.scope, id);
    audit(tx, by, now, entry(changed, enabled ? "enable" : "disable"));
    return changed;
  });
}

export function deletePaymentSource(db: Db, by: Actor, { id }: { id: number }, { now }: At): Source {
  permit(by, "deletePaymentSource");
  requireWholeIsp(by, WHAT);
  return write(db, (tx) => {
    const gone = find(tx, by.scope, id);
    tx.$client
      .query<unknown, [number]>("UPDATE incoming_payments SET source_id = NULL WHERE source_id = ?")
      .run(id);
    tx.$client.query<unknown, [number]>("DELETE FROM payment_sources WHERE id = ?").run(id);
    audit(tx, by, now, { ...entry(gone, "delete"), before: auditView(gone) });
    return gone;
  });
}

/** The source whose address has the key; undefined: none, or disabled. */
export function findSourceByKey(db: Db, key: string): { source: Source; secret: string | null } | undefined {
  const row = db.$client
    .query<Found & { secretSealed: Uint8Array | null }, [Buffer]>(
      `${selectSecret} WHERE o.key_hash = ? AND o.disabled_at IS NULL`,
    )
    .get(sha256(key));
  if (!row) return undefined;
  const { secretSealed, ...found } = row;
  return { source: toSource(db, found), secret: secretSealed && db.vault.openText(secretSealed) };
}

export function signingSources(db: Db): { source: Source; secret: string }[] {
  return db.$client
    .query<Found & { secretSealed: Uint8Array }, []>(
      `${selectSecret} WHERE o.kind = 'signed' AND o.disabled_at IS NULL`,
    )
    .all()
    .map(({ secretSealed, ...found }) => ({
      source: toSource(db, found),
      secret: db.vault.openText(secretSealed),
    }));
}

export function parseProvider({ settings }: Pick<Source, "settings">): Provider {
  return JSON.parse(settings);
}

function toSource({ vault }: Pick<Db, "vault">, { keySealed, hasSecret, ...row }: Found): Source {
  return { ...row, key: keySealed && vault.openText(keySealed), hasSecret: hasSecret === 1 };
}

function find(db: Pick<Db, "$client" | "vault">, { ispId }: Scope, id: number): Source {
  const { text: where, values } = all(equal("o.id", id), equal("o.isp_id", ispId));
  return toSource(
    db,
    known(
      db.$client.query<Found, Value[]>(`${select} WHERE ${where}`).get(...values),
      phrase`there is no payment source ${id}`,
    ),
  );
}

function requireRoom({ $client }: Tx, { ispId, name }: { ispId: number; name: string }): void {
  const names = $client
    .query<{ name: string }, [number]>("SELECT name FROM payment_sources WHERE isp_id = ?")
    .all(ispId);
  if (names.some((one) => one.name === name))
    throw new DomainError("conflict", phrase`there is a payment source ${name} already; take another name`, {
      code: "already_exists",
    });
  if (names.length >= MOST)
    throw new DomainError(
      "refused",
      phrase`${MOST} payment sources are the most; delete one that is not used`,
      {
        code: "too_many",
      },
    );
}

function requireSecret(secret: string | null | undefined, faults: Faults): void {
  if (secret === undefined || secret === null)
    addFault(faults, "secret", phrase`is required: what the provider proves itself with`);
  else if (secret.length < 8) addFault(faults, "secret", phrase`must be of 8 characters or more`);
}

function requireMethod(tx: Tx, ispId: number, method: string | null | undefined, faults: Faults): void {
  const methods = setting(tx, "payment_methods", ispId);
  if (method && !methods.split(", ").includes(method))
    addFault(faults, "method", phrase`must be one of ${methods}`);
}

const entry = auditEntry("payment_source");

function auditView({ kind, name, method, settings }: Source): object {
  return { kind, name, method, settings: JSON.parse(settings) };
}
