import { kindCalled } from "../../../../goods/nas/kinds.ts";
import type { MovedRouter, Origin } from "../../model.ts";
import type { DumpRow } from "../../dump/row.ts";
import type { ReadOptions } from "../../source.ts";
import { numberOf, rawText, textOf } from "../row-text.ts";
import { Accounting } from "./accounting.ts";
import { RowClock } from "../row-clock.ts";
import type { Pair, Profile } from "./pairs.ts";
import { Plans } from "./plans.ts";
import { People } from "./people.ts";

/** The tables that are read, of a copy that may have a hundred others. */
export const wantedTables: ReadonlySet<string> = new Set([
  "radcheck",
  "radreply",
  "radgroupcheck",
  "radgroupreply",
  "radusergroup",
  "nas",
  "radacct",
  "userinfo",
  "userbillinfo",
  "billing_plans",
  "billing_plans_profiles",
  "batch_history",
  "operators",
]);

interface Membership {
  readonly group: string;
  readonly priority: number;
}

/** What a copy of a FreeRADIUS database says, put together by user and group. */
export class Tables {
  readonly users = new Map<string, Profile>();
  readonly groups = new Map<string, Profile>();
  readonly memberships = new Map<string, Membership[]>();
  readonly routers = new Map<string, MovedRouter>();
  readonly accounting: Accounting;
  readonly plans = new Plans();
  readonly people: People;
  /** Where each user and group is first named. */
  readonly origins = new Map<string, Origin>();
  readonly seen = new Set<string>();
  operators = 0;
  readonly #options: ReadOptions;

  constructor(options: ReadOptions) {
    this.#options = options;
    const clock = new RowClock(options.zone);
    this.accounting = new Accounting(clock, options);
    this.people = new People(clock);
  }

  add(row: DumpRow, file: string): void {
    const at = { file, line: row.line };
    this.seen.add(row.table);
    switch (row.table) {
      case "radcheck":
      case "radreply":
        return this.#addPair(this.users, rawText(row, "username"), row, at);
      case "radgroupcheck":
      case "radgroupreply":
        return this.#addPair(this.groups, textOf(row, "groupname"), row, at);
      case "radusergroup":
        return this.#addMembership(row, at);
      case "nas":
        return this.#addRouter(row, at);
      case "radacct":
        return this.accounting.add(row, file);
      case "operators":
        this.operators++;
        return;
      case "userinfo":
      case "userbillinfo":
      case "batch_history":
        return this.people.add(row, at);
      default:
        return this.plans.add(row, at);
    }
  }

  #addPair(profiles: Map<string, Profile>, owner: string, row: DumpRow, at: Origin): void {
    const attribute = textOf(row, "attribute").replace(/^(control|reply|request):/i, "");
    if (owner.trim() === "" || attribute === "") return;
    const profile = profiles.get(owner) ?? { name: owner, check: [], reply: [] };
    profiles.set(owner, profile);
    if (profiles === this.users) this.#note(owner, at);
    const pair: Pair = {
      at,
      owner,
      table: row.table,
      attribute,
      name: attribute.toLowerCase(),
      op: textOf(row, "op") || "==",
      value: unquoted(rawText(row, "value")),
    };
    (row.table.endsWith("check") ? profile.check : profile.reply).push(pair);
  }

  #addMembership(row: DumpRow, at: Origin): void {
    const [username, group] = [rawText(row, "username"), textOf(row, "groupname")];
    if (username.trim() === "" || group === "") return;
    const list = this.memberships.get(username) ?? [];
    this.memberships.set(username, list);
    this.#note(username, at);
    if (!list.some((other) => other.group === group))
      list.push({ group, priority: numberOf(row, "priority") ?? 1 });
  }

  #addRouter(row: DumpRow, at: Origin): void {
    const address = textOf(row, "nasname");
    if (address === "") return;
    const name = textOf(row, "shortname") || address;
    if (this.routers.has(address))
      this.#options.told.add(
        "double",
        at,
        name,
        `the router ${address} stands there more than once; the first row is taken`,
      );
    else
      this.routers.set(address, {
        ...{ at, key: address, name, address, secret: rawText(row, "secret") || null },
        kind: kindCalled(textOf(row, "type")),
      });
  }

  #note(username: string, at: Origin): void {
    if (!this.origins.has(username)) this.origins.set(username, at);
  }
}

/** A value in quotes of its own is what stands between them, as the server reads it. */
function unquoted(value: string): string {
  const first = value[0];
  const isQuoted =
    (first === '"' || first === "'" || first === "`") && value.length > 1 && value.at(-1) === first;
  return isQuoted ? value.slice(1, -1) : value;
}
