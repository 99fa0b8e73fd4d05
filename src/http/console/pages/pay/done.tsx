import type { PaymentPrintout } from "../../../../domain/desk/printouts/printout.ts";
import type { OutstandingInvoice } from "../../../../domain/money/billing/statement.ts";
import type { ChangeApplied } from "../../../../domain/service/control/apply-change.ts";
import type { Payment } from "../../../../domain/money/payments/find.ts";
import type { Seconds } from "../../../../domain/core/time/time.ts";
import { Icon } from "../../../pages/icons.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Key } from "../../../pages/parts/chip.tsx";
import { told } from "../../attempt.ts";
import type { ConsoleView } from "../../view.ts";
import { Receipt } from "../../parts/receipt.tsx";

export interface Done {
  /** null: paid from the wallet, or on credit. */
  readonly payment: Payment | null;
  readonly printout: PaymentPrintout | null;
  readonly currency: string;
  readonly balance: number;
  readonly settled: readonly Pick<OutstandingInvoice, "id" | "number">[];
  readonly activated: {
    readonly packageName: string;
    readonly expiresAt: Seconds;
    readonly invoiceNumber: string;
  } | null;
  /** undefined: nothing was activated. */
  readonly session: ChangeApplied | undefined;
  /** The standby does not have the payment yet. */
  readonly isOnlyHere: boolean;
}

interface DoneProps {
  view: ConsoleView;
  done: Done;
  /** For links that print or reverse it. */
  may: { readonly view: boolean; readonly reverse: boolean };
}

export function PaidBody({ view, done, may }: DoneProps) {
  const { pay } = view.words;
  const { payment, printout } = done;
  return (
    <>
      <div class="drawer-body">
        <ul class="steps">
          {listSteps(view, done).map(([strong, rest, isLeft]) => (
            <li class={isLeft ? "bad" : ""}>
              <span class="toast-mark">
                <Icon name={isLeft ? "alert" : "check"} />
              </span>
              <span>
                <strong>{strong}</strong> {rest}
              </span>
            </li>
          ))}
        </ul>
        {payment && printout && (
          <div class="paper-ground">
            <Receipt view={view} payment={payment} printout={printout} size="roll" isCopy={false} />
          </div>
        )}
        {payment && may.reverse && <p class="hint">{pay.mistake}</p>}
      </div>
      <footer class="drawer-foot">
        {payment && may.view && <PrintButtons view={view} payment={payment} />}
        <Button href="/console/pay" icon="search" drawer>
          {pay.next}
        </Button>
        {payment && may.reverse && (
          <Button href={`/console/money/payments/${payment.id}/reverse`} kind="danger" drawer>
            {pay.reverse}
          </Button>
        )}
      </footer>
    </>
  );
}

type Step = [strong: string, rest: string, isLeft?: boolean];

function PrintButtons({ view: { words }, payment }: { view: ConsoleView; payment: Payment }) {
  const href = `/console/money/payments/${payment.id}/receipt`;
  const elsewhere = { target: "_blank", rel: "noopener" };
  return (
    <>
      <a class="button solid large" href={`${href}?paper=roll&print=1`} autofocus {...elsewhere}>
        <Icon name="print" />
        <span>{words.pay.print}</span>
        <Key>Enter</Key>
      </a>
      <a class="button" href={`${href}?paper=a4&print=1`} {...elsewhere}>
        {words.pay.a4}
      </a>
    </>
  );
}

/** Done or open steps, each a fact and its details. */
export function listSteps(view: ConsoleView, done: Done): Step[] {
  const {
    words: { list, pay },
    format,
  } = view;
  const { payment, settled, activated, session, balance, currency } = done;
  const sum = format.sum(balance, currency);
  const steps: Step[] = [];
  if (payment)
    steps.push([
      pay.receiptOf(payment.number),
      [pay.methodName(payment.method), payment.reference].filter(Boolean).join(" "),
    ]);
  if (activated)
    steps.push([
      pay.renewed(activated.packageName, format.wholeTime(activated.expiresAt)),
      pay.invoiceOf(activated.invoiceNumber),
    ]);
  if (settled.length > 0)
    steps.push([pay.settled(settled.map(({ number }) => number ?? "").join(list.comma), settled.length), ""]);
  steps.push([pay.balanceIs(sum), ""]);
  if (session !== undefined) steps.push([pay.session, told(view, session.words), session.isLeft]);
  if (done.isOnlyHere) steps.push([pay.onlyHere, pay.onlyHereMeans, true]);
  return steps;
}
