import type { ReadOptions } from "../../source.ts";
import type { Tellings } from "../../told.ts";
import type { Tables } from "./tables.ts";
import { Names, type User } from "./users.ts";

interface Counted {
  readonly datesAlone: number;
  readonly byFirstLogin: number;
  readonly lost: number;
  readonly strangers: number;
}

/** Tells what is of many rows, once. */
export function tellWhole(
  tables: Tables,
  users: readonly User[],
  { told }: ReadOptions,
  counted: Counted,
): void {
  tellCombinations(users, told);
  tellLeftOut(tables, users, told);
  tellAccounting(tables, told, counted);
  const { datesAlone, byFirstLogin } = counted;
  if (datesAlone > 0)
    told.add(
      "note",
      null,
      "Expiration",
      `users with a date but no time: ${datesAlone}; here they end with that day, FreeRADIUS ended them with its first second`,
    );
  if (byFirstLogin > 0)
    told.add(
      "note",
      null,
      "Access-Period",
      `users who end so long after the first session in this copy: ${byFirstLogin}; where older ones were deleted from radacct, they would end earlier`,
    );
}

/** Which groups count for who is in several, by their priorities and Fall-Through. */
function tellCombinations(users: readonly User[], told: Tellings): void {
  const found = new Map<string, { user: User; count: number }>();
  for (const user of users) {
    const { taken, unreached } = user.combined;
    if (taken.length + unreached.length < 2) continue;
    const key = JSON.stringify([taken, unreached].map((groups) => groups.map(({ name }) => name)));
    const same = found.get(key);
    if (same) same.count++;
    else found.set(key, { user, count: 1 });
  }
  for (const { user, count } of found.values()) {
    const [taken, unreached] = [user.combined.taken, user.combined.unreached].map((groups) =>
      groups.map(({ name }) => name),
    );
    const combined = `${taken?.join(", ") || "none"} ${taken?.length === 1 ? "counts" : "count together"}, by priority and Fall-Through`;
    const left = unreached?.length
      ? `; ${unreached.join(", ")} ${unreached.length === 1 ? "is" : "are"} never reached there`
      : "";
    told.add(
      "note",
      user.at,
      [...(taken ?? []), ...(unreached ?? [])].join(", "),
      `of the groups of ${count === 1 ? user.username : `${count} users`}, ${combined}${left}`,
    );
  }
}

function tellLeftOut(tables: Tables, users: readonly User[], told: Tellings): void {
  const { people, operators, plans } = tables;
  const add = (count: number, who: string, text: string) =>
    count > 0 && told.add("left_out", null, who, text.replace("#", String(count)));
  add(
    people.cards,
    "userbillinfo",
    "rows with something of a card in them: #; numbers of cards are never read",
  );
  add(
    people.portalPasswords,
    "userinfo",
    "passwords of daloRADIUS's portal: #; the portal here takes the line's own",
  );
  add(operators, "operators", "accounts of staff: #; add those who need one here");
  for (const name of tables.origins.keys())
    if (name.toUpperCase() === "DEFAULT")
      told.add(
        "left_out",
        tables.origins.get(name) ?? null,
        name,
        "is nobody, but what FreeRADIUS takes for names that it does not know",
      );
  const logins = new Names(new Map(users.map(({ username }) => [username, true])));
  for (const [name, { at }] of people.users)
    if (logins.find(name) === undefined)
      told.add(
        "refused",
        at,
        name,
        "has an address there, but neither a password nor a group, so that nothing could log in",
      );
  for (const plan of plans.all)
    if (
      !users.some((user) => user.plan === plan) &&
      ![...tables.groups.keys()].some((group) => plans.ofGroup(group) === plan)
    )
      told.add("left_out", plan.at, plan.name, "this plan has no group and nobody has it");
  for (const { at, name, cost, price } of plans.all)
    if (price === null && cost !== "")
      told.add("note", at, name, `its price "${cost}" can be read in more ways than one, or in none`);
  const currencies = [
    ...new Set(plans.all.map(({ currency }) => currency).filter((currency) => currency !== "")),
  ];
  if (currencies.length > 0)
    told.add(
      "note",
      null,
      "billing_plans",
      `prices are in ${currencies.join(", ")}, and come as they are: see that it is the currency here`,
    );
  const batches = new Map<string, number>();
  for (const { person } of users) {
    const batch = person?.bill?.batch && people.batches.get(person.bill.batch);
    if (batch) batches.set(batch, (batches.get(batch) ?? 0) + 1);
  }
  for (const [batch, count] of batches)
    told.add(
      "note",
      null,
      batch,
      `users of this batch: ${count}; they come as subscribers, its name in their notes`,
    );
}

export function tellAccounting(
  { accounting, seen }: Tables,
  told: Tellings,
  { lost, strangers }: Counted,
): void {
  const add = (count: number, text: string) =>
    count > 0 && told.add("note", null, "radacct", text.replace("#", String(count)));
  if (!seen.has("radacct"))
    told.add(
      "note",
      null,
      "radacct",
      "is not in this copy: neither open sessions, nor what was used, nor who uses PPP or a hotspot is known",
    );
  add(
    lost,
    "open sessions that were not heard of for a day when the copy was made: #; their ends got lost, and they do not come",
  );
  add(strangers, "open sessions of names that nobody has: #");
  add(accounting.divided, "sessions that began before this month: #; their bytes are divided by time");
  add(accounting.clipped, "counters past 9007199254740991 bytes: #; they are that");
}
