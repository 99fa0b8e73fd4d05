import { selectColumns } from "../../../../db/columns.ts";
import { all, equal, type Value } from "../../../../db/condition.ts";
import { insert } from "../../../../db/insert.ts";
import { type Db, type Tx, write } from "../../../../db/open.ts";
import { messageRules } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { audit, auditEntry } from "../../core/audit/audit.ts";
import type { EventType } from "../../core/events/types.ts";
import { DomainError, type Faults, rejectFaults } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { addFault, type Input, readFields } from "../../core/fields/fields.ts";
import { ispForNewRow } from "../../core/references/references.ts";
import { type Actor, requireWholeIsp, type Scope } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { isAboutSubscriber, templateFieldsFor } from "./fields.ts";
import { ruleForm } from "./rule-fields.ts";
import { findOfferFaults, listLanguages } from "./templates.ts";

/** Seconds; default. */
const LATE_BY = 6 * 3600;

type Row = typeof messageRules.$inferSelect;
export interface Rule extends Omit<Row, "eventType"> {
  readonly eventType: EventType | null;
}

interface At {
  readonly now: Seconds;
}

export const selectRules = `SELECT ${selectColumns(messageRules, "r")} FROM message_rules r`;

export function listRules(db: Db, by: Actor): Rule[] {
  permit(by, "listRules");
  requireWholeIsp(by, "messages");
  const { text, values } = all(equal("r.isp_id", by.scope.ispId));
  return db.$client.query<Rule, Value[]>(`${selectRules} WHERE ${text} ORDER BY r.id`).all(...values);
}

export function ruleById(db: Db, by: Actor, { id }: { id: number }): Rule {
  permit(by, "ruleById");
  requireWholeIsp(by, "messages");
  return find(db, by.scope, id);
}

/** Makes a rule for what happens from then on. Throws `invalid` with every fault. */
export function createRule(db: Db, by: Actor, input: Input, { now }: At): Rule {
  permit(by, "createRule");
  requireWholeIsp(by, "messages");
  const faults: Faults = {};
  const required = ["name", "on", "audience", "channel_id", "template"] as const;
  const sent = readFields(ruleForm, input, faults, { required });
  return write(db, (tx) => {
    const ispId = ispForNewRow(tx, by, sent.isp_id);
    const row = {
      ispId,
      name: sent.name ?? "",
      on: sent.on ?? "event",
      eventType: sent.event_type ?? null,
      offset: sent.offset ?? 0,
      audience: sent.audience ?? "subscriber",
      flag: sent.flag ?? null,
      channelId: sent.channel_id ?? 0,
      template: sent.template ?? "",
      quietFrom: sent.quiet_from ?? null,
      quietTo: sent.quiet_to ?? null,
      lateBy: sent.late_by ?? LATE_BY,
      isEnabled: sent.is_enabled ?? 1,
    } as const;
    findRuleFaults(tx, row, faults);
    rejectFaults(faults);
    const id = insert(tx, messageRules, { ...row, plannedTo: now, createdAt: now });
    const made = find(tx, by.scope, id);
    audit(tx, by, now, { ...entry(made, "create"), after: auditView(made) });
    return made;
  });
}

/** Re-enabled or changed rules begin anew. Throws `not_found`, `invalid` with every fault. */
export function updateRule(
  db: Db,
  by: Actor,
  { id, input }: { id: number; input: Input },
  { now }: At,
): Rule {
  permit(by, "updateRule");
  requireWholeIsp(by, "messages");
  const faults: Faults = {};
  const required = ["name", "on", "audience", "channel_id", "template"] as const;
  const sent = readFields(ruleForm, input, faults, { required, partial: true });
  return write(db, (tx) => {
    const before = find(tx, by.scope, id);
    const kept = <T>(value: T | null | undefined, old: T) => (value === undefined ? old : value);
    const row = {
      name: sent.name ?? before.name,
      on: sent.on ?? before.on,
      eventType: kept(sent.event_type, before.eventType),
      offset: kept(sent.offset, before.offset) ?? 0,
      audience: sent.audience ?? before.audience,
      flag: kept(sent.flag, before.flag),
      channelId: sent.channel_id ?? before.channelId,
      template: sent.template ?? before.template,
      quietFrom: kept(sent.quiet_from, before.quietFrom),
      quietTo: kept(sent.quiet_to, before.quietTo),
      lateBy: kept(sent.late_by, before.lateBy) ?? LATE_BY,
      isEnabled: kept(sent.is_enabled, before.isEnabled) ?? before.isEnabled,
    };
    findRuleFaults(tx, { ...row, ispId: before.ispId }, faults);
    rejectFaults(faults);
    const isNew =
      (row.isEnabled === 1 && before.isEnabled === 0) ||
      row.on !== before.on ||
      row.eventType !== before.eventType ||
      row.offset !== before.offset;
    update(tx, messageRules, { ...row, ...(isNew && { plannedTo: now }) }, { id });
    const changed = find(tx, by.scope, id);
    audit(tx, by, now, { ...entry(changed, "update"), before: auditView(before), after: auditView(changed) });
    return changed;
  });
}

