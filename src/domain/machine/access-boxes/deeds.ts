import { Database } from "bun:sqlite";
import type { Db } from "../../../../db/open.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { type Actor, requireApplianceAdmin } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { RowImage } from "./book-changes.ts";

export interface Deed {
  readonly uid: string;
  readonly at: Seconds;
  readonly type: string;
  readonly username: string | null;
  readonly number: string | null;
  /** As events have it. */
  readonly amount: number | null;
}

interface EventRow {
  readonly uid: string;
  readonly at: Seconds;
  readonly type: string;
  readonly data: string;
}

export function listDeeds(images: readonly RowImage[]): Deed[] {
  return images
    .filter(({ table, row }) => table === "events" && row !== null)
    .map(({ row }) => toDeed(row as unknown as EventRow)) // columns of `events`
    .toSorted((a, b) => a.at - b.at);
}

/** What another primary's file has booked and this one has not. Throws `refused` for no store, and `forbidden`. */
export function deedsOnlyIn(db: Db, by: Actor, file: string): Deed[] {
  permit(by, "deedsOnlyIn");
  requireApplianceAdmin(db, by);
  const since =
    db.$client.query<{ at: number | null }, []>("SELECT min(at) AS at FROM events").get()?.at ?? 0;
  const knows = db.$client.query<unknown, [string]>("SELECT 1 FROM events WHERE uid = ?");
  return readEvents(file, since)
    .filter(({ uid }) => knows.get(uid) === null)
    .map(toDeed);
}

function readEvents(file: string, since: Seconds): EventRow[] {
  try {
    using client = new Database(file, { readonly: true, strict: true });
    using statement = client.prepare<EventRow, [Seconds]>(
      "SELECT uid, at, type, data FROM events WHERE type NOT LIKE 'session.%' AND at >= ? ORDER BY id",
    );
    return statement.all(since);
  } catch {
    throw new DomainError(
      "refused",
      phrase`${file} cannot be read as a store of gatehouse; name the gatehouse.db of the other books, or a backup of them`,
    );
  }
}

function toDeed({ uid, at, type, data }: EventRow): Deed {
  const deed = JSON.parse(data) as {
    subscriber?: { username: string };
    payment?: { number: string; amount: number };
    invoice?: { number: string; amount: number };
  }; // as `announce` wrote it
  const document = deed.payment ?? deed.invoice;
  return {
    uid,
    at,
    type,
    username: deed.subscriber?.username ?? null,
    number: document?.number ?? null,
    amount: document?.amount ?? null,
  };
}
