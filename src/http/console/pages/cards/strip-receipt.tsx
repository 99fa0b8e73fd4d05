import { cardBatchById } from "../../../../domain/service/cards/batch-list.ts";
import { type CardRow, listCards } from "../../../../domain/service/cards/list.ts";
import { MOST_AT_ONCE } from "../../../../domain/desk/card-sales/sell.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { phrase } from "../../../../domain/core/errors/phrase.ts";
import { paymentById } from "../../../../domain/money/payments/find.ts";
import type { StaffVisit } from "../../guard.ts";
import { isReprint } from "../../parts/reprint.ts";
import { PrintItem, Sheet } from "../../../pages/print/sheet.tsx";
import { ReceiptFoot } from "../../parts/receipt.tsx";
import { printPage } from "../../parts/print.tsx";
import { describeGives, packageOrRefill } from "../../parts/card-gives.ts";
import { ispView } from "../../parts/isp-view.ts";
import { readBatchId } from "./paths.ts";
import { batchHref } from "../../parts/hrefs.ts";
import { stripNumbers } from "./strip-summary.tsx";

/** Cards of a range sold together with the first, paid to the ISP, and not refunded. */
function soldTogether(visit: StaffVisit, batchId: number): CardRow[] {
  const { db, by, now, query } = visit;
  const serial = (name: string) =>
    /^\d{1,5}$/.test(query.get(name) ?? "") ? Number(query.get(name)) : undefined;
  const range = { batchId, fromSerial: serial("from"), toSerial: serial("to") };
  const { records } = listCards(db, by, range, { limit: MOST_AT_ONCE, offset: 0, now });
  const paid = records.filter(({ receipt, state }) => receipt !== null && state !== "void");
  return paid.filter(({ soldAt, soldBy }) => soldAt === paid[0]?.soldAt && soldBy === paid[0]?.soldBy);
}

/** One printout for cards sold together, with their receipts and sum. Throws `not_found`. */
export function stripReceipt(visit: StaffVisit): Response {
  const { db, by, now } = visit;
  const batch = cardBatchById(db, by, readBatchId(visit), { now });
  const view = ispView(visit, batch.ispId);
  const { format, words } = view;
  const { paper: names, pay, cards } = words;
  const { strip: phrases } = cards.batch;
  const sold = soldTogether(visit, batch.id);
  const [first, last] = [sold[0], sold.at(-1)];
  if (!first || !last || first.salePaymentId === null)
    throw new DomainError("not_found", phrase`none of these cards was sold for money`);
  const payment = paymentById(db, by, first.salePaymentId);
  const { createdAt, takenBy, takerName, method, reference, currency } = payment;
  const sum = sold.reduce((all, { price }) => all + price, 0);
  const numbers = stripNumbers({ view, batch }, { first: first.serial, last: last.serial });
  const receipts = first === last ? [first.receipt] : [first.receipt, last.receipt];
  return printPage(visit, {
    title: phrases.receiptTitle(numbers),
    back: batchHref(batch.id),
    view,
    printout: (size) => (
      <Sheet
        size={size}
        brand={view.brand}
        taxNumber={names.taxNumber}
        title={`${names.receipt} ${receipts.join(" – ")}`}
        marks={[isReprint({ createdAt, writtenBy: takenBy }, by, now) && names.copy]}
        facts={[
          [names.date, format.time(createdAt)],
          [names.method, [pay.methodName(method), reference].filter(Boolean).join(" ")],
          [names.taker, takerName],
        ]}
        columns={[
          { title: names.for },
          { title: names.amountIn(format.currencySign(currency)), of: "amounts" },
        ]}
        rows={[
          [
            <PrintItem
              name={`${packageOrRefill(view, batch)}${view.words.list.comma}${phrases.times(sold.length, format.amount(batch.price))}`}
              more={[`${phrases.receiptCards} ${numbers}`, ...describeGives(view, batch)].join(
                view.words.list.comma,
              )}
            />,
            format.amount(sum),
          ],
        ]}
        totals={[{ name: names.paid, value: format.sum(sum, currency), isSum: true }]}
      >
        <ReceiptFoot view={view} />
      </Sheet>
    ),
  });
}
