import { Database } from "bun:sqlite";
import type { Call, Kind } from "./calls.ts";
import { clerks, utc } from "./office.ts";
import { isDone, describe } from "./till.ts";

/** What the books of the product have, as it was at one moment. */
export interface Books {
  readonly payments: readonly Payment[];
  readonly invoices: readonly Invoice[];
  readonly entries: readonly Entry[];
  readonly extensions: readonly { id: number; reason: string; subscriber_id: number; after: number }[];
  readonly closings: readonly Closing[];
  readonly activations: readonly Activation[];
  /** Of day's closes that were confirmed, as often as the audit trail has it. */
  readonly confirmed: readonly number[];
}

interface Payment {
  id: number;
  number: string;
  kind: string;
  subscriber_id: number | null;
  staff_id: number | null;
  amount: number;
  method: string;
  reference: string | null;
  note: string;
  taken_by: number;
  reseller_id: number | null;
  invoice_id: number | null;
  created_at: number;
  reversed_at: number | null;
  reversed_by: number | null;
  reversal_reason: string | null;
  closing_id: number | null;
  reversal_closing_id: number | null;
}

interface Invoice {
  id: number;
  number: string;
  amount: number;
  voided_at: number | null;
  void_reason: string | null;
}

interface Entry {
  id: number;
  subscriber_id: number | null;
  staff_id: number | null;
  kind: string;
  amount: number;
  balance_after: number;
  invoice_id: number | null;
  payment_id: number | null;
  reason: string | null;
}

interface Closing {
  id: number;
  staff_id: number;
  taken: number;
  returned: number;
  counted: number;
  note: string;
  confirmed_by: number | null;
}

/** From the audit trail, which later freezes do not move; `staff_id` null: by the appliance. */
interface Activation {
  id: number;
  staff_id: number | null;
  user: number;
  package: number;
  expiration: string;
  was: string | null;
}

export function readBooks(file: string): Books {
  using store = new Database(file, { readonly: true, strict: true });
  const rows = <T>(sql: string) => store.query<T, []>(sql).all();
  return store.transaction(() => ({
    payments: rows<Payment>("SELECT * FROM payments ORDER BY id"),
    invoices: rows<Invoice>("SELECT * FROM invoices ORDER BY id"),
    entries: rows<Entry>("SELECT * FROM ledger_entries ORDER BY id"),
    extensions: rows<Books["extensions"][number]>("SELECT * FROM extensions ORDER BY id"),
    closings: rows<Closing>("SELECT * FROM closings ORDER BY id"),
    activations: rows<Activation>(
      `SELECT id, staff_id, entity_id AS user, after ->> 'package_id' AS package, after ->> 'expiration' AS expiration,
         before ->> 'expiration' AS was FROM audit_entries WHERE action = 'subscriber.activate' ORDER BY id`,
    ),
    confirmed: rows<{ id: number }>(
      "SELECT CAST(entity_id AS INTEGER) AS id FROM audit_entries WHERE action = 'closing.confirm'",
    ).map(({ id }) => id),
  }))();
}

/** What the books have of each call that is found in them by its tag: its rows. */
export function byTag(books: Books): Map<string, number> {
  const found = new Map<string, number>();
  const add = (tag: string | null) => tag !== null && found.set(tag, (found.get(tag) ?? 0) + 1);
  for (const { note } of books.payments) add(note);
  for (const { reversal_reason } of books.payments) add(reversal_reason);
  for (const { kind, reason } of books.entries) if (kind === "adjustment") add(reason);
  const reversals = new Set(books.payments.map(({ reversal_reason }) => reversal_reason));
  // what a reversal voids has the reversal's reason
  for (const { void_reason } of books.invoices) if (!reversals.has(void_reason)) add(void_reason);
  for (const { reason } of books.extensions) add(reason);
  for (const { note } of books.closings) add(note);
  return found;
}

/** Calls of which there is one row for each time that they were done. */
const tagged = new Set<Kind>(["take", "refund", "reverse", "adjust", "extend", "void", "close"]);
export const isTagged = ({ kind }: Call) => tagged.has(kind);

