import type { Quote } from "../../../../../domain/service/activation/activate.ts";
import { DomainError } from "../../../../../domain/core/errors/errors.ts";
import { sentence } from "../say.ts";
import type { Shown } from "../shown.ts";

/** What it costs, until when it runs, and what is left. */
export function Sums({ shown: { visit, say }, told }: { shown: Shown; told: Quote | DomainError }) {
  const { forms } = visit.view.words.subscriber;
  if (told instanceof DomainError)
    return (
      <div class="card verdict warn">
        <div class="verdict-body">
          <div>
            <p class="verdict-label">{forms.notNow}</p>
            <p>{sentence(told.message)}</p>
          </div>
        </div>
      </div>
    );
  const { sold, credited, balance, balanceAfter, expiresAt } = told;
  const rows: [string, string][] = [
    [forms.balance, say.money(balance)],
    ...(credited > 0 ? [[forms.credited, say.money(credited)] satisfies [string, string]] : []),
    [`${forms.costs}: ${sold.name}`, say.money(-sold.price)],
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
        <span>{say.money(balanceAfter)}</span>
      </div>
      <div>
        <span>{forms.runs}</span>
        <strong>{visit.view.format.weekTime(expiresAt)}</strong>
      </div>
    </div>
  );
}
