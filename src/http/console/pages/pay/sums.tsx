import { told } from "../../attempt.ts";
import type { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { Desk } from "../../../../domain/desk/payments/desk.ts";
import type { ConsoleView } from "../../view.ts";

interface SumsProps {
  view: ConsoleView;
  desk: Desk;
  method: string;
}

export function Sums({ view, desk, method }: SumsProps) {
  const { format, words } = view;
  const { pay } = words;
  const { balance, amount, balanceAfter, sale, currency, own } = desk;
  return (
    <section id="pay-sums" class="sums" aria-label={pay.sums} aria-live="polite">
      <Line name={pay.balanceNow} value={format.amount(balance)} bad={balance < 0} />
      {amount > 0 && (
        <Line name={pay.payment(pay.methodName(method))} value={format.amount(amount, { plus: true })} />
      )}
      {sale && <Line name={sale.sold.name} value={format.amount(-sale.sold.price, { plus: true })} />}
      <div class="total">
        <span>{pay.balanceAfter}</span>
        <span class={balanceAfter < 0 ? "bad-text" : ""}>{format.sum(balanceAfter, currency)}</span>
      </div>
      {own && (
        <Line
          name={pay.ownWallet}
          value={`${format.amount(own.balance)} → ${format.amount(own.after)}`}
          bad={own.after < own.lowest}
        />
      )}
      <p class="sums-words">
        <Sentence view={view} desk={desk} />
      </p>
    </section>
  );
}

function Line({ name, value, bad = false }: { name: string; value: string; bad?: boolean }) {
  return (
    <div>
      <span class="soft-text">{name}</span>
      <span class={bad ? "bad-text" : ""}>{value}</span>
    </div>
  );
}

function refusalWords(view: ConsoleView, { kind, phrases }: DomainError, missing: number) {
  const { format, words } = view;
  const { pay } = words;
  if (kind === "too_soon") return pay.renewedJustNow;
  return missing > 0 ? pay.missing(format.amount(missing)) : pay.refused(told(view, phrases.message));
}

function Sentence({ view, desk }: { view: ConsoleView; desk: Desk }) {
  const { words, format } = view;
  const { pay } = words;
  const { sale, refusal, missing, settled, own, balanceAfter } = desk;
  if (own && own.after < own.lowest)
    return <strong class="bad-text">{pay.ownTooLow(format.amount(own.lowest))}</strong>;
  if (refusal) return <strong class="bad-text">{refusalWords(view, refusal, missing)}</strong>;
  const numbers = settled.map(({ number }) => view.format.name(number ?? "")).join(view.words.list.comma);
  return (
    <>
      {sale && <strong>{pay.paidUntil(format.wholeTime(sale.expiresAt))} </strong>}
      {settled.length > 0 && pay.settles(numbers, settled.length)}{" "}
      {balanceAfter < 0 && pay.staysOwed(format.amount(-balanceAfter))}{" "}
      {sale && !sale.goesOn && pay.dialsAgain}
    </>
  );
}