/** Every promise that the books do not keep, in words. */
export function bookFaults(books: Books, calls: readonly Call[]): string[] {
  return [
    ...oddAnswers(calls),
    ...tagFaults(books, calls),
    ...activationFaults(books, calls),
    ...renewalFaults(books),
    ...answerFaults(books, calls),
    ...limitFaults(books),
    ...closingFaults(books, calls),
  ];
}

/** Statuses of what is done, and of what is refused to somebody who knows the forms; anything else is a fault of somebody's. */
const EXPECTED = new Set([200, 403, 404, 409, 422, 429]);

function oddAnswers(calls: readonly Call[]): string[] {
  return calls.flatMap((call) =>
    call.answer === undefined || EXPECTED.has(call.answer.status)
      ? []
      : [`${describe(call)} was answered ${call.answer.status} ${call.answer.text}`],
  );
}

/** What was acknowledged is there once, what was refused never, what got no answer at most once; and nothing else is. */
function tagFaults(books: Books, calls: readonly Call[]): string[] {
  const found = byTag(books);
  const faults: string[] = [];
  for (const call of calls.filter(isTagged)) {
    const times = found.get(call.tag) ?? 0;
    found.delete(call.tag);
    const isRight = call.answer ? times === (isDone(call.answer) ? 1 : 0) : times <= 1;
    if (!isRight)
      faults.push(`${describe(call)} was answered ${call.answer?.text} and is in the books ${times} times`);
  }
  return [...faults, ...[...found.keys()].map((tag) => `${tag} is in the books, and nobody wanted it`)];
}

interface Activating {
  readonly call: Call;
  readonly expiration: string | undefined;
}

/** The activations that staff were told of: each is in the audit trail once, and what got no answer at most once. */
function activationFaults(books: Books, calls: readonly Call[]): string[] {
  const activations: Activating[] = [];
  let untold = 0;
  for (const call of calls.filter(({ kind, body }) => kind === "activate" || body["activate"] === "1")) {
    if (!call.answer) untold++;
    else if (isDone(call.answer)) {
      const outcome: Outcome = JSON.parse(call.answer.text);
      const sold = call.kind === "activate" ? outcome : outcome.activation;
      if (sold?.new_expiration !== undefined) activations.push({ call, expiration: sold.new_expiration });
    }
  }
  const left = new Map<string, number>();
  const staffs = books.activations.filter(({ staff_id }) => staff_id !== null);
  for (const { staff_id, user, expiration } of staffs) {
    const key = `${staff_id} ${user} ${expiration}`;
    left.set(key, (left.get(key) ?? 0) + 1);
  }
  const faults: string[] = [];
  for (const { call, expiration } of activations) {
    const key = `${call.by.id} ${call.body["user_id"]} ${expiration}`;
    const times = left.get(key) ?? 0;
    if (times === 0)
      faults.push(`${describe(call)} was answered ${call.answer?.text} and nothing was activated`);
    left.set(key, times - 1);
  }
  const surplus = staffs.length - activations.length;
  if (surplus < 0 || surplus > untold)
    faults.push(
      `${staffs.length} activations by staff are booked, ${activations.length} were answered, ${untold} not`,
    );
  if (books.activations.length !== books.invoices.length)
    faults.push(`there are ${books.activations.length} activations and ${books.invoices.length} invoices`);
  return faults;
}

/** The appliance renews each period once. */
function renewalFaults({ activations }: Books): string[] {
  const seen = new Set<string>();
  return activations.flatMap(({ staff_id, user, was }) => {
    if (staff_id !== null) return [];
    const period = `subscriber ${user}, which ended ${was}`;
    if (seen.has(period)) return [`the service of ${period}, was renewed by itself twice`];
    seen.add(period);
    return [];
  });
}

interface Outcome {
  id?: number;
  balance?: number;
  payment?: Record<string, unknown>;
  activation?: { new_expiration?: string } | null;
  new_expiration?: string;
  taken?: number;
  returned?: number;
  counted?: number;
}

