import type { Quote } from "../../../../../domain/service/activation/activate.ts";
import { DomainError } from "../../../../../domain/core/errors/errors.ts";
import { sentence } from "../../../parts/phrases.ts";
import type { PageContext } from "../context.ts";

export function Sums({
  context: { visit, phrases },
  offer,
}: {
  context: PageContext;
  offer: Quote | DomainError;
}) {
  const { list, subscriber } = visit.view.words;
  const { forms } = subscriber;
  if (offer instanceof DomainError)
    return (
      <div class="card verdict warn">
        <div class="verdict-body">
          <div>
            <p class="verdict-label">{forms.notNow}</p>
            <p>{sentence(offer.message)}</p>
          </div>
        </div>
      </div>
    );
  const { sold, credited, balance, balanceAfter, expiresAt } = offer;
  const rows: [string, string][] = [
    [forms.balance, phrases.money(balance)],
    ...(credited > 0 ? [[forms.credited, phrases.money(credited)] satisfies [string, string]] : []),
    [`${forms.costs}${list.colon}${sold.name}`, phrases.money(-sold.price)],
  ];
  return (
    <div class="sums">
      {rows.map(([label, value]) => (
        <div>
          <span>{label}</span>
          <span>{value}</span>
        </div>
      ))}
      <div class="total">
        <span>{forms.after}</span>
        <span>{phrases.money(balanceAfter)}</span>
      </div>
      <div>
        <span>{forms.runs}</span>
        <strong>{visit.view.format.weekTime(expiresAt)}</strong>
      </div>
    </div>
  );
}
