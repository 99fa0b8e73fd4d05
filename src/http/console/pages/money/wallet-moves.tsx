import type { Tx } from "../../../../../db/open.ts";
import { DomainError } from "../../../../domain/errors.ts";
import { amount, amountAboveZero, type Input, readFields, text } from "../../../../domain/fields.ts";
import { requirePayer } from "../../../../domain/payments/payer.ts";
import { refundPayment } from "../../../../domain/payments/refund.ts";
import { takePayment } from "../../../../domain/payments/take.ts";
import { setting } from "../../../../domain/settings/settings.ts";
import type { Actor } from "../../../../domain/staff/actor.ts";
import type { Seconds } from "../../../../domain/time.ts";
import { adjustWallet } from "../../../../domain/wallets/adjust.ts";
import type { ResellerWallet } from "../../../../domain/wallets/resellers.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Field, Select, TextArea } from "../../../pages/parts/field.tsx";
import { drawer, said } from "../../answers.tsx";
import { type ConsoleRoute, staffForm, staffPage, type StaffVisit } from "../../guard.ts";
import { sumOf } from "./head.tsx";
import { doOnce, KeyedForm, type Refusal, refusedDrawer, type Typed, typedIn } from "./keyed.tsx";
import { walletOf } from "./wallets.tsx";

const HREF = "/console/money/wallets";
type Move = "top-up" | "pay-out" | "correct";

interface Moving {
  readonly tx: Tx;
  readonly by: Actor;
  readonly staffId: number;
  readonly input: Input;
  readonly now: Seconds;
}

const handed = { amount: amountAboveZero, method: text(20), reference: text(100), note: text(500) };

/** Who handed what over, from the fields of a form. Throws `invalid`. */
function handedIn({ input, staffId }: Moving) {
  const faults = {};
  const values = readFields(handed, input, faults, { required: ["amount", "method"] });
  const { amount: sum, method, reference, note } = values;
  if (!sum || !method || Object.keys(faults).length > 0)
    throw new DomainError("invalid", "look at the fields", { fields: faults });
  return { staffId, amount: sum, method, reference, note };
}

function correction({ input, staffId }: Moving) {
  const faults = {};
  const values = readFields({ amount, reason: text(500, { lines: true }) }, input, faults, {
    required: ["amount", "reason"],
  });
  if (!values.amount || !values.reason)
    throw new DomainError("invalid", "say how much, with a minus to take away, and why", { fields: faults });
  return { staffId, amount: values.amount, reason: values.reason };
}

/** What each does; returns what the wallet holds then. */
const moves: Readonly<Record<Move, (moving: Moving) => number>> = {
  "top-up": (moving) => takePayment(moving.tx, moving.by, handedIn(moving), { now: moving.now }).balance,
  "pay-out": (moving) => refundPayment(moving.tx, moving.by, handedIn(moving), { now: moving.now }).balance,
  correct: (moving) => adjustWallet(moving.tx, moving.by, correction(moving), { now: moving.now }).balance,
};

/** Money into the wallet of a Reseller and out of it, and its correction. */
export const walletMoves: readonly ConsoleRoute[] = (["top-up", "pay-out", "correct"] as const).flatMap(
  (move) => [
    staffPage(`${HREF}/:id/${move}`, (visit) => {
      const wallet = walletOf(visit);
      requirePayer(visit.db, visit.by, { staffId: wallet.staffId });
      return drawer(
        visit,
        moveDrawer(visit, move, wallet, () => "", undefined),
      );
    }),
    staffForm(`${HREF}/:id/${move}`, (visit, input) => moveMoney(visit, move, input)),
  ],
);

function moveDrawer(
  visit: StaffVisit,
  move: Move,
  wallet: ResellerWallet,
  typed: Typed,
  refusal: Refusal | undefined,
) {
  const { view } = visit;
  const { money } = view.words;
  const { staffId, name, balance, currency } = wallet;
  return {
    title: money.moves[move].title,
    lead: `${name} · ${money.holds(sumOf(view, balance, currency))}`,
    place: "money" as const,
    back: `${HREF}/${staffId}`,
    children: (
      <KeyedForm
        visit={visit}
        action={`${HREF}/${staffId}/${move}`}
        typed={typed}
        refusal={refusal}
        foot={
          <Button kind="solid" size="large" showKey="Enter">
            {money.moves[move].button}
          </Button>
        }
      >
        <MoveFields visit={visit} move={move} wallet={wallet} typed={typed} refusal={refusal} />
      </KeyedForm>
    ),
  };
}

interface MoveFieldsProps {
  visit: StaffVisit;
  move: Move;
  wallet: ResellerWallet;
  typed: Typed;
  refusal: Refusal | undefined;
}

function MoveFields({ visit: { db, view }, move, wallet, typed, refusal }: MoveFieldsProps) {
  const { money, pay } = view.words;
  const fault = (name: string) => refusal?.faults[name]?.[0];
  const methods = setting(db, "payment_methods", wallet.ispId).split(", ");
  return (
    <>
      <Field
        name="amount"
        label={pay.amount}
        prefix={view.format.currencySign(wallet.currency)}
        value={typed("amount")}
        fault={fault("amount")}
        help={move === "correct" ? money.correctHelp : undefined}
        attributes={{ inputmode: "decimal", autocomplete: "off", autofocus: true }}
      />
      {move === "correct" ? (
        <TextArea
          name="reason"
          label={money.reason}
          value={typed("reason")}
          maxLength={500}
          fault={fault("reason")}
          help={money.reasonHelp}
        />
      ) : (
        <>
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
            fault={fault("reference")}
          />
          <TextArea name="note" label={pay.note} value={typed("note")} maxLength={500} rows={2} />
        </>
      )}
    </>
  );
}

async function moveMoney(visit: StaffVisit, move: Move, input: Input): Promise<Response> {
  const { by, now, view } = visit;
  const wallet = walletOf(visit);
  const { staffId, name } = wallet;
  const done = await doOnce(visit, `${HREF}/${move}`, { ...input, id: staffId }, (tx) => {
    requirePayer(tx, by, { staffId });
    return () => moves[move]({ tx, by, staffId, input, now });
  });
  if (done instanceof DomainError)
    return refusedDrawer(visit, done, (refusal) => moveDrawer(visit, move, wallet, typedIn(input), refusal));
  const { money } = view.words;
  const text = money.holds(sumOf(view, done, wallet.currency));
  return said(visit, { kind: "good", title: money.moves[move].done(name), text }, `${HREF}/${staffId}`);
}