/** What was answered is what is stored. */
function answerFaults(books: Books, calls: readonly Call[]): string[] {
  const look = lookup(books);
  return calls.flatMap((call) => {
    if (!isDone(call.answer) || !isTagged(call)) return [];
    const answer: Outcome = JSON.parse(call.answer?.text ?? "");
    const stored = look[call.kind]?.(call, answer);
    const wrong = stored ? Object.entries(stored).filter(([, [a, b]]) => a !== b) : [];
    return wrong.map(
      ([name, [is, was]]) => `${describe(call)}: ${name} is ${String(is)}, and was answered ${String(was)}`,
    );
  });
}

/** By name: what is stored, and what was answered. */
type Pairs = Record<string, readonly [unknown, unknown]>;

function lookup(books: Books): Partial<Record<Kind, (call: Call, answer: Outcome) => Pairs>> {
  const payments = new Map(books.payments.map((row) => [row.note, row]));
  const reversed = new Map(books.payments.map((row) => [row.reversal_reason, row]));
  const adjusted = new Map(books.entries.map((row) => [row.reason, row]));
  const extended = new Map(books.extensions.map((row) => [row.reason, row]));
  const closed = new Map(books.closings.map((row) => [row.note, row]));
  const voided = new Map(books.invoices.map((row) => [row.void_reason, row]));
  const ofPayment = Map.groupBy(books.entries, ({ payment_id }) => payment_id);
  const charges = new Map(
    books.entries.flatMap((row) => (row.kind === "activation" ? [[row.invoice_id, row] as const] : [])),
  );
  /** Of the wallet that a payment is about, after this entry of it. */
  const after = (row: Payment | undefined, kind: string) =>
    ofPayment
      .get(row?.id ?? 0)
      ?.find(
        (entry) =>
          entry.kind === kind &&
          entry.subscriber_id === row?.subscriber_id &&
          entry.staff_id === row?.staff_id,
      )?.balance_after;
  const printout = (row: Payment | undefined, { payment }: Outcome): Pairs => ({
    id: [row?.id, payment?.["id"]],
    number: [row?.number, payment?.["number"]],
    kind: [row?.kind, payment?.["kind"]],
    subscriber: [row?.subscriber_id, payment?.["user_id"]],
    account: [row?.staff_id, payment?.["staff_id"]],
    amount: [row?.amount, minor(payment?.["amount"])],
    method: [row?.method, payment?.["method"]],
    reference: [row?.reference, payment?.["reference"]],
    taker: [row?.taken_by, payment?.["taken_by"]],
    reseller: [row?.reseller_id, payment?.["reseller_id"]],
    invoice: [row?.invoice_id, payment?.["invoice_id"]],
    time: [row && utc(row.created_at), payment?.["created_at"]],
  });
  const sent = (row: Payment | undefined, { body, by }: Call): Pairs => ({
    "amount sent": [row?.amount, minor(body["amount"])],
    "method sent": [row?.method, body["method"]],
    caller: [row?.taken_by, by.id],
  });
  return {
    take: (call, answer) => {
      const row = payments.get(call.tag);
      const isSold = answer.activation?.new_expiration !== undefined;
      const balance = isSold ? charges.get(row?.invoice_id ?? 0)?.balance_after : after(row, "payment");
      return {
        ...printout(row, answer),
        ...sent(row, call),
        balance: [balance, minor(answer.balance)],
        activated: [row?.invoice_id !== null, isSold],
      };
    },
    refund: (call, answer) => {
      const row = payments.get(call.tag);
      const balance = [after(row, "refund"), minor(answer.balance)] as const;
      return { ...printout(row, answer), ...sent(row, call), balance };
    },
    reverse: (call, answer) => {
      const row = reversed.get(call.tag);
      return {
        ...printout(row, answer),
        payment: [row?.id, Number(call.body["id"])],
        caller: [row?.reversed_by, call.by.id],
        reason: [row?.reversal_reason, answer.payment?.["reversal_reason"]],
        balance: [after(row, "reversal"), minor(answer.balance)],
      };
    },
    adjust: ({ tag, body }, answer) => {
      const row = adjusted.get(tag);
      const amount = minor(body["amount"]) ?? 0;
      return {
        id: [row?.id, answer.id],
        amount: [row?.amount, body["direction"] === "down" ? -amount : amount],
        balance: [row?.balance_after, minor(answer.balance)],
      };
    },
    extend: ({ tag, body }, answer) => {
      const row = extended.get(tag);
      return {
        subscriber: [row?.subscriber_id, Number(body["user_id"])],
        end: [row && utc(row.after), answer.new_expiration],
      };
    },
    void: ({ tag, body }) => ({ invoice: [voided.get(tag)?.id, Number(body["invoice_id"])] }),
    close: ({ tag, by }, answer) => {
      const row = closed.get(tag);
      return {
        id: [row?.id, answer.id],
        closer: [row?.staff_id, by.id],
        taken: [row?.taken, minor(answer.taken)],
        returned: [row?.returned, minor(answer.returned)],
        counted: [row?.counted, minor(answer.counted)],
      };
    },
  };
}

