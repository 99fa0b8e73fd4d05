import { fold } from "../../scratch.ts";
import type { ReadOptions } from "../../source.ts";
import type { Notices } from "../../notices.ts";
import type { Tables } from "./tables.ts";
import type { Plan } from "./plans.ts";
import { isNobody, type User } from "./users.ts";

/** Findings collected over many users. */
export class Summary {
  /** Combinations of several groups. */
  readonly combinations = new Map<string, { readonly user: User; count: number }>();
  readonly plans = new Set<Plan>();
  readonly batches = new Map<string, number>();
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  *heard(users: Iterable<User>): Generator<User, void> {
    for (const user of users) {
      this.#hear(user);
      yield user;
    }
  }

  #hear(user: User): void {
    const { person, plan, combined } = user;
    if (plan) this.plans.add(plan);
    const batch = person?.bill?.batch && this.#tables.people.batches.get(person.bill.batch);
    if (batch) this.batches.set(batch, (this.batches.get(batch) ?? 0) + 1);
    const { taken: used, unreached } = combined;
    if (used.length + unreached.length < 2) return;
    const key = JSON.stringify([used, unreached].map((groups) => groups.map(({ name }) => name)));
    const same = this.combinations.get(key);
    if (same) same.count++;
    else this.combinations.set(key, { user, count: 1 });
  }
}

interface Counted {
  readonly datesAlone: number;
  readonly byFirstLogin: number;
  readonly lost: number;
  readonly strangers: number;
}

/** Reports once what concerns many rows. */
export function tellWhole(
  tables: Tables,
  summary: Summary,
  { notices }: ReadOptions,
  counted: Counted,
): void {
  tellCombinations(summary, notices);
  tellLeftOut(tables, summary, notices);
  tellAccounting(tables, notices, counted);
  const { datesAlone, byFirstLogin } = counted;
  if (datesAlone > 0)
    notices.add(
      "note",
      null,
      "Expiration",
      `users with a date but no time: ${datesAlone}; here they end with that day, FreeRADIUS ended them with its first second`,
    );
  if (byFirstLogin > 0)
    notices.add(
      "note",
      null,
      "Access-Period",
      `users who end so long after the first session in this copy: ${byFirstLogin}; where older ones were deleted from radacct, they would end earlier`,
    );
}

/** Which of several groups count. */
function tellCombinations({ combinations }: Summary, notices: Notices): void {
  for (const { user, count } of combinations.values()) {
    const [used, unreached] = [user.combined.taken, user.combined.unreached].map((groups) =>
      groups.map(({ name }) => name),
    );
    const combined = `${used?.join(", ") || "none"} ${used?.length === 1 ? "counts" : "count together"}, by priority and Fall-Through`;
    const left = unreached?.length
      ? `; ${unreached.join(", ")} ${unreached.length === 1 ? "is" : "are"} never reached there`
      : "";
    notices.add(
      "note",
      user.at,
      [...(used ?? []), ...(unreached ?? [])].join(", "),
      `of the groups of ${count === 1 ? user.username : `${count} users`}, ${combined}${left}`,
    );
  }
}

function tellLeftOut(tables: Tables, summary: Summary, notices: Notices): void {
  const { people, operators, plans } = tables;
  const add = (count: number, who: string, text: string) =>
    count > 0 && notices.add("left_out", null, who, text.replace("#", String(count)));
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
  for (const { name, file, line } of tables.namesLike("default"))
    if (isNobody(name))
      notices.add(
        "left_out",
        { file, line },
        name,
        "is nobody, but what FreeRADIUS takes for names that it does not know",
      );
  for (const [name, { at }] of people.users)
    if (!tables.namesLike(fold(name)).some((one) => !isNobody(one.name)))
      notices.add(
        "refused",
        at,
        name,
        "has an address there, but neither a password nor a group, so that nothing could log in",
      );
  for (const plan of plans.all)
    if (!summary.plans.has(plan) && ![...tables.groups.keys()].some((group) => plans.ofGroup(group) === plan))
      notices.add("left_out", plan.at, plan.name, "this plan has no group and nobody has it");
  for (const { at, name, cost, price } of plans.all)
    if (price === null && cost !== "")
      notices.add("note", at, name, `its price "${cost}" can be read in more ways than one, or in none`);
  const currencies = [
    ...new Set(plans.all.map(({ currency }) => currency).filter((currency) => currency !== "")),
  ];
  if (currencies.length > 0)
    notices.add(
      "note",
      null,
      "billing_plans",
      `prices are in ${currencies.join(", ")}, and come as they are: see that it is the currency here`,
    );
  for (const [batch, count] of summary.batches)
    notices.add(
      "note",
      null,
      batch,
      `users of this batch: ${count}; they come as subscribers, its name in their notes`,
    );
}

export function tellAccounting(
  { accounting, seen }: Tables,
  notices: Notices,
  { lost, strangers }: Counted,
): void {
  const add = (count: number, text: string) =>
    count > 0 && notices.add("note", null, "radacct", text.replace("#", String(count)));
  if (!seen.has("radacct"))
    notices.add(
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
