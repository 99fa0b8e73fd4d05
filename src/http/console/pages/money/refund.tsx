import { DomainError } from "../../../../domain/errors.ts";
import { amountAboveZero, type Input, readFields, text } from "../../../../domain/fields.ts";
import { type Desk, paymentDesk } from "../../../../domain/payments/desk.ts";
import { requirePayer } from "../../../../domain/payments/payer.ts";
import { refundPayment } from "../../../../domain/payments/refund.ts";
import { requireFlag } from "../../../../domain/staff/actor.ts";
import { formatAmount } from "../../../../domain/money.ts";
import { pathId } from "../../../form.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Field, Select, TextArea } from "../../../pages/parts/field.tsx";
import { drawer, said } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { sumOf } from "./head.tsx";
import { doOnce, KeyedForm, type Refusal, refusedDrawer, type Typed, typedIn } from "./keyed.tsx";

const PATH = "/console/subscribers/refund";
const fields = { amount: amountAboveZero, method: text(20), reference: text(100), note: text(500) };
const required = ["amount", "method"] as const;

function deskOf({ db, by, now, params }: StaffVisit): Desk {
  requireFlag(by, "payment_refund");
  return paymentDesk(
    db,
    by,
    { subscriberId: pathId("subscriber", params["id"] ?? null), packageId: null },
    { now },
  );
}

/** Money that is handed back from a wallet which holds it. */
export function askRefund(visit: StaffVisit): Response {
  return drawer(
    visit,
    refundDrawer(visit, deskOf(visit), () => "", undefined),
  );
}

function refundDrawer(visit: StaffVisit, desk: Desk, typed: Typed, refusal: Refusal | undefined) {
  const { view } = visit;
  const { money, pay } = view.words;
  const { subscriber, balance, currency, methods } = desk;
  const held = Math.max(0, balance);
  return {
    title: money.refundTitle,
    lead: `${subscriber.name} · ${money.holds(sumOf(view, held, currency))}`,
    place: "subscribers" as const,
    back: `/console/subscribers/${subscriber.id}`,
    children: (
      <KeyedForm
        visit={visit}
        action={`/console/subscribers/${subscriber.id}/refund`}
        typed={typed}
        refusal={refusal}
        foot={
          <Button kind="solid" size="large" disabled={held === 0}>
            {money.handBack}
          </Button>
        }
      >
        <Field
          name="amount"
          label={pay.amount}
          prefix={view.format.currencySign(currency)}
          value={typed("amount") || formatAmount(held)}
          fault={refusal?.faults["amount"]?.[0]}
          attributes={{ inputmode: "decimal", autofocus: true }}
        />
        <Select
          name="method"
          label={money.method}
          value={typed("method")}
          options={methods.map((value) => ({ value, label: pay.methodName(value) }))}
        />
        <Field
          name="reference"
          label={pay.reference}
          value={typed("reference")}
          fault={refusal?.faults["reference"]?.[0]}
        />
        <TextArea name="note" label={pay.note} value={typed("note")} maxLength={500} rows={2} />
      </KeyedForm>
    ),
  };
}

export async function refund(visit: StaffVisit, input: Input): Promise<Response> {
  const { by, now, view } = visit;
  const desk = deskOf(visit);
  const { id: subscriberId } = desk.subscriber;
  const done = await doOnce(visit, PATH, { ...input, id: subscriberId }, (tx) => {
    requirePayer(tx, by, { subscriberId });
    return () => {
      const faults = {};
      const values = readFields(fields, input, faults, { required: [...required] });
      const { amount, method } = values;
      if (!amount || !method || Object.keys(faults).length > 0)
        throw new DomainError("invalid", "look at the fields", { fields: faults });
      const { payment, balance } = refundPayment(
        tx,
        by,
        { ...values, subscriberId, amount, method },
        { now },
      );
      return { id: payment.id, number: payment.number, amount: payment.amount, balance };
    };
  });
  if (done instanceof DomainError)
    return refusedDrawer(visit, done, (refusal) => refundDrawer(visit, desk, typedIn(input), refusal));
  const { money } = view.words;
  return said(
    visit,
    {
      kind: "good",
      title: money.refundDone(sumOf(view, done.amount, desk.currency), done.number),
      text: money.balanceThen(view.format.amount(done.balance)),
      links: [{ href: `/console/money/payments/${done.id}/receipt`, label: money.print }],
    },
    `/console/subscribers/${subscriberId}`,
  );
}
