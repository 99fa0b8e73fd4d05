import type { Db } from "../../../../db/open.ts";
import { readBalance } from "../../core/amounts/balance.ts";
import { payLink } from "../../desk/incoming/pay-link.ts";
import { makeReference } from "../../desk/incoming/reference.ts";
import { parseAmount } from "../../core/amounts/money.ts";
import { setting } from "../../core/settings/settings.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { TemplateField } from "./fields.ts";
import { MessageFormat } from "./formats.ts";

const DAY = 86_400;

export interface About {
  readonly ispId: number;
  readonly subscriberId: number | null;
  readonly data?: unknown;
  readonly invoiceId?: number | null | undefined;
  readonly brand?: Calls | undefined;
}

export interface Calls {
  readonly ispId: number;
  readonly name: string;
}

export type FieldValues = Partial<Record<TemplateField, string>>;

interface Person {
  name: string;
  username: string;
  package: string;
  price: number;
  expiresAt: Seconds | null;
}

interface Invoice {
  number: string | null;
  amount: number;
  open: number;
  currency: string;
  due: Seconds;
}

/** Values of fields; missing ones are empty. */
export function fieldValues(
  db: Db,
  about: About,
  { language, now }: { language: string; now: Seconds },
): FieldValues {
  const format = new MessageFormat(language);
  const { ispId, subscriberId, brand } = about;
  const values: FieldValues = {
    isp: brand?.ispId === ispId ? brand.name : findIspName(db, ispId),
    contact: setting(db, "portal_contact", ispId).replaceAll(/\s*[|\n]\s*/g, ", "),
    ...ofEvent(about.data, format),
  };
  if (subscriberId === null) return values;
  const invoice = findInvoice(db, about);
  const ofPerson = personValues(db, { ispId, subscriberId, invoice, values }, { format, now });
  return { ...values, ...ofPerson };
}

function findIspName(db: Db, ispId: number): string {
  const isp = db.$client.query<{ name: string }, [number]>("SELECT name FROM isps WHERE id = ?").get(ispId);
  return setting(db, "portal_name", ispId) || (isp?.name ?? "");
}

function personValues(
  db: Db,
  {
    ispId,
    subscriberId,
    invoice,
    values,
  }: About & { subscriberId: number; invoice: Invoice | undefined; values: FieldValues },
  { format, now }: { format: MessageFormat; now: Seconds },
): FieldValues {
  const person = db.$client
    .query<Person, [number]>(
      `SELECT s.name, s.username, p.name AS package, p.price, v.expires_at AS expiresAt
       FROM subscribers s JOIN packages p ON p.id = s.package_id LEFT JOIN services v ON v.subscriber_id = s.id WHERE s.id = ?`,
    )
    .get(subscriberId);
  if (!person) throw new Error(`there is no subscriber ${subscriberId} to write of`);
  const { expiresAt, price } = person;
  const currency = setting(db, "currency", ispId);
  const balance = readBalance(db, { subscriberId });
  const missing = Math.max(0, price - balance);
  const toPay = invoice ? invoice.open : missing;
  return {
    name: person.name,
    username: person.username,
    package: person.package,
    price: format.money(price, currency),
    balance: format.money(balance, currency),
    ...(expiresAt !== null && {
      expiration: format.time(expiresAt),
      date: format.date(expiresAt),
      days: String(Math.round(Math.abs(expiresAt - now) / DAY)),
    }),
    reference: makeReference(subscriberId),
    pay_link: payLink(db, { ispId, subscriberId, amount: toPay }) ?? "",
    amount: values.amount ?? format.money(invoice ? invoice.amount : missing, currency),
    ...(invoice && {
      number: invoice.number ?? "",
      open: format.money(invoice.open, invoice.currency),
      due: format.date(invoice.due),
    }),
  };
}

function findInvoice({ $client }: Db, { invoiceId, data }: About): Invoice | undefined {
  const id = invoiceId ?? Number(at(data, "invoice", "id"));
  if (!Number.isSafeInteger(id)) return undefined;
  const row = $client
    .query<Invoice, [number]>(
      "SELECT number, amount, open, currency, period_end AS due FROM invoices WHERE id = ?",
    )
    .get(id);
  return row ?? undefined;
}

function ofEvent(data: unknown, format: MessageFormat): FieldValues {
  const text = (...path: string[]) => {
    const found = at(data, ...path);
    return typeof found === "string" || typeof found === "number" ? String(found) : undefined;
  };
  const money = (...path: string[]) => {
    const minor = parseAmount(at(data, ...path));
    const currency = text(path[0] ?? "", "currency") ?? text("subscriber", "currency") ?? "";
    return minor === undefined ? undefined : format.money(minor, currency);
  };
  const [used, total] = [
    Number(text("quota", "used") ?? text("tier", "used")),
    Number(text("quota", "total")),
  ];
  const values: Record<string, string | undefined> = {
    amount: money("payment", "amount") ?? money("incoming", "amount") ?? money("charged"),
    number: text("payment", "number"),
    method: text("payment", "method"),
    quota_used: Number.isNaN(used) ? undefined : format.bytes(used),
    quota_total: Number.isNaN(total) ? undefined : format.bytes(total),
    percent: total > 0 ? String(Math.floor((used / total) * 100)) : undefined,
    rate: text("tier", "rate_limit"),
    router: text("router", "name"),
    box: text("box", "name"),
    provider: text("incoming", "provider"),
    reference: text("incoming", "reference"),
    reason: text("incoming", "reason") ?? text("reason"),
    account: text("account") ?? text("name"),
    source: text("source"),
    quantity: text("batch", "quantity"),
    card: text("card", "number"),
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function at(data: unknown, ...path: string[]): unknown {
  let found = data;
  for (const name of path)
    found = typeof found === "object" && found !== null ? Reflect.get(found, name) : undefined;
  return found;
}
