import { cardBatchById } from "../../../../domain/cards/batch-list.ts";
import { type CardRow, listCards } from "../../../../domain/cards/list.ts";
import { MOST_AT_ONCE } from "../../../../domain/cards/sell.ts";
import { DomainError } from "../../../../domain/errors.ts";
import { paperOfPayment } from "../../../../domain/invoices/paper.ts";
import { paymentById } from "../../../../domain/payments/find.ts";
import type { StaffVisit } from "../../guard.ts";
import { isReprint } from "../money/copy.ts";
import { PaperFrame, ReceiptFoot, Row, Rows } from "../money/paper.tsx";
import { printPage } from "../money/print.tsx";
import { nameOf } from "./gives.ts";
import { viewOf } from "./of-isp.ts";
import { batchHref, batchIdOf } from "./paths.ts";
import { stripNumbers } from "./strip-told.tsx";

/** The cards of a range that were sold in one go with the first of them, for money of the ISP, and were not paid back. */
function soldTogether(visit: StaffVisit, batchId: number): CardRow[] {
  const { db, by, now, query } = visit;
  const serial = (name: string) =>
    /^\d{1,5}$/.test(query.get(name) ?? "") ? Number(query.get(name)) : undefined;
  const range = { batchId, fromSerial: serial("from"), toSerial: serial("to") };
  const { records } = listCards(db, by, range, { limit: MOST_AT_ONCE, offset: 0, now });
  const paid = records.filter(({ receipt, state }) => receipt !== null && state !== "void");
  return paid.filter(({ soldAt, soldBy }) => soldAt === paid[0]?.soldAt && soldBy === paid[0]?.soldBy);
}

/** One paper for cards that were sold together: which receipts they have, and what was paid for all of them. Throws `not_found`. */
export function stripReceipt(visit: StaffVisit): Response {
  const { db, by, now } = visit;
  const batch = cardBatchById(db, by, batchIdOf(visit), { now });
  const view = viewOf(visit, batch.ispId);
  const { format, words } = view;
  const { paper: names, pay, cards } = words;
  const { strip: say } = cards.batch;
  const sold = soldTogether(visit, batch.id);
  const [first, last] = [sold[0], sold.at(-1)];
  if (!first || !last || first.salePaymentId === null)
    throw new DomainError("not_found", "none of these cards was sold for money");
  const payment = paymentById(db, by, first.salePaymentId);
  const paper = paperOfPayment(db, payment);
  const { createdAt, takenBy, takerName, method, reference, currency } = payment;
  const sum = sold.reduce((all, { price }) => all + price, 0);
  const numbers = stripNumbers({ view, batch }, { first: first.serial, last: last.serial });
  const receipts = first === last ? [first.receipt] : [first.receipt, last.receipt];
  return printPage(visit, {
    title: say.receiptTitle(numbers),
    back: batchHref(batch.id),
    paper: (
      <PaperFrame
        view={view}
        paper={paper}
        isCopy={isReprint({ createdAt, writtenBy: takenBy }, by, now)}
        isVoid={false}
      >
        <Rows>
          {receipts.map((number, index) => (
            <Row name={index === 0 ? names.receipt : say.receiptTo} value={number ?? ""} strong />
          ))}
          <Row name={format.date(createdAt)} value={format.timeOfDay(createdAt)} />
        </Rows>
        <Rows>
          <Row name={say.receiptCards} value={numbers} />
          <Row
            name={nameOf(view, batch)}
            value={say.times(format.number(sold.length), format.amount(batch.price))}
          />
          <Row name={`${names.paid}, ${format.currencySign(currency)}`} value={format.amount(sum)} sum />
          <Row name={pay.methodName(method)} value={reference ?? ""} />
        </Rows>
        <ReceiptFoot view={view} phone={paper.issuer.phone} takerName={takerName} />
      </PaperFrame>
    ),
  });
}
