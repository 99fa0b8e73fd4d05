import { selectColumns } from "../../../../db/columns.ts";
import { all, type Condition, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { invoices } from "../../../../db/schema.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { type Scope, scopeCondition } from "../../core/actor/actor.ts";

export type Invoice = typeof invoices.$inferSelect;

const select = `SELECT ${selectColumns(invoices, "i")} FROM invoices i JOIN subscribers s ON s.id = i.subscriber_id`;

// one index serves all ISPs' numbers
const OF_NUMBER = "i.isp_id IN (SELECT id FROM isps) AND i.number = ?";

function find({ $client }: Db, scope: Scope, which: Condition | undefined): Invoice[] {
  const { text, values } = all(which, scopeCondition(scope));
  return $client.query<Invoice, Value[]>(`${select} WHERE ${text}`).all(...values);
}

export function invoiceById(db: Db, scope: Scope, id: number): Invoice {
  const [found] = find(db, scope, equal("i.id", id));
  if (!found) throw new DomainError("not_found", phrase`there is no invoice ${id}`);
  return found;
}

/** The invoice by number or id. Throws not_found, refused for an ambiguous number. */
export function invoiceNamed(db: Db, scope: Scope, numberOrId: string): Invoice {
  if (/^\d{1,15}$/.test(numberOrId)) return invoiceById(db, scope, Number(numberOrId));
  const [found, ...others] = find(db, scope, { text: OF_NUMBER, values: [numberOrId] });
  if (!found)
    throw new DomainError(
      "not_found",
      phrase`there is no invoice ${numberOrId}; see: gatehouse invoice list`,
    );
  if (others.length === 0) return found;
  const ids = [found, ...others].map(({ id, ispId }) => `${id} (ISP ${ispId})`).join(", ");
  throw new DomainError(
    "refused",
    phrase`several ISPs have an invoice ${numberOrId}; name one by its id: ${ids}`,
    {
      code: "ambiguous",
    },
  );
}
