import type { Db } from "../../../../db/open.ts";
import { type Actor, may, seesMoney } from "../../core/actor/actor.ts";
import { permit, permissions, type StaffOperation } from "../../core/actor/permissions.ts";
import { type Found as FoundRow, foundBy } from "./search.ts";
import {
  type Needle,
  type Range,
  rangeIn,
  type Searched,
  toNeedle,
} from "../../goods/subscribers/search-words.ts";
import { listRows, type TableRow } from "../subscriber-table/table.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type Elsewhere, findElsewhere } from "./elsewhere.ts";
import { type Held, pastHolders } from "./past-holders.ts";

const HITS = 20;

export interface Evidence {
  /** `had`: a past session's address, `ip` an open one's. */
  readonly field: keyof Searched | "ip" | "had";
  readonly value: string;
  readonly range: Range | null;
  /** Beginning of the session. */
  readonly at?: Seconds;
}

export interface Person extends Pick<
  TableRow,
  "id" | "name" | "username" | "mobile" | "status" | "isFrozen" | "package" | "expiresAt" | "line"
> {
  readonly balance: number | null;
  readonly isArchived: boolean;
  readonly inName: Range | null;
  /** The best other field; null: the name. */
  readonly why: Evidence | null;
}

export interface Anything {
  readonly people: readonly Person[];
  readonly elsewhere: readonly Elsewhere[];
}

/** Subscribers with evidence, receipts, invoices, boxes, routers and packages, as permitted. Empty for an empty text. */
export function findAnything(db: Db, by: Actor, { q }: { q: string }, { now }: { now: Seconds }): Anything {
  permit(by, "findAnything");
  const needle = toNeedle(q);
  if (needle.raw === "") return { people: [], elsewhere: [] };
  const allows = (operation: StaffOperation) => may(by, permissions[operation]);
  const read = db.$client.transaction((): Anything => {
    const found = foundBy(db, by.scope, { q });
    const had = found.length < HITS ? pastHolders(db, by.scope, needle.raw) : new Map<number, Held>();
    const known = new Set(found.map(({ row }) => row.id));
    const past = [...had].filter(([id]) => !known.has(id)).slice(0, HITS - found.length);
    const rows = new Map(
      listRows(db, [...known, ...past.map(([id]) => id)], now).map((row) => [row.id, row]),
    );
    const people = [
      ...found.map((one) => toPerson(rows.get(one.row.id), findEvidence(one, needle), { by, one, needle })),
      ...past.map(([id, held]) => toPerson(rows.get(id), toEvidence(held, needle), { by })),
    ];
    return {
      people: people.filter((one) => one !== undefined),
      elsewhere: findElsewhere(db, { scope: by.scope, allows, needle, now }),
    };
  });
  return read();
}

function toEvidence({ value, at, isOpen }: Held, { raw }: Needle): Evidence {
  return { field: isOpen ? "ip" : "had", value, range: [0, raw.length], at };
}

/** What matched besides the name. */
function findEvidence({ row, matched }: FoundRow, needle: Needle): Evidence | null {
  for (const field of matched) {
    if (field === "name") continue;
    if (field === "ip") return { field, value: needle.raw, range: [0, needle.raw.length] };
    const name = field as keyof Searched;
    const value = String(row[name] ?? "");
    return { field: name, value, range: rangeIn(name, value, needle) };
  }
  return null;
}

interface SearchHead {
  readonly by: Actor;
  readonly one?: FoundRow;
  readonly needle?: Needle;
}

function toPerson(
  row: TableRow | undefined,
  why: Evidence | null,
  { by, one, needle }: SearchHead,
): Person | undefined {
  if (!row) return undefined;
  const { id, name, username, mobile, status, isFrozen, expiresAt, line, balance } = row;
  return {
    id,
    name,
    username,
    mobile,
    status,
    isFrozen,
    package: row.package,
    expiresAt,
    line,
    balance: seesMoney(by) ? balance : null,
    isArchived: one !== undefined && one.row.archived_at !== null,
    inName: needle && one?.matched.includes("name") ? rangeIn("name", name, needle) : null,
    why,
  };
}