/** Cancels planned messages. Throws `not_found`. */
export function deleteRule(db: Db, by: Actor, { id }: { id: number }, { now }: At): Rule {
  permit(by, "deleteRule");
  requireWholeIsp(by, "messages");
  return write(db, (tx) => {
    const gone = find(tx, by.scope, id);
    tx.$client
      .query<unknown, [Seconds, number]>(
        // by waiting ones, which are few
        `UPDATE messages SET state = 'cancelled', ended_at = ?, reason = 'its rule was deleted'
         WHERE channel_id IN (SELECT id FROM channels) AND state = 'waiting' AND +rule_id = ?`,
      )
      .run(now, id);
    tx.$client.query<unknown, [number]>("DELETE FROM message_rules WHERE id = ?").run(id);
    audit(tx, by, now, { ...entry(gone, "delete"), before: auditView(gone) });
    return gone;
  });
}

type Checked = Omit<Row, "id" | "plannedTo" | "createdAt" | "eventType"> & { eventType: EventType | null };

function findRuleFaults(tx: Tx, rule: Checked, faults: Faults): void {
  const { on, eventType, audience, flag, offset } = rule;
  if (on === "event" && eventType === null) addFault(faults, "event_type", phrase`is required`);
  if (on !== "event" && eventType !== null)
    addFault(faults, "event_type", phrase`is for a rule on an event; leave it empty`);
  if (on === "event" && offset !== 0)
    addFault(faults, "offset", phrase`is for an expiry or a due date; what happens is told at once`);
  if (audience === "staff" ? flag === null : flag !== null)
    addFault(
      faults,
      "flag",
      phrase`is the permission of the staff who are told, and is needed for them alone`,
    );
  if (flag !== null && !tx.$client.query("SELECT 1 FROM permission_flags WHERE name = ?").get(flag))
    addFault(faults, "flag", phrase`is no permission`);
  if (audience !== "staff" && !isAboutSubscriber({ on, eventType }))
    addFault(faults, "audience", phrase`must be staff, for it is about no subscriber`);
  if ((rule.quietFrom === null) !== (rule.quietTo === null))
    addFault(faults, rule.quietFrom === null ? "quiet_from" : "quiet_to", phrase`is required with the other`);
  const channel = tx.$client
    .query<{ address: string }, [number, number]>(
      "SELECT address FROM channels WHERE id = ? AND (isp_id = ? OR isp_id IS NULL)",
    )
    .get(rule.channelId, rule.ispId);
  if (!channel) addFault(faults, "channel_id", phrase`is no channel of this ISP`);
  const texts = listLanguages(tx, { ispId: rule.ispId, name: rule.template });
  if (texts.length === 0)
    addFault(faults, "template", phrase`is no text of this ISP; write one first, or add the ready ones`);
  const first = texts.find(({ subject, body }) => {
    const found: Faults = {};
    findOfferFaults({ subject, body }, { on, eventType }, found, "template");
    return Object.keys(found).length > 0;
  });
  if (!first) return;
  findOfferFaults(first, { on, eventType }, faults, "template");
  addFault(
    faults,
    "template",
    phrase`the fields there are: ${templateFieldsFor({ on, eventType }).join(", ")}`,
  );
}

function find({ $client }: Pick<Db, "$client">, { ispId }: Scope, id: number): Rule {
  const { text, values } = all(equal("r.id", id), equal("r.isp_id", ispId));
  const row = $client.query<Rule, Value[]>(`${selectRules} WHERE ${text}`).get(...values);
  if (!row) throw noRule(id);
  return row;
}

const entry = auditEntry("message_rule");

function auditView(rule: Rule): object {
  const { name, on, offset, audience, flag, template } = rule;
  return {
    name,
    on,
    event_type: rule.eventType,
    offset,
    audience,
    flag,
    template,
    channel_id: rule.channelId,
    quiet_from: rule.quietFrom,
    quiet_to: rule.quietTo,
    late_by: rule.lateBy,
    is_enabled: rule.isEnabled,
  };
}

export const noRule = (id: number) => new DomainError("not_found", phrase`there is no rule ${id}`);
