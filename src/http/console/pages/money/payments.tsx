import { from as fromField, id as idField, to as toField } from "../../../../domain/core/fields/fields.ts";
import {
  listPayments,
  type Payment,
  type PaymentFilters,
  paymentSums,
  type PaymentSums,
} from "../../../../domain/money/payments/find.ts";
import { setting } from "../../../../domain/core/settings/settings.ts";
import { may, ownIsp } from "../../../../domain/core/actor/actor.ts";
import { staffPage } from "../../../../domain/people/staff/list.ts";
import { formatTime } from "../../../../domain/core/time/time.ts";
import { paymentSchema, paymentToJson } from "../../../../wire/payment.ts";
import { Chip } from "../../../pages/parts/chip.tsx";
import { seeOther } from "../../../pages/respond.tsx";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import type { ConsoleView } from "../../view.ts";
import { cardHref } from "../../parts/hrefs.ts";
import { formatDay } from "./invoices.tsx";
import { firstOpen, formatSum, MoneyFrame } from "../../parts/money-frame.tsx";
import type { Filter } from "../../parts/filters.tsx";
import { FileButton, list } from "../../parts/list.tsx";
import { logFile, readPage } from "../../parts/pager.tsx";
import { actorName } from "../../parts/phrases.ts";

const HREF = "/console/money";
const FILE = Object.keys(paymentSchema.properties);

export function showPayments(visit: StaffVisit): Response {
  const { db, by, query } = visit;
  const first = firstOpen(by);
  if (!may(by, "payment_view") && first !== undefined && first !== HREF) return seeOther(first);
  const filters = readFilters(visit);
  const { rows, last } = readPage(query, (paging) => listPayments(db, by, filters, paging));
  const sums = paymentSums(db, by, filters);
  return page(
    visit,
    <MoneyFrame
      visit={visit}
      current="payments"
      actions={<FileButton visit={visit} href={`${HREF}/payments.csv`} />}
    >
      <Payments visit={visit} rows={rows} last={last}>
        <p class="sentence">{sentence(visit, sums)}</p>
      </Payments>
    </MoneyFrame>,
  );
}

export function paymentsFile(visit: StaffVisit): Response {
  const { db, by } = visit;
  const filters = readFilters(visit);
  return logFile("payments", FILE, (paging) => listPayments(db, by, filters, paging).map(paymentToJson));
}

function readFilters({ query, now, by }: StaffVisit): PaymentFilters {
  const of = (name: string) => query.get(name) ?? "";
  const number = (name: string) => idField.read(of(name));
  const today = formatTime(now).slice(0, 10);
  const narrowed = number("subscriber") ?? number("closing");
  const day = (name: "from" | "to", read: typeof fromField) =>
    read.read(of(name)) ?? (narrowed === undefined && !query.has(name) ? read.read(today) : undefined);
  const reversed = of("reversed");
  return {
    from: day("from", fromField),
    to: day("to", toField),
    takenBy: of("taken_by") === "me" ? by.staffId : number("taken_by"),
    method: of("method") || undefined,
    resellerId: of("reseller") === "none" ? 0 : number("reseller"),
    closingId: of("till") === "open" ? 0 : number("closing"),
    subscriberId: number("subscriber"),
    isReversed: reversed === "" ? undefined : reversed === "1",
  };
}

function sentence({ view, by }: StaffVisit, sums: readonly PaymentSums[] | null) {
  const { money } = view.words;
  if (sums === null) return money.tooLong;
  if (sums.length === 0) return money.nothingTaken;
  const besides = by.scope.salespersonId === null ? money.byResellers : money.byIsp;
  return sums
    .map(({ currency, payments, taken, reversed, refunded, elsewhere, elsewherePayments }) =>
      [
        money.taken(formatSum(view, taken, currency), payments),
        reversed > 0 ? money.reversedSince(view.format.amount(reversed)) : "",
        refunded > 0 ? money.refunded(view.format.amount(refunded)) : "",
        reversed + refunded > 0 ? money.stays(view.format.amount(taken - reversed - refunded)) : "",
        elsewhere > 0 ? besides(view.format.amount(elsewhere), elsewherePayments) : "",
      ]
        .filter(Boolean)
        .join(" "),
    )
    .join(" ");
}

