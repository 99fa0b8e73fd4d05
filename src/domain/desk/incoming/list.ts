import { selectColumns } from "../../../../db/columns.ts";
import { all, type Condition, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { incomingPayments } from "../../../../db/schema.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { type Actor, requireWholeIsp, type Scope } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";

type Row = typeof incomingPayments.$inferSelect;

export type Incoming = Omit<Row, "bodyHash" | "rawSealed" | "answer"> & {
  readonly username: string | null;
  readonly name: string | null;
  readonly number: string | null;
};

const select = `SELECT ${selectColumns(incomingPayments, "i", ["bodyHash", "rawSealed", "answer"])}, s.username, s.name, p.number
  FROM incoming_payments i LEFT JOIN subscribers s ON s.id = i.subscriber_id LEFT JOIN payments p ON p.id = i.payment_id`;

export const incomingViews = ["open", "guessed", "all"] as const;

export interface IncomingFilters {
  readonly view: (typeof incomingViews)[number];
  readonly provider?: string | null | undefined;
  readonly subscriberId?: number | null | undefined;
}

const isOpen: Condition = { text: "i.state IN ('unmatched', 'told') AND i.ended_at IS NULL", values: [] };

const isGuessed: Condition = {
  text: "i.state = 'unmatched' AND i.ended_at IS NULL AND i.subscriber_id IS NOT NULL",
  values: [],
};
const conditions = { open: isOpen, guessed: isGuessed, all: undefined } as const;

export function listIncoming(
  db: Db,
  by: Actor,
  { view, provider, subscriberId }: IncomingFilters,
  { before, limit }: { before: number; limit: number },
): Incoming[] {
  permit(by, "listIncoming");
  requireWholeIsp(by, "payments that arrive");
  const { text, values } = all(
    { text: "i.id < ?", values: [before] },
    conditions[view],
    equal("i.isp_id", by.scope.ispId),
    equal("i.provider", provider),
    equal("i.subscriber_id", subscriberId),
  );
  return db.$client
    .query<Incoming, Value[]>(`${select} WHERE ${text} ORDER BY i.id DESC LIMIT ? + 0`)
    .all(...values, limit);
}

export function countOpenIncoming({ $client }: Pick<Db, "$client">, by: Actor): number {
  permit(by, "countOpenIncoming");
  requireWholeIsp(by, "payments that arrive");
  const { text, values } = all(isOpen, equal("i.isp_id", by.scope.ispId));
  const row = $client
    .query<{ open: number }, Value[]>(`SELECT count(*) AS open FROM incoming_payments i WHERE ${text}`)
    .get(...values);
  return row?.open ?? 0;
}

export function incomingById(db: Db, by: Actor, { id }: { id: number }): Incoming {
  permit(by, "incomingById");
  requireWholeIsp(by, "payments that arrive");
  return findIncoming(db, by.scope, id);
}

export function findIncoming({ $client }: Pick<Db, "$client">, { ispId }: Scope, id: number): Incoming {
  const { text, values } = all(equal("i.id", id), equal("i.isp_id", ispId));
  const row = $client.query<Incoming, Value[]>(`${select} WHERE ${text}`).get(...values);
  if (!row) throw noIncoming(id);
  return row;
}

export const noIncoming = (id: number) =>
  new DomainError("not_found", phrase`there is no payment ${id} that arrived`);
