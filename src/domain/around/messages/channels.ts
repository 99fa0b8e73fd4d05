import { selectColumns } from "../../../../db/columns.ts";
import { all, equal, type Value } from "../../../../db/condition.ts";
import { insert } from "../../../../db/insert.ts";
import { type Db, type Tx, write } from "../../../../db/open.ts";
import { channels } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { audit, auditEntry } from "../../core/audit/audit.ts";
import { DomainError, type Faults, rejectFaults } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { addFault, type Input, readFields } from "../../core/fields/fields.ts";
import { ispNamed } from "../../core/references/references.ts";
import { type Actor, requireWholeIsp, type Scope } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { countUses, usesInWords } from "../../core/references/uses.ts";
import { readChannel, secretForm } from "./channel-fields.ts";
import { channelAddress, type ChannelSettings, originOf, secretsNeeded } from "./channel-settings.ts";

const PER_MINUTE = 60;

type Row = typeof channels.$inferSelect;

export interface Channel extends Omit<Row, "settings" | "secretsSealed"> {
  readonly settings: ChannelSettings;
  readonly secrets: readonly string[];
  readonly missing: readonly string[];
}

interface At {
  readonly now: Seconds;
}

const select = `SELECT ${selectColumns(channels, "c")} FROM channels c`;

export function listChannels(db: Db, by: Actor): Channel[] {
  permit(by, "listChannels");
  requireWholeIsp(by, "messages");
  const { text, values } = all(visible(by.scope));
  return db.$client
    .query<Row, Value[]>(`${select} WHERE ${text} ORDER BY c.id`)
    .all(...values)
    .map((row) => shaped(db, row));
}

export function channelById(db: Db, by: Actor, { id }: { id: number }): Channel {
  permit(by, "channelById");
  requireWholeIsp(by, "messages");
  return shaped(db, findRow(db, visible(by.scope), id));
}

/**
 * Secrets are set separately. Throws `invalid` with every fault, `forbidden` for another ISP, and for local addresses or mail
 * without TLS by non-Admins.
 */
export function createChannel(db: Db, by: Actor, input: Input, { now }: At): Channel {
  permit(by, "createChannel");
  requireWholeIsp(by, "messages");
  const faults: Faults = {};
  const { sent, settings } = readChannel(input, faults);
  return write(db, (tx) => {
    rejectFaults(faults);
    const ispId = ispNamed(tx, by, sent.isp_id);
    if (!settings) throw new Error("a channel has a kind");
    const allowLocal = sent.allow_local ?? 0;
    if (allowLocal === 1) requireAdmin(by);
    requireTls(settings, allowLocal);
    const id = insert(tx, channels, {
      ispId,
      name: sent.name ?? "",
      kind: settings.kind,
      address: sent.address ?? "none",
      isSms: sent.is_sms ?? 0,
      settings: JSON.stringify(settings),
      perMinute: sent.per_minute ?? PER_MINUTE,
      passesId: sent.passes_id ?? 0,
      allowLocal,
      createdAt: now,
    });
    const made = shaped(tx, findRow(tx, undefined, id));
    audit(tx, by, now, { ...entry(made, "create"), after: auditView(made) });
    return made;
  });
}

/**
 * A new host drops secrets, so that nobody can capture them; a new address or path needs an Admin's permission for local ones
 * again. Throws `not_found`, `invalid`, `forbidden`.
 */
export function updateChannel(
  db: Db,
  by: Actor,
  { id, input }: { id: number; input: Input },
  { now }: At,
): Channel {
  permit(by, "updateChannel");
  requireWholeIsp(by, "messages");
  return write(db, (tx) => {
    const before = shaped(tx, findRow(tx, own(by.scope), id));
    const faults: Faults = {};
    const { sent, settings } = readChannel(input, faults, {
      sent: { address: before.address },
      settings: before.settings,
    });
    rejectFaults(faults);
    if (!settings) throw new Error("a channel has a kind");
    const isMoved = originOf(settings) !== originOf(before.settings);
    const isElsewhere = channelAddress(settings) !== channelAddress(before.settings);
    const allowLocal = sent.allow_local ?? (isElsewhere && !by.admin ? 0 : before.allowLocal);
    if (allowLocal === 1 && (isElsewhere || before.allowLocal === 0)) requireAdmin(by);
    requireTls(settings, allowLocal);
    update(
      tx,
      channels,
      {
        name: sent.name ?? undefined,
        address: sent.address ?? undefined,
        isSms: sent.is_sms ?? undefined,
        settings: JSON.stringify(settings),
        perMinute: sent.per_minute ?? undefined,
        passesId: sent.passes_id ?? undefined,
        allowLocal,
        ...(isMoved && { secretsSealed: null }),
        // perhaps repaired: tried at once
        ...(before.downSince !== null && { tryAt: now }),
      },
      { id },
    );
    const changed = shaped(tx, findRow(tx, undefined, id));
    const forgets = isMoved && before.secrets.length > 0 && { secrets_forgotten: before.secrets };
    audit(tx, by, now, {
      ...entry(changed, "update"),
      before: auditView(before),
      after: { ...auditView(changed), ...forgets },
    });
    return changed;
  });
}

