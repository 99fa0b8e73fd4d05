import type { Invoice } from "../../../domain/desk/portal/history.ts";
import type { Line } from "../../../domain/desk/portal/line.ts";
import type { Renewal } from "../../../domain/desk/portal/renewal.ts";
import { Icon } from "../../pages/icons.tsx";
import { FormToken } from "../../pages/document.tsx";
import { type View } from "../layout.tsx";
import { Note } from "../../pages/note.tsx";
import { Payment } from "../pay.tsx";

interface Part {
  view: View;
  renewal: Renewal;
}

interface RenewProps extends Part {
  formToken: string;
  isUrgent: boolean;
}

/** The payment reference stays, for prepayments. */
export function Money({ view, renewal, formToken, isUrgent }: RenewProps) {
  return (
    <div class="money">
      {renewal.isCovered && <Renew view={view} renewal={renewal} formToken={formToken} isUrgent={isUrgent} />}
      <Pay view={view} renewal={renewal} />
    </div>
  );
}

export function Renew({ view, renewal, formToken, isUrgent }: RenewProps) {
  const { words, format, brand } = view;
  const { renew } = words;
  const { packageName, price, balance, duration, durationUnit } = renewal;
  const money = (minor: number) => format.money(minor, brand.currency);
  return (
    <section class="card renew">
      <h2>{renew.title(format.name(packageName))}</h2>
      <p class="hint">{renew.adds(format.span(duration, durationUnit))}</p>
      <dl class="account">
        <Row name={renew.balance} value={money(balance)} />
        <Row name={renew.price} value={money(-price)} />
        <Row name={renew.left} value={money(balance - price)} />
      </dl>
      <form method="post" action="/portal/renew">
        <FormToken value={formToken} />
        <input type="hidden" name="price" value={price} />
        <button class={isUrgent ? "button solid wide" : "button wide"} type="submit">
          <Icon name="renew" />
          <span>{renew.submit(money(price))}</span>
        </button>
      </form>
    </section>
  );
}

function Row({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Pay({ view, renewal }: Part) {
  const { pay } = view.words;
  return (
    <section class="card pay">
      <h2>{pay.title}</h2>
      <Payment view={view} renewal={renewal} />
      {renewal.due > 0 && renewal.isOwn && !renewal.isBilledLater && (
        <p class="hint">{renewal.renewsItself ? pay.byItself : pay.afterwards}</p>
      )}
    </section>
  );
}

/** The invoice, and the new end. */
export function Renewed({ view, invoice, line, renewal }: Part & { invoice: Invoice; line: Line }) {
  const { words, format } = view;
  const { renew } = words;
  const { id, packageName, amount, currency } = invoice;
  return (
    <Note kind="good">
      <strong>{renew.done(format.name(packageName))}</strong>{" "}
      {renew.booked(format.money(amount, currency), format.money(renewal.balance, currency))}{" "}
      {line.expiresAt !== null && renew.paidUntil(format.time(line.expiresAt))}{" "}
      {line.online !== null && renew.follows} <a href={`/portal/invoices/${id}`}>{renew.invoice}</a>
    </Note>
  );
}
