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
import { paymentSchema, shownPayment } from "../../../../wire/payment.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { Field, Select } from "../../../pages/parts/field.tsx";
import { Table } from "../../../pages/parts/table.tsx";
import { seeOther } from "../../../pages/respond.tsx";
import { FilterForm } from "../../filter-form.tsx";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import type { ConsoleView } from "../../view.ts";
import { cardHref } from "../cards/paths.ts";
import { dayOf } from "./invoices.tsx";
import { firstOpen, MoneyFrame, sumOf } from "./head.tsx";
import { logFile, Older, pageOf } from "../../log.tsx";
import { actorName } from "../subscriber/say.ts";

const HREF = "/console/money";

/** The payments of a day, or of what is asked for. */
export function showPayments(visit: StaffVisit): Response {
  const { db, by, query, view } = visit;
  const { money } = view.words;
  const first = firstOpen(by);
  if (!may(by, "payment_view") && first !== undefined && first !== HREF) return seeOther(first);
  const filters = filtersOf(visit);
  const { rows, more } = pageOf(query, (paging) => listPayments(db, by, filters, paging));
  const sums = paymentSums(db, by, filters);
  const csv = `${HREF}/payments.csv?${query}`;
  return page(
    visit,
    <MoneyFrame
      visit={visit}
      current="payments"
      actions={
        <Button href={csv} icon="download">
          {money.csv}
        </Button>
      }
    >
      <Filters visit={visit} filters={filters} />
      <p class="sentence">{sentence(visit, sums)}</p>
      {rows.length === 0 ? (
        <Empty icon="money" title={money.noPayments} text={money.noPaymentsText} />
      ) : (
        <Rows visit={visit} rows={rows} />
      )}
      <Older view={view} href={HREF} query={query} last={more ? rows.at(-1)?.id : undefined} />
    </MoneyFrame>,
  );
}

/** The same as a file. */
export function paymentsFile(visit: StaffVisit): Response {
  const { db, by } = visit;
  const filters = filtersOf(visit);
  return logFile("payments", Object.keys(paymentSchema.properties), (paging) =>
    listPayments(db, by, filters, paging).map(shownPayment),
  );
}

/** Those of today, unless something else is asked for. */
function filtersOf({ query, now, by }: StaffVisit): PaymentFilters {
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
        money.taken(sumOf(view, taken, currency), payments),
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

function Filters({ visit, filters }: { visit: StaffVisit; filters: PaymentFilters }) {
  const { db, by, query, view } = visit;
  const { money, pay } = view.words;
  const methods = setting(db, "payment_methods", ownIsp(db, by.scope) ?? 0).split(", ");
  const any = { value: "", label: money.any };
  return (
    <FilterForm href={HREF} kind="card money-filters">
      <Field name="from" label={money.from} type="date" value={dayOf(filters.from)} />
      <Field name="to" label={money.to} type="date" value={dayOf(filters.to)} />
      <Select
        name="taken_by"
        label={money.takenBy}
        value={query.get("taken_by") ?? ""}
        options={[any, ...takers(visit)]}
      />
      <Select
        name="method"
        label={money.method}
        value={filters.method ?? ""}
        options={[any, ...methods.map((value) => ({ value, label: pay.methodName(value) }))]}
      />
      <Select
        name="till"
        label={money.till}
        value={query.get("till") ?? ""}
        options={[any, { value: "open", label: money.notClosed }]}
      />
      <Select
        name="reversed"
        label={money.state}
        value={query.get("reversed") ?? ""}
        options={[any, { value: "0", label: money.notReversed }, { value: "1", label: money.onlyReversed }]}
      />
      <Button size="small">{money.show}</Button>
    </FilterForm>
  );
}

/** Who takes money, as far as the account may see other accounts. */
function takers({ db, by, view }: StaffVisit) {
  const me = { value: "me", label: view.words.money.me };
  if (!may(by, "staff_view")) return [me];
  const { rows } = staffPage(db, by, {}, { sort: "name", descending: false, limit: 200, offset: 0 });
  return [me, ...rows.map(({ id, name }) => ({ value: id, label: name }))];
}

function Rows({ visit, rows }: { visit: StaffVisit; rows: readonly Payment[] }) {
  const { view, now } = visit;
  const { format, words } = view;
  const { money, pay } = words;
  const columns = [
    { title: money.time },
    { title: money.receipt },
    { title: money.payer },
    { title: money.for, low: true },
    { title: money.method },
    { title: money.takenBy, low: true },
    { title: money.amount, end: true },
  ];
  return (
    <Table caption={money.tabs.payments} columns={columns} kind="short-rows">
      {rows.map((payment) => (
        <tr>
          <td class="soft-text">{format.timeNear(payment.createdAt, now)}</td>
          <td>
            <a href={`/console/money/payments/${payment.id}`}>{payment.number}</a>
          </td>
          <td class="lead">
            <Payer visit={visit} payment={payment} />
          </td>
          <td class="low">
            <SoldFor view={view} payment={payment} />
          </td>
          <td>
            {pay.methodName(payment.method)} <bdi class="mono soft-text">{payment.reference ?? ""}</bdi>
          </td>
          <td class="low">{payment.takerName ?? actorName(words, payment.actor ?? "")}</td>
          <td class="end sum">
            {payment.reversedAt !== null && <Chip tone="bad">{money.reversed}</Chip>}{" "}
            {format.amount(payment.kind === "refund" ? -payment.amount : payment.amount)}
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** What was sold with it, or that the account keeps it. */
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

/** Whose wallet it went into, or the card that was sold, as a way there for who may go it. */
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
