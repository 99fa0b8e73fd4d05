import { type Move, type Holder, flags, holders } from "../../parts/wallet-buttons.tsx";
import type { Tx } from "../../../../../db/open.ts";
import { type Account, readBalance } from "../../../../domain/core/amounts/balance.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { phrase } from "../../../../domain/core/errors/phrase.ts";
import {
  amount,
  amountAboveZero,
  type Input,
  readFields,
  text,
} from "../../../../domain/core/fields/fields.ts";
import { formatAmount } from "../../../../domain/core/amounts/money.ts";
import { requirePayer } from "../../../../domain/money/payments/payer.ts";
import { refundPayment } from "../../../../domain/desk/payments/refund.ts";
import { takePayment } from "../../../../domain/desk/payments/take.ts";
import { setting } from "../../../../domain/core/settings/settings.ts";
import { type Actor, may, requireFlag } from "../../../../domain/core/actor/actor.ts";
import type { Seconds } from "../../../../domain/core/time/time.ts";
import { adjustWallet } from "../../../../domain/money/wallets/adjust.ts";
import { pathId } from "../../../form.ts";
import { attemptNow } from "../../attempt.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Field, Select, TextArea } from "../../../pages/parts/field.tsx";
import { drawer, flash } from "../../answers.tsx";
import { type ConsoleRoute, staffForm, staffPage, type StaffVisit } from "../../guard.ts";
import { readSure, TakeUnusual, Unusual } from "../../unusual.tsx";
import { formatSum } from "../../parts/money-frame.tsx";
import { doOnce } from "../../parts/once.tsx";
import { KeyedForm, type Refusal, refusedDrawer, type ReadValue, valuesIn } from "../../parts/keyed.tsx";
import { sentence } from "../../parts/phrases.ts";

interface Moving {
  readonly tx: Tx;
  readonly by: Actor;
  readonly account: Account;
  readonly input: Input;
  readonly now: Seconds;
}

/** The new balance, and what was handed over. */
interface Moved {
  readonly balance: number;
  readonly payment?: { readonly id: number; readonly number: string };
}

const handed = { amount: amountAboveZero, method: text(20), reference: text(100), note: text(500) };

function handedIn({ input, account }: Moving) {
  const faults = {};
  const values = readFields(handed, input, faults, { required: ["amount", "method"] });
  const { amount: sum, method, reference, note } = values;
  if (!sum || !method || Object.keys(faults).length > 0)
    throw new DomainError("invalid", phrase`look at the fields`, { fields: faults });
  return { ...account, amount: sum, method, reference, note };
}

function correction({ input, account }: Moving) {
  const faults = {};
  const values = readFields({ amount, reason: text(500, { lines: true }) }, input, faults, {
    required: ["amount", "reason"],
  });
  if (!values.amount || !values.reason)
    throw new DomainError("invalid", phrase`say how much, with a minus to take away, and why`, {
      fields: faults,
    });
  return { ...account, amount: values.amount, reason: values.reason };
}

const handBack = (moving: Moving): Moved =>
  refundPayment(moving.tx, moving.by, handedIn(moving), { now: moving.now });

const moves: Readonly<Record<Move, (moving: Moving) => Moved>> = {
  "top-up": (moving) =>
    takePayment(
      moving.tx,
      moving.by,
      { ...handedIn(moving), sure: readSure(moving.input) },
      { now: moving.now },
    ),
  "pay-out": handBack,
  refund: handBack,
  correct: (moving) => adjustWallet(moving.tx, moving.by, correction(moving), { now: moving.now }),
};

/** Manual deposits, withdrawals and corrections. */
export const walletMoves: readonly ConsoleRoute[] = (["staffId", "subscriberId"] as const).flatMap((holder) =>
  holders[holder].moves.flatMap((move) => {
    const path = `${holders[holder].base}/:id/${move}`;
    return [
      staffPage(path, (visit) =>
        drawer(
          visit,
          moveDrawer(visit, move, readWallet(visit, holder, move), () => "", undefined),
        ),
      ),
      staffForm(path, (visit, input) => moveMoney(visit, move, readWallet(visit, holder, move), input)),
    ];
  }),
);

interface Wallet {
  readonly account: Account;
  readonly ispId: number;
  readonly name: string;
  readonly balance: number;
  readonly currency: string;
  readonly base: string;
  readonly href: string;
  readonly back: string;
  readonly place: "money" | "subscribers";
}