/** Sets or, where it is empty, removes the secret of a channel, which is never shown. Throws `not_found`, `invalid`. */
export function setChannelSecret(
  db: Db,
  by: Actor,
  { id, input }: { id: number; input: Input },
  { now }: At,
): Channel {
  permit(by, "setChannelSecret");
  requireWholeIsp(by, "messages");
  const faults: Faults = {};
  const { name, value } = readFields(secretForm, input, faults, { required: ["name"] });
  if (name && !/^[a-z][a-z0-9_]*$/.test(name)) addFault(faults, "name", secretForm.name.message);
  rejectFaults(faults);
  return write(db, (tx) => {
    const row = findRow(tx, own(by.scope), id);
    const { [name ?? ""]: _, ...others } = openedSecrets(tx, row.secretsSealed);
    const secrets = value ? { ...others, [name ?? ""]: value } : others;
    const secretsSealed = Object.keys(secrets).length === 0 ? null : tx.vault.seal(JSON.stringify(secrets));
    update(tx, channels, { secretsSealed, ...(row.downSince !== null && { tryAt: now }) }, { id });
    const changed = shaped(tx, findRow(tx, undefined, id));
    audit(tx, by, now, { ...entry(changed, "secret"), after: { secret: name, is_set: value ? 1 : 0 } });
    return changed;
  });
}

/** Waiting messages stay. Throws `not_found`. */
export function setChannelEnabled(
  db: Db,
  by: Actor,
  { id, enabled }: { id: number; enabled: boolean },
  { now }: At,
): Channel {
  permit(by, "setChannelEnabled");
  requireWholeIsp(by, "messages");
  return write(db, (tx) => {
    const before = shaped(tx, findRow(tx, own(by.scope), id));
    if (enabled === (before.disabledAt === null)) return before;
    const disabledAt = enabled ? null : now;
    update(tx, channels, { disabledAt, downSince: null, downReason: null, tryAt: null }, { id });
    const changed = shaped(tx, findRow(tx, undefined, id));
    audit(tx, by, now, entry(changed, enabled ? "enable" : "disable"));
    return changed;
  });
}

export function deleteChannel(db: Db, by: Actor, { id }: { id: number }, { now }: At): Channel {
  permit(by, "deleteChannel");
  requireWholeIsp(by, "messages");
  return write(db, (tx) => {
    const gone = shaped(tx, findRow(tx, own(by.scope), id));
    const uses = countUses(tx, channels, id);
    if (uses.length > 0)
      throw new DomainError(
        "conflict",
        phrase`the channel has ${usesInWords(uses)}, which keep it; switch it off instead`,
        { code: "in_use" },
      );
    tx.$client.query<unknown, [number]>("DELETE FROM channels WHERE id = ?").run(id);
    audit(tx, by, now, { ...entry(gone, "delete"), before: auditView(gone) });
    return gone;
  });
}

export function channelToSend(
  db: Db,
  id: number,
): { channel: Channel; secrets: Readonly<Record<string, string>> } | undefined {
  const row = db.$client.query<Row, [number]>(`${select} WHERE c.id = ?`).get(id);
  return row ? { channel: shaped(db, row), secrets: openedSecrets(db, row.secretsSealed) } : undefined;
}

function openedSecrets(db: Pick<Db, "vault">, sealed: Uint8Array | null): Record<string, string> {
  const text = sealed === null ? undefined : db.vault.openTextIfWhole(sealed);
  return text === undefined ? {} : JSON.parse(text);
}

function shaped(db: Pick<Db, "vault">, { settings, secretsSealed, ...row }: Row): Channel {
  const parsed: ChannelSettings = JSON.parse(settings);
  const secrets = Object.keys(openedSecrets(db, secretsSealed));
  const missing = secretsNeeded(parsed).filter((name) => !secrets.includes(name));
  return { ...row, settings: parsed, secrets, missing };
}

/** The ISP's and the box's. */
export const visible = ({ ispId }: Scope) =>
  ispId === null ? undefined : { text: "(c.isp_id = ? OR c.isp_id IS NULL)", values: [ispId] };
const own = ({ ispId }: Scope) => equal("c.isp_id", ispId);

function findRow(
  { $client }: Pick<Tx, "$client">,
  within: ReturnType<typeof visible> | ReturnType<typeof equal>,
  id: number,
): Row {
  const { text, values } = all(equal("c.id", id), within);
  const row = $client.query<Row, Value[]>(`${select} WHERE ${text}`).get(...values);
  if (!row) throw noChannel(id);
  return row;
}

function requireAdmin({ admin }: Actor): void {
  if (admin) return;
  throw new DomainError(
    "forbidden",
    phrase`sending to an address within your own network is for an Admin to allow; ask one, or leave allow_local out`,
    { code: "admin_only" },
  );
}

/** Clear text only within the own network. */
function requireTls(settings: ChannelSettings, allowLocal: number): void {
  if (settings.kind !== "smtp" || settings.tls !== "none" || allowLocal === 1) return;
  throw new DomainError("invalid", phrase`check tls`, {
    fields: {
      tls: [phrase`none is for a server in your own network, which an Admin allows with allow_local`],
    },
  });
}

const entry = auditEntry("channel");

/** The channel as the audit log keeps it: without full address and headers, which may have keys. */
function auditView({ name, settings, address, isSms, perMinute, passesId, allowLocal }: Channel): object {
  return {
    name,
    kind: settings.kind,
    at: originOf(settings),
    address,
    is_sms: isSms,
    per_minute: perMinute,
    passes_id: passesId,
    allow_local: allowLocal,
  };
}

export const noChannel = (id: number) => new DomainError("not_found", phrase`there is no channel ${id}`);
