import { told } from "../../attempt.ts";
import { applyChange } from "../../../../domain/service/control/apply-change.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { phrase } from "../../../../domain/core/errors/phrase.ts";
import { type Input, readFields, text } from "../../../../domain/core/fields/fields.ts";
import { type Payment, paymentById } from "../../../../domain/money/payments/find.ts";
import { previewReversal } from "../../../../domain/desk/payments/preview.ts";
import { requireReversing, reversePayment } from "../../../../domain/desk/payments/reverse.ts";
import { pathId } from "../../../form.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { drawer, flash } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { formatSum } from "../../parts/money-frame.tsx";
import { doOnce } from "../../parts/once.tsx";
import { KeyedForm, type Refusal, refusedDrawer, type ReadValue, valuesIn } from "../../parts/keyed.tsx";
import { Outcomes } from "./outcomes.tsx";

const PATH = "/console/money/payments/reverse";
const readPayment = ({ db, by, params }: StaffVisit) =>
  paymentById(db, by, pathId("payment", params["id"] ?? null));
const paymentHref = ({ id }: Payment) => `/console/money/payments/${id}`;

export function askReversal(visit: StaffVisit): Response {
  return drawer(
    visit,
    reversalDrawer(visit, readPayment(visit), (name) => visit.query.get(name) ?? "", undefined),
  );
}

function reversalDrawer(
  visit: StaffVisit,
  payment: Payment,
  values: ReadValue,
  refusal: Refusal | undefined,
) {
  const { db, by, now, view } = visit;
  const { money } = view.words;
  const { before, plain, withVoid } = previewReversal(db, by, { paymentId: payment.id }, { now });
  const sum = formatSum(view, payment.amount, payment.currency);
  const isPossible =
    !(plain instanceof DomainError) || (withVoid !== null && !(withVoid instanceof DomainError));
  return {
    title: money.reverseTitle(sum),
    lead: `${payment.number} · ${payment.payerName}`,
    place: "money" as const,
    back: paymentHref(payment),
    children: (
      <KeyedForm
        visit={visit}
        action={`${paymentHref(payment)}/reverse`}
        values={values}
        refusal={refusal}
        foot={
          <Button kind="danger" size="large" disabled={!isPossible}>
            {money.reverseButton(sum)}
          </Button>
        }
      >
        <Outcomes
          view={view}
          values={values}
          refusal={refusal}
          name="void"
          hadService={before.service !== null}
          alone={{ label: money.moneyAlone, standing: plain }}
          too={
            withVoid && {
              label: money.andEnd(view.format.name(payment.invoiceNumber ?? "")),
              standing: withVoid,
            }
          }
        />
      </KeyedForm>
    ),
  };
}

export async function reverse(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view, needs } = visit;
  const payment = readPayment(visit);
  const voids = input["void"] === "1";
  const done = await doOnce(visit, PATH, { ...input, id: payment.id }, (tx) => {
    requireReversing(tx, by, { paymentId: payment.id, voids });
    return () => {
      const reason = readReason(input);
      return reversePayment(tx, by, { paymentId: payment.id, reason, voids }, { now }).balance;
    };
  });
  if (done instanceof DomainError)
    return refusedDrawer(visit, done, (refusal) => reversalDrawer(visit, payment, valuesIn(input), refusal));
  const { subscriberId } = payment;
  const session =
    voids && subscriberId !== null ? told(view, await applyChange(db, { subscriberId }, needs)) : "";
  const { money } = view.words;
  const title = money.reversedDone(payment.number);
  const text = [money.balanceThen(view.format.amount(done)), session].filter(Boolean).join(" ");
  return flash(visit, { kind: "good", title, text }, paymentHref(payment));
}

/** Why, which has to be said. Throws `invalid`. */
export function readReason(input: Input): string {
  const faults = {};
  const { reason } = readFields({ reason: text(500, { lines: true }) }, input, faults, {
    required: ["reason"],
  });
  if (typeof reason === "string") return reason;
  throw new DomainError("invalid", phrase`say why; it stands in the books`, { fields: faults });
}
