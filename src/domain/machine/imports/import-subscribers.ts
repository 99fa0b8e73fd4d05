import { formatAmount } from "../../core/amounts/money.ts";
import { addDuration, formatTime, type Seconds } from "../../core/time/time.ts";
import { secretHash, type Fields, type Value } from "./imported-rows.ts";
import { cleanText, cutText } from "./clean.ts";
import { compareFields, type Compared, keptText, quoted } from "./compare.ts";
import { type Judged, judgePeople, tellLostPassword } from "./judge-people.ts";
import type { MovedSubscriber } from "./model.ts";
import { type Counts, type ImportRow, type Move, noCounts } from "./move.ts";
import { counted, moment } from "./measures.ts";
import { newPassword } from "./new-password.ts";
import { PlannedSubscriber } from "./plan.ts";
import type { References } from "./references.ts";
import { dropShared, tellSharedPorts } from "./shared-values.ts";
import { ours, type StoredPerson, StoredPeople } from "./stored-people.ts";
import { followMoney, outstandingMoney } from "./import-money.ts";

export interface NewPassword {
  readonly username: string;
  readonly name: string;
  readonly phone: string;
  readonly password: string;
}

export interface ImportedSubscribers {
  readonly rows: readonly ImportRow[];
  readonly counts: Counts;
  readonly passwords: readonly NewPassword[];
  readonly ids: ReadonlyMap<string, number>;
  readonly holders: ReadonlyMap<string, number>;
  /** Stamps when compared, of known rows with money. */
  readonly stamps: ReadonlyMap<number, string>;
}

interface Options {
  readonly references: References;
  readonly expires: Seconds | undefined;
}

export function importSubscribers(
  move: Move,
  subscribers: readonly MovedSubscriber[],
  { references, expires }: Options,
): ImportedSubscribers {
  const counts = noCounts();
  counts.found = subscribers.length;
  const people = new StoredPeople(move);
  const passwords = new Map<number, string>();
  const ids = new Map<string, number>();
  const holders = new Map<string, number>();
  const plans: PlannedSubscriber[] = [];
  for (const judged of judgePeople(move, subscribers)) {
    const plan = planSubscriber(move, judged, { people, references, expires, passwords });
    if (!plan) continue;
    plans.push(plan);
    ids.set(judged.key, plan.id);
    const held = references.requirePackage(judged.moved).key;
    holders.set(held, (holders.get(held) ?? 0) + 1);
  }
  dropShared(move, plans);
  tellSharedPorts(move, plans);
  tellGone(move, new Set(plans.map(({ key }) => key)), people);
  for (const plan of plans) {
    const { id, isKnown, fields, isMoneyOurs, stamp } = plan;
    counts[isKnown ? (plan.changes ? "changed" : "same") : "new"]++;
    const isStamped = isMoneyOurs && (!isKnown || plan.movesMoney);
    // moves here during the run are not the source's
    if (isMoneyOurs && stamp !== undefined) fields["stamp"] = stamp;
    move.imported.put("subscriber", plan.key, { rowId: id, isMade: !isKnown, fields, isStamped });
  }
  counts.refused = counts.found - plans.length;
  return {
    counts,
    ids,
    holders,
    stamps: new Map(
      plans.flatMap((plan) =>
        plan.stamp !== undefined && plan.movesMoney ? [[plan.id, plan.stamp] as const] : [],
      ),
    ),
    rows: plans.filter((plan) => plan.changes || plan.past).map((plan) => toImportRow(move, plan)),
    passwords: plans.flatMap((plan) => handedOut(plan, passwords)),
  };
}

interface Planning extends Options {
  readonly people: StoredPeople;
  readonly passwords: Map<number, string>;
}

function planSubscriber(move: Move, judged: Judged, planning: Planning): PlannedSubscriber | undefined {
  const { people } = planning;
  const { key, username, moved } = judged;
  const before = move.imported.get("subscriber", key);
  const stored = (before && people.byId(before.rowId)) ?? people.byKey(key);
  if (stored && stored.archived_at !== null) {
    move.notices.add("kept_here", moved.at, username, "was archived here; it stays so");
    return undefined;
  }
  if (stored) return followed(move, judged, { ...planning, stored, before: before?.fields });
  if (people.isElsewhere(key)) {
    move.notices.add(
      "refused",
      moved.at,
      username,
      "another ISP of this box has a subscriber of that username",
    );
    return undefined;
  }
  return made(move, judged, planning);
}

function made(move: Move, judged: Judged, planning: Planning): PlannedSubscriber {
  const { references, expires, passwords } = planning;
  const { moved, username, key, connection, fields } = judged;
  const id = move.ids.next("subscribers");
  const password = judged.password ?? newPassword();
  if (judged.password === null) {
    passwords.set(id, password);
    tellLostPassword(move, judged);
  }
  const source = { ...fields, ...references.of(moved) };
  const plan = new PlannedSubscriber(
    { id, username, key, at: moved.at },
    {
      values: source,
      fields: { ...source, connection, password: secretHash(move.db.vault, password) },
      before: null,
    },
  );
  plan.values["name"] ??= cleanText(username);
  if (move.autoRenew && moved.autoRenew === undefined) plan.values["auto_renew"] = 1;
  plan.values["salesperson_id"] ??= references.defaultSeller();
  tellConnection(move, judged);
  const since = moment(moved.createdAt ?? 0);
  Object.assign(plan.more, {
    username,
    password,
    ...connectionColumns(connection),
    ...(since !== undefined && since > 0 && since <= move.now && { created_at: formatTime(since) }),
  });
  outstandingMoney(move, plan, judged, { expires: expires ?? periodEnd(move, judged, references) });
  plan.past = pastRow(move, moved);
  return plan;
}

