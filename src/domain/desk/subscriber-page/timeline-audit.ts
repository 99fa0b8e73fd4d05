import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Db } from "../../../../db/open.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { Actor } from "../../core/actor/actor.ts";
import type { SessionInScope } from "../../service/sessions/in-scope.ts";

export interface SourceChoice {
  readonly subscriberId: number;
  readonly by: Actor;
  readonly until: Seconds;
  readonly count: number;
  readonly sessions: readonly SessionInScope[];
}

interface Place {
  readonly at: Seconds;
  readonly rank: number;
  readonly id: number;
}

/** A router's answer. */
export interface RouterEvent extends Place {
  readonly kind: "router";
  readonly answers: readonly {
    readonly kind: "acknowledged" | "gone" | "failed";
    readonly reason: string | null;
    /** null: unknown. */
    readonly took: number | null;
  }[];
  readonly by: string;
}

/** Ids as names. */
export interface FieldChange {
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
}

export interface ChangeEvent extends Place {
  readonly kind: "change";
  /** As audited. */
  readonly action: string;
  readonly fields: readonly FieldChange[];
  readonly by: string;
}

interface Row {
  readonly id: number;
  readonly at: Seconds;
  readonly action: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly by: string;
}

/** Actions that the timeline shows from their own rows. */
export const ELSEWHERE = [
  "freeze",
  "thaw",
  "extend",
  "note_add",
  "activate",
  "top_up",
  "credit",
  "disconnect",
] as const;
const notThose = ELSEWHERE.map((verb) => `'subscriber.${verb}'`).join(", ");
const which = { router: "= 'subscriber.disconnect'", change: `NOT IN (${notThose})` } as const;

export function routerEvents(db: Db, choice: SourceChoice): RouterEvent[] {
  return listRows(db, choice, "router").map(routerEvent);
}

export function changeEvents(db: Db, choice: SourceChoice): ChangeEvent[] {
  const names = new Names(db);
  return listRows(db, choice, "change").map((row) => changeEvent(names, row));
}

function listRows(
  { $client }: Db,
  { subscriberId, until, count }: SourceChoice,
  kind: keyof typeof which,
): Row[] {
  return $client
    .query<Row, [string, Seconds, number]>(
      `SELECT e.id, e.at, e.action, e.before, e.after, coalesce(a.name, e.actor) AS by
       FROM audit_entries e LEFT JOIN staff a ON a.id = e.staff_id
       WHERE e.entity = 'subscriber' AND e.entity_id = ? AND e.at <= ? AND e.action ${which[kind]}
       ORDER BY e.at DESC, e.id DESC LIMIT ? + 0`,
    )
    .all(String(subscriberId), until, count);
}

const Answers = Type.Object({
  answers: Type.Array(
    Type.Object({
      kind: Type.Union([Type.Literal("acknowledged"), Type.Literal("gone"), Type.Literal("failed")]),
      reason: Type.Optional(Type.String()),
      milliseconds: Type.Optional(Type.Number()),
    }),
  ),
});

function routerEvent({ id, at, after, by }: Row): RouterEvent {
  const read: unknown = JSON.parse(after ?? "{}");
  const answers = Value.Check(Answers, read) ? read.answers : [];
  return {
    kind: "router",
    at,
    rank: 4,
    id,
    by,
    answers: answers.map(({ kind, reason = null, milliseconds = null }) => ({
      kind,
      reason,
      took: milliseconds,
    })),
  };
}

const Record = Type.Record(Type.String(), Type.Unknown());

function changeEvent(known: Names, { id, at, action, before, after, by }: Row): ChangeEvent {
  const [old, now] = [readObject(before), readObject(after)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  const fields = names.map((name) => ({
    name,
    before: known.text(name, old[name]),
    after: known.text(name, now[name]),
  }));
  return { kind: "change", at, rank: 0, id, action, by, fields };
}

function readObject(json: string | null): Readonly<Record<string, unknown>> {
  const read: unknown = JSON.parse(json ?? "{}");
  return Value.Check(Record, read) ? read : {};
}

const tables: Readonly<Record<string, string>> = {
  package_id: "packages",
  nas_id: "nas",
  salesperson_id: "staff",
  area_id: "areas",
  subarea_id: "subareas",
  city_id: "cities",
  branch_id: "branches",
  added_by: "staff",
};

/** Cached names. */
class Names {
  readonly #db: Db;
  readonly #known = new Map<string, string>();

  constructor(db: Db) {
    this.#db = db;
  }

  /** Ids by name, if present. */
  text(field: string, value: unknown): string | null {
    if (value === null || value === undefined || value === "") return null;
    const table = tables[field];
    if (table === undefined || typeof value !== "number") return String(value);
    return this.#known.getOrInsertComputed(`${table} ${value}`, () => this.#readName(table, value));
  }

  #readName(table: string, id: number): string {
    const found = this.#db.$client
      .query<{ name: string }, [number]>(`SELECT name FROM ${table} WHERE id = ?`)
      .get(id);
    return found?.name ?? String(id);
  }
}