/** Throws `forbidden` where the move is not allowed, `not_found` outside the scope. */
function readWallet({ db, by, params }: StaffVisit, holder: Holder, move: Move): Wallet {
  requireFlag(by, flags[move]);
  const id = pathId(holder === "staffId" ? "reseller" : "subscriber", params["id"] ?? null);
  const { account, ispId, name } = requirePayer(db, by, { [holder]: id });
  const { base, back, place } = holders[holder];
  const href = `${base}/${id}`;
  return {
    account,
    ispId,
    name,
    place,
    base,
    href,
    back: href + back,
    balance: readBalance(db, account),
    currency: setting(db, "currency", ispId),
  };
}

/** Whether the viewer may move money of it: an archived subscriber's is closed. */
export const isOpenWallet = (visit: StaffVisit, account: Account): boolean =>
  !(attemptNow(visit, () => requirePayer(visit.db, visit.by, account)) instanceof DomainError);

function moveDrawer(
  visit: StaffVisit,
  move: Move,
  wallet: Wallet,
  values: ReadValue,
  refusal: Refusal | undefined,
) {
  const { view } = visit;
  const { money } = view.words;
  const { name, balance, currency, href, back, place } = wallet;
  const isEmpty = isOut(move) && balance <= 0;
  return {
    title: money.moves[move].title,
    lead: `${name} · ${money.holds(formatSum(view, balance, currency))}`,
    place,
    back,
    children: (
      <KeyedForm
        visit={visit}
        action={`${href}/${move}`}
        values={values}
        refusal={refusal}
        foot={
          <>
            <Button kind="solid" size="large" showKey="Enter" disabled={isEmpty}>
              {money.moves[move].button}
            </Button>
            {refusal?.unusual && <TakeUnusual view={view} confirmation={refusal.unusual} />}
          </>
        }
      >
        {refusal?.unusual && <Unusual view={view} confirmation={refusal.unusual} currency={currency} />}
        {isEmpty && <p class="hint">{money.holdsNothing}</p>}
        <MoveFields visit={visit} move={move} wallet={wallet} values={values} refusal={refusal} />
      </KeyedForm>
    ),
  };
}

const isOut = (move: Move) => move === "refund" || move === "pay-out";

interface MoveFieldsProps {
  visit: StaffVisit;
  move: Move;
  wallet: Wallet;
  values: ReadValue;
  refusal: Refusal | undefined;
}

function MoveFields({ visit: { db, view }, move, wallet, values, refusal }: MoveFieldsProps) {
  const { money, pay } = view.words;
  const fault = (name: string) => refusal?.faults[name]?.[0];
  const methods = setting(db, "payment_methods", wallet.ispId).split(", ");
  const held = isOut(move) && wallet.balance > 0 ? formatAmount(wallet.balance) : "";
  return (
    <>
      <Field
        name="amount"
        label={pay.amount}
        prefix={view.format.currencySign(wallet.currency)}
        value={values("amount") || held}
        fault={fault("amount")}
        help={move === "correct" ? money.correctHelp : undefined}
        attributes={{ inputmode: "decimal", autocomplete: "off", autofocus: true }}
      />
      {move === "correct" ? (
        <TextArea
          name="reason"
          label={money.reason}
          value={values("reason")}
          maxLength={500}
          fault={fault("reason")}
          help={money.reasonHelp}
        />
      ) : (
        <>
          <Select
            name="method"
            label={money.method}
            value={values("method")}
            options={methods.map((value) => ({ value, label: pay.methodName(value) }))}
          />
          <Field
            name="reference"
            label={pay.reference}
            value={values("reference")}
            fault={fault("reference")}
          />
          <TextArea name="note" label={pay.note} value={values("note")} maxLength={500} rows={2} />
        </>
      )}
    </>
  );
}

async function moveMoney(visit: StaffVisit, move: Move, wallet: Wallet, input: Input): Promise<Response> {
  const { by, now, view } = visit;
  const { account, name, currency, back } = wallet;
  const path = `${wallet.base}/${move}`;
  const done = await doOnce(visit, path, { ...input, ...account }, (tx) => {
    requirePayer(tx, by, account);
    return () => {
      const { balance, payment } = moves[move]({ tx, by, account, input, now });
      return { balance, payment: payment && { id: payment.id, number: payment.number } };
    };
  });
  if (done instanceof DomainError)
    return refusedDrawer(visit, done, (refusal) => moveDrawer(visit, move, wallet, valuesIn(input), refusal));
  const { money } = view.words;
  const text = sentence(money.holds(formatSum(view, done.balance, currency)));
  const { payment } = done;
  const print = payment && may(by, "payment_view");
  return flash(
    visit,
    {
      kind: "good",
      title: money.moves[move].done(name),
      text,
      ...(print && {
        links: [{ href: `/console/money/payments/${payment.id}/receipt`, label: money.print }],
      }),
    },
    back,
  );
}