function minor(amount: unknown): number | undefined {
  return amount === undefined ? undefined : Math.round(Number(amount) * 100);
}

/** Of a Reseller who took a payment, the wallet is at its limit at the least when all that came with it is booked. */
function limitFaults({ payments, entries }: Books): string[] {
  const limits = new Map(clerks.map(({ id, creditLimit = 0 }) => [id, creditLimit]));
  const resellers = new Map(payments.map(({ id, reseller_id }) => [id, reseller_id]));
  const sales = new Map(payments.map(({ id, invoice_id }) => [id, invoice_id]));
  const faults: string[] = [];
  let at = 0;
  while (at < entries.length) {
    const payment = entries[at]?.kind === "payment" ? (entries[at]?.payment_id ?? 0) : 0;
    at++;
    if (payment === 0) continue;
    const isOfIt = ({ kind, payment_id, invoice_id }: Entry) =>
      kind === "commission" ||
      (kind === "transfer" && payment_id === payment) ||
      (kind === "activation" && invoice_id === sales.get(payment));
    const reseller = resellers.get(payment) ?? 0;
    let balance: number | undefined;
    for (let entry = entries[at]; entry && isOfIt(entry); entry = entries[++at])
      if (entry.staff_id === reseller) balance = entry.balance_after;
    if (balance !== undefined && balance < -(limits.get(reseller) ?? 0))
      faults.push(`payment ${payment} left its Reseller ${reseller} with ${balance / 100}`);
  }
  return faults;
}

/** A day's close has what its payments and their reversals say, and it was confirmed once. */
function closingFaults({ closings, payments, confirmed }: Books, calls: readonly Call[]): string[] {
  const faults: string[] = [];
  const sums = new Map(closings.map(({ id }) => [id, { taken: 0, returned: 0 }]));
  for (const one of payments) {
    const { kind, method, amount, closing_id, reversal_closing_id } = one;
    if (reversal_closing_id !== null && (closing_id ?? Infinity) > reversal_closing_id)
      faults.push(`${one.number} was reversed in the close ${reversal_closing_id}, before it was in one`);
    const sum = sums.get(closing_id ?? 0);
    const later = sums.get(reversal_closing_id ?? 0);
    if (method !== "cash" || one.reseller_id !== null) continue;
    if (sum) sum[kind === "payment" ? "taken" : "returned"] += amount;
    if (later) later.returned += amount;
  }
  for (const { id, taken, returned, confirmed_by } of closings) {
    const sum = sums.get(id);
    if (sum?.taken !== taken || sum.returned !== returned)
      faults.push(`the close ${id} says ${taken} and ${returned}, its payments ${JSON.stringify(sum)}`);
    const times = confirmed.filter((one) => one === id).length;
    if (times !== (confirmed_by === null ? 0 : 1))
      faults.push(`the close ${id} was confirmed ${times} times`);
  }
  for (const call of calls.filter(({ kind, answer }) => kind === "confirm" && isDone(answer))) {
    const found = closings.find(({ id }) => id === Number(call.body["id"]));
    if (found?.confirmed_by !== call.by.id) faults.push(`${describe(call)} was answered and is not there`);
  }
  return faults;
}