interface Following extends Planning {
  readonly stored: StoredPerson;
  readonly before: Fields | undefined;
}

/** Source changes win where ours is as imported. */
function followed(move: Move, judged: Judged, following: Following): PlannedSubscriber {
  const { references, stored, before = {}, people, expires } = following;
  const { moved, username, key, password } = judged;
  const { package_id: packageId, ...places } = references.of(moved);
  const source: Record<string, Value> = { ...judged.fields, ...places, connection: judged.connection };
  // unknown does not conflict
  if (following.before === undefined && judged.connection === "any") delete source["connection"];
  if (moved.enabled === null) delete source["status"];
  const compared = compareFields(source, before, (field) =>
    field === "salesperson_id" && (before[field] ?? null) === null && references.isDefaultSeller(stored)
      ? null
      : ours(stored, field),
  );
  const { connection, ...values } = compared.changes;
  const plan = new PlannedSubscriber(
    { id: stored.id, username, key, at: moved.at },
    { values, fields: following.before === undefined ? source : compared.fields, before },
  );
  plan.stamp = people.readStamp(stored.id);
  if (plan.values["name"] === null) plan.values["name"] = username;
  if (connection !== undefined) Object.assign(plan.more, connectionColumns(judged.connection));
  tellKept(move, judged, { compared, isImported: following.before !== undefined });
  if (password !== null) followPassword(move, plan, { password, before: before["password"], stored });
  const end = expires ?? periodEnd(move, judged, references);
  plan.past = pastRow(move, moved);
  followMoney(move, plan, judged, { stored, before: following.before, packageId, people, expires: end });
  return plan;
}

function tellKept(
  { notices }: Move,
  { moved, username }: Judged,
  { compared: { kept }, isImported }: { compared: Compared; isImported: boolean },
): void {
  if (kept.length === 0) return;
  const text = keptText(kept, (_, value) => quoted(typeof value === "string" ? cutText(value, 80) : value));
  notices.add("kept_here", moved.at, username, isImported ? text : `was here before: ${text}`);
}

function followPassword(
  { db: { vault }, notices }: Move,
  plan: PlannedSubscriber,
  { password, before, stored }: { password: string; before: Value | undefined; stored: StoredPerson },
): void {
  const source = secretHash(vault, password);
  if (source === before) return;
  const here = secretHash(vault, vault.openTextIfWhole(stored.password_sealed) ?? "");
  if (here !== source && here !== before) {
    if (before !== undefined)
      notices.add("kept_here", plan.at, plan.username, "its password was changed at both sides");
    else notices.add("kept_here", plan.at, plan.username, "has another password here");
    if (before === undefined) plan.fields["password"] = source;
    return;
  }
  plan.fields["password"] = source;
  if (here !== source) plan.more["password"] = password;
}

function connectionColumns(connection: Judged["connection"]) {
  return connection === "any"
    ? { connection_type_id: 1, any_connection: 1 }
    : { connection_type_id: connection, any_connection: 0 };
}

function tellConnection({ notices }: Move, { moved, username, connection }: Judged): void {
  if (connection !== "any") return;
  notices.add("any_connection", moved.at, username, "logs in over PPPoE and at hotspots until staff choose");
}

function periodEnd({ now }: Move, { moved }: Judged, references: References): Seconds {
  return addDuration(now, references.requirePackage(moved).duration).end;
}

const isMonth = (text: string) => /^\d{4}-(0[1-9]|1[0-2])$/.test(text);

function pastRow({ now }: Move, { usage = [], history = [] }: MovedSubscriber): ImportRow | undefined {
  const entries = history.flatMap(({ at: value, text }) => {
    const line = cutText(cleanText(text), 500);
    const at = moment(value);
    return line === "" || at === undefined || at > now ? [] : [{ at: formatTime(at), text: line }];
  });
  const months = usage.flatMap(({ month, up, down }) =>
    isMonth(month) ? [{ month, up: counted(up), down: counted(down) }] : [],
  );
  if (months.length === 0 && entries.length === 0) return undefined;
  return { ...(months.length > 0 && { usage: months }), ...(entries.length > 0 && { history: entries }) };
}

function toImportRow({ ispId }: Move, { id, isKnown, values, more, past }: PlannedSubscriber): ImportRow {
  const rest = { ...values, ...more, ...past };
  if (isKnown) return { id, ...rest };
  // a known number makes one reachable
  const reached = values["mobile_number"] ? { sms_status: 1 } : {};
  return { id, isp_id: ispId, nic_number: null, mobile_number: null, ...reached, ...rest };
}

function handedOut(
  { id, username, values }: PlannedSubscriber,
  passwords: ReadonlyMap<number, string>,
): NewPassword[] {
  const password = passwords.get(id);
  if (password === undefined) return [];
  const phone = String(values["mobile_number"] ?? values["phone_number"] ?? "");
  return [{ username, name: String(values["name"] ?? username), phone, password }];
}

/** Reports subscribers imported, still here, and gone at the source. */
function tellGone({ imported, notices }: Move, seen: ReadonlySet<string>, people: StoredPeople): void {
  for (const [key, { rowId }] of imported.of("subscriber")) {
    const stored = people.byId(rowId);
    if (seen.has(key) || !stored || stored.archived_at !== null) continue;
    notices.add(
      "gone",
      null,
      stored.username,
      `is not there any more, and has ${formatAmount(stored.balance)} here`,
    );
  }
}
