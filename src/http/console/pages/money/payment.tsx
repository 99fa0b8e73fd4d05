import { paymentPrintout } from "../../../../domain/desk/printouts/printout.ts";
import { type Payment, paymentById } from "../../../../domain/money/payments/find.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { pathId } from "../../../form.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import { Facts } from "../../../pages/parts/facts.tsx";
import { Verdict } from "../../../pages/parts/verdict.tsx";
import { page } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { ispView } from "../../parts/isp-view.ts";
import { isReprint } from "../../parts/reprint.ts";
import { formatSum } from "../../parts/money-frame.tsx";
import { Receipt } from "../../parts/receipt.tsx";
import { Payer, SoldFor } from "./payments.tsx";
import { printPage } from "../../parts/print.tsx";
import { isOpenWallet } from "./wallet-moves.tsx";
import { WalletButtons } from "../../parts/wallet-buttons.tsx";

const readPayment = ({ db, by, params }: StaffVisit) =>
  paymentById(db, by, pathId("payment", params["id"] ?? null));

export function showPayment(visit: StaffVisit): Response {
  const { db, by, view } = visit;
  const { money } = view.words;
  const payment = readPayment(visit);
  const ofIsp = ispView(visit, payment.ispId);
  const printout = paymentPrintout(db, payment, ofIsp.brand);
  const href = `/console/money/payments/${payment.id}`;
  const account = payment.subscriberId !== null ? { subscriberId: payment.subscriberId } : undefined;
  const canReverse = payment.kind === "payment" && payment.reversedAt === null && may(by, "payment_reverse");
  return page(
    visit,
    <Frame
      visit={visit}
      title={payment.number}
      place="money"
      back={{ href: "/console/money", label: money.tabs.payments }}
    >
      <div class="page-head">
        <h1>{payment.number}</h1>
        {payment.reversedAt !== null && <Chip tone="bad">{money.reversed}</Chip>}
        <div class="actions">
          <Button href={`${href}/receipt?paper=roll`} icon="print" kind="solid" dataKey="p">
            {money.print}
          </Button>
          {canReverse && (
            <Button href={`${href}/reverse`} kind="danger" drawer>
              {money.reverse}
            </Button>
          )}
          {account && isOpenWallet(visit, account) && <WalletButtons visit={visit} account={account} />}
        </div>
      </div>
      <div class="split beside-paper">
        <div>
          {payment.reversedAt !== null && <Reversed visit={visit} payment={payment} />}
          <Card title={money.details}>
            <PaymentFacts visit={visit} payment={payment} />
          </Card>
        </div>
        <div class="paper-ground">
          <Receipt
            payment={payment}
            printout={printout}
            view={ofIsp}
            size="roll"
            isCopy={isCopy(payment, visit)}
          />
        </div>
      </div>
    </Frame>,
  );
}

const isCopy = ({ createdAt, takenBy }: Payment, { by, now }: StaffVisit) =>
  isReprint({ createdAt, writtenBy: takenBy }, by, now);

function Reversed({ visit: { view }, payment }: { visit: StaffVisit; payment: Payment }) {
  const { format, words } = view;
  const { reversedAt, reversalReason, reversedActor } = payment;
  return (
    <Verdict
      tone="bad"
      icon="history"
      label={words.money.reversed}
      title={words.money.reversedOn(format.time(reversedAt ?? 0))}
      text={[reversalReason, reversedActor].filter(Boolean).join(view.words.list.comma)}
    />
  );
}

function PaymentFacts({ visit, payment }: { visit: StaffVisit; payment: Payment }) {
  const { view, by } = visit;
  const { format, words } = view;
  const { money, pay } = words;
  const {
    kind,
    amount,
    currency,
    method,
    reference,
    takerName,
    actor,
    createdAt,
    invoiceId,
    closingId,
    note,
  } = payment;
  const invoice =
    invoiceId !== null && may(by, "invoice_view") ? (
      <a href={`/console/money/invoices/${invoiceId}`}>{payment.invoiceNumber}</a>
    ) : (
      payment.invoiceNumber
    );
  return (
    <Facts
      facts={[
        [kind === "refund" ? money.handedBack : money.amount, formatSum(view, amount, currency)],
        [money.payer, <Payer visit={visit} payment={payment} />],
        [money.method, `${pay.methodName(method)} ${reference ?? ""}`],
        [money.time, format.time(createdAt)],
        [money.takenBy, takerName ?? actor],
        [money.for, <SoldFor view={view} payment={payment} />],
        [view.words.paper.invoice, invoice],
        [money.till, closingId === null ? null : money.inClosing(closingId)],
        [pay.note, note],
      ]}
    />
  );
}

export function printReceipt(visit: StaffVisit): Response {
  const payment = readPayment(visit);
  const view = ispView(visit, payment.ispId);
  const printout = paymentPrintout(visit.db, payment, view.brand);
  return printPage(visit, {
    title: payment.number,
    back: `/console/money/payments/${payment.id}`,
    view,
    printout: (size) => (
      <Receipt
        view={view}
        size={size}
        payment={payment}
        printout={printout}
        isCopy={isCopy(payment, visit)}
      />
    ),
  });
}
