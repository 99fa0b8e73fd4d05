import { kindCalled } from "../../../../goods/nas/kinds.ts";
import type { MovedRouter, Origin } from "../../model.ts";
import type { DumpRow } from "../../dump/row.ts";
import { fold, type Scratch } from "../../scratch.ts";
import { MovingRefused, type ReadOptions } from "../../source.ts";
import { rawText, readNumber, readText } from "../row-text.ts";
import { Accounting } from "./accounting.ts";
import { requirePeople } from "../room.ts";
import { RowClock } from "../row-clock.ts";
import type { Pair, Profile } from "./pairs.ts";
import { Plans } from "./plans.ts";
import { People } from "./people.ts";

export const tablesToRead: ReadonlySet<string> = new Set([
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

/** Tables kept on disk, of any size. */
export const onDisk: ReadonlySet<string> = new Set([
  ...["radcheck", "radreply", "radusergroup", "radacct", "userinfo", "userbillinfo"],
]);

/** Attributes of a user or group, merged in memory. */
const MOST_PAIRS = 1000;

function requireFew(count: number, owner: string): void {
  if (count > MOST_PAIRS)
    throw new MovingRefused(`${owner.slice(0, 60)} has more than ${MOST_PAIRS} attributes, which nobody has`);
}

interface Membership {
  readonly group: string;
  readonly priority: number;
}

export interface Named {
  readonly id: number;
  readonly name: string;
  readonly key: string;
  readonly file: string;
  readonly line: number;
}

interface StoredPair extends Omit<Pair, "at" | "table"> {
  readonly place: string;
  readonly file: string;
  readonly line: number;
}

/** Users on disk, shared data in memory. */
export class Tables {
  readonly groups = new Map<string, Profile>();
  readonly routers = new Map<string, MovedRouter>();
  readonly accounting: Accounting;
  readonly plans = new Plans();
  readonly people: People;
  readonly seen = new Set<string>();
  operators = 0;
  readonly #options: ReadOptions;
  readonly #scratch: Scratch;
  readonly #pairs: string;
  readonly #memberships: string;
  readonly #names: string;
  #rows = 0;

  constructor(options: ReadOptions) {
    this.#options = options;
    const { scratch } = options.notices;
    this.#scratch = scratch;
    const owned = "id INTEGER PRIMARY KEY, owner TEXT, key TEXT";
    this.#pairs = scratch.table(
      "pairs",
      `${owned}, place TEXT, attribute TEXT, name TEXT, op TEXT, value TEXT, file TEXT, line INTEGER`,
    );
    this.#memberships = scratch.table(
      "memberships",
      `${owned}, "group" TEXT, priority INTEGER, file TEXT, line INTEGER`,
    );
    this.#names = scratch.table(
      "users",
      "id INTEGER PRIMARY KEY, name TEXT, key TEXT, file TEXT, line INTEGER",
    );
    const clock = new RowClock(options.zone);
    this.accounting = new Accounting(scratch, clock, options);
    this.people = new People(scratch, clock);
  }

  add(row: DumpRow, file: string): void {
    const at = { file, line: row.line };
    this.seen.add(row.table);
    switch (row.table) {
      case "radcheck":
      case "radreply":
        return this.#addPair(rawText(row, "username"), row, at);
      case "radgroupcheck":
      case "radgroupreply":
        return this.#addToGroup(readText(row, "groupname"), row, at);
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

  /** Call after reading. Throws MovingRefused for too many users. */
  end(): void {
    this.accounting.end();
    const scratch = this.#scratch;
    for (const table of [this.#pairs, this.#memberships])
      for (const column of ["owner", "key"]) scratch.index(table, column);
    const named = "SELECT id, owner, key, file, line FROM";
    scratch.write(
      `INSERT INTO ${this.#names} SELECT min(id), owner, key, file, line
       FROM (${named} ${this.#pairs} UNION ALL ${named} ${this.#memberships}) GROUP BY owner`,
    );
    scratch.index(this.#names, "key");
    requirePeople(scratch.get<{ count: number }>(`SELECT count(*) AS count FROM ${this.#names}`)?.count ?? 0);
  }

  names(): Iterable<Named> {
    return this.#scratch.each<Named>(`SELECT * FROM ${this.#names} WHERE id > ?`);
  }

  /** Equal to MySQL. */
  namesLike(key: string): Named[] {
    return this.#scratch.all<Named>(`SELECT * FROM ${this.#names} WHERE key = ? ORDER BY id`, key);
  }

  /** undefined: none. */
  findProfile(name: string): Profile | undefined {
    const rows = this.#scratch.all<StoredPair>(
      `SELECT * FROM ${this.#pairs} WHERE owner = ? ORDER BY id LIMIT ${MOST_PAIRS + 1}`,
      name,
    );
    requireFew(rows.length, name);
    if (rows.length === 0) return undefined;
    const profile: Profile = { name, check: [], reply: [] };
    for (const { owner, place: table, attribute, name, op, value, file, line } of rows) {
      const pair = { at: { file, line }, owner, table, attribute, name, op, value };
      (table === "radcheck" ? profile.check : profile.reply).push(pair);
    }
    return profile;
  }

  ownersLike(name: string): string[] {
    return this.#scratch
      .all<{ owner: string }>(
        `SELECT owner FROM ${this.#pairs} WHERE key = ? GROUP BY owner ORDER BY min(id)`,
        fold(name),
      )
      .map(({ owner }) => owner);
  }

  isChecked(name: string): boolean {
    const sql = `SELECT 1 FROM ${this.#pairs} WHERE owner = ? AND place = 'radcheck' LIMIT 1`;
    return this.#scratch.get(sql, name) !== undefined;
  }

  listMemberships(name: string): Membership[] {
    return this.#scratch.all<Membership>(
      `SELECT "group", priority, min(id) AS id FROM ${this.#memberships} WHERE owner = ? GROUP BY "group" ORDER BY id`,
      name,
    );
  }

  #readPair(owner: string, row: DumpRow, at: Origin): Pair | undefined {
    const attribute = readText(row, "attribute").replace(/^(control|reply|request):/i, "");
    if (owner.trim() === "" || attribute === "") return undefined;
    return {
      at,
      owner,
      table: row.table,
      attribute,
      name: attribute.toLowerCase(),
      op: readText(row, "op") || "==",
      value: unquoted(rawText(row, "value")),
    };
  }

  #addPair(owner: string, row: DumpRow, at: Origin): void {
    const pair = this.#readPair(owner, row, at);
    if (!pair) return;
    const { attribute, name, op, value } = pair;
    this.#scratch.write(
      `INSERT INTO ${this.#pairs} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[++this.#rows, owner, fold(owner), row.table, attribute, name, op, value, at.file, at.line],
    );
  }

  #addToGroup(owner: string, row: DumpRow, at: Origin): void {
    const pair = this.#readPair(owner, row, at);
    if (!pair) return;
    const profile = this.groups.get(owner) ?? { name: owner, check: [], reply: [] };
    this.groups.set(owner, profile);
    (row.table.endsWith("check") ? profile.check : profile.reply).push(pair);
    requireFew(profile.check.length + profile.reply.length, owner);
  }

  #addMembership(row: DumpRow, at: Origin): void {
    const [username, group] = [rawText(row, "username"), readText(row, "groupname")];
    if (username.trim() === "" || group === "") return;
    this.#scratch.write(
      `INSERT INTO ${this.#memberships} VALUES (?, ?, ?, ?, ?, ?, ?)`,
      ...[++this.#rows, username, fold(username), group, readNumber(row, "priority") ?? 1, at.file, at.line],
    );
  }

  #addRouter(row: DumpRow, at: Origin): void {
    const address = readText(row, "nasname");
    if (address === "") return;
    const name = readText(row, "shortname") || address;
    if (this.routers.has(address))
      this.#options.notices.add(
        "double",
        at,
        name,
        `the router ${address} stands there more than once; the first row is taken`,
      );
    else
      this.routers.set(address, {
        at,
        key: address,
        name,
        address,
        secret: rawText(row, "secret") || null,
        kind: kindCalled(readText(row, "type")),
      });
  }
}

/** Removes quotes as the server does. */
function unquoted(value: string): string {
  const first = value[0];
  const isQuoted =
    (first === '"' || first === "'" || first === "`") && value.length > 1 && value.at(-1) === first;
  return isQuoted ? value.slice(1, -1) : value;
}