function methods({ db, by, view }: StaffVisit) {
  const known = setting(db, "payment_methods", ownIsp(db, by.scope) ?? 0).split(", ");
  return known.map((value) => ({ value, label: view.words.pay.methodName(value) }));
}

function takers({ db, by, view }: StaffVisit) {
  const me = { value: "me", label: view.words.money.me };
  if (!may(by, "staff_view")) return [me];
  const { rows } = staffPage(db, by, {}, { sort: "name", descending: false, limit: 200, offset: 0 });
  return [me, ...rows.map(({ id, name }) => ({ value: id, label: name }))];
}

export const Payments = list<Payment>((visit) => {
  const { view, now } = visit;
  const { format, words } = view;
  const { money, pay } = words;
  const { from, to } = readFilters(visit);
  return {
    name: money.tabs.payments,
    call: "listPayments",
    filters: [
      { name: "from", kind: "day", label: money.from, usual: formatDay(from) },
      { name: "to", kind: "day", label: money.to, usual: formatDay(to) },
      { name: "taken_by", kind: "choice", label: money.takenBy, options: takers(visit) },
      { name: "method", kind: "choice", label: money.method, options: methods(visit) },
      {
        name: "till",
        kind: "choice",
        label: money.till,
        options: [{ value: "open", label: money.notClosed }],
      },
      {
        name: "reversed",
        kind: "choice",
        label: money.state,
        options: [
          { value: "0", label: money.notReversed },
          { value: "1", label: money.onlyReversed },
        ],
      },
      ...["subscriber", "closing", "reseller"].map((name): Filter => ({ name, kind: "kept" })),
    ],
    columns: [
      {
        title: money.time,
        cell: ({ createdAt }) => format.timeNear(createdAt, now),
        kind: "soft-text",
        csv: ["created_at"],
      },
      {
        title: money.receipt,
        cell: ({ id, number }) => <a href={`${HREF}/payments/${id}`}>{number}</a>,
        csv: ["number"],
      },
      {
        title: money.payer,
        cell: (payment) => <Payer visit={visit} payment={payment} />,
        narrow: "lead",
        csv: ["name"],
      },
      {
        title: money.for,
        cell: (payment) => <SoldFor view={view} payment={payment} />,
        narrow: "low",
        csv: ["invoice_number"],
      },
      {
        title: money.method,
        cell: ({ method, reference }) => (
          <>
            {pay.methodName(method)} <bdi class="mono soft-text">{reference ?? ""}</bdi>
          </>
        ),
        csv: ["method", "reference"],
      },
      {
        title: money.takenBy,
        cell: ({ takerName, actor }) => takerName ?? actorName(words, actor ?? ""),
        narrow: "low",
        csv: ["taken_by_name"],
      },
      {
        title: money.amount,
        cell: ({ reversedAt, kind, amount }) => (
          <>
            {reversedAt !== null && <Chip tone="bad">{money.reversed}</Chip>}{" "}
            {format.amount(kind === "refund" ? -amount : amount)}
          </>
        ),
        end: true,
        narrow: "sum",
        csv: ["amount", "reversed_at"],
      },
    ],
    empty: { icon: "money", title: money.noPayments, text: money.noPaymentsText },
    file: FILE,
  };
});

/** What it paid for, or that it stays on the account. */
export function SoldFor({ view: { words }, payment }: { view: ConsoleView; payment: Payment }) {
  const { packageName, invoiceNumber, cardId, kind } = payment;
  if (cardId !== null) return <>{packageName ?? words.cards.kinds.refill}</>;
  if (packageName === null)
    return (
      <span class="soft-text">{kind === "refund" ? words.paper.fromAccount : words.paper.onAccount}</span>
    );
  return (
    <>
      <bdi>{packageName}</bdi> <span class="soft-text">{invoiceNumber}</span>
    </>
  );
}

/** The wallet or the card, with a link where visible. */
export function Payer({ visit: { by }, payment }: { visit: StaffVisit; payment: Payment }) {
  const { subscriberId, cardId, staffId, payerName } = payment;
  const [flag, href] =
    subscriberId !== null
      ? ["subscriber_view", `/console/subscribers/${subscriberId}`]
      : cardId !== null
        ? ["card_view", cardHref(cardId)]
        : ["wallet_view", `/console/money/wallets/${staffId}`];
  const name = <bdi>{payerName}</bdi>;
  return may(by, flag) ? <a href={href}>{name}</a> : name;
}
