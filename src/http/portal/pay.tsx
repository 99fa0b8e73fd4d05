import { formatAmount } from "../../domain/core/amounts/money.ts";
import type { Renewal } from "../../domain/desk/portal/renewal.ts";
import type { Brand } from "../pages/brand.tsx";
import { Icon } from "../pages/icons.tsx";
import type { View } from "./layout.tsx";

/** Amount, reference and means. */
export function Payment({ view, renewal }: { view: View; renewal: Renewal }) {
  const { words, format, brand } = view;
  const { pay } = words;
  const { due, balance, isBilledLater, reference } = renewal;
  const what = isBilledLater ? pay.debt : balance < 0 ? pay.renewalAndDebt : pay.renewal;
  const amount = format.money(due, brand.currency);
  const href = payHref(brand, renewal);
  return (
    <>
      <dl class="payment">
        {due > 0 && (
          <div>
            <dt>{pay.due}</dt>
            <dd>
              <strong>{amount}</strong>
              <span class="hint">{what}</span>
            </dd>
          </div>
        )}
        <div>
          <dt>{pay.reference}</dt>
          <dd>
            <strong class="reference">
              <bdi>{reference}</bdi>
            </strong>
            <span class="hint">{pay.referenceHint}</span>
          </dd>
        </div>
      </dl>
      {brand.payText.length === 0 ? (
        <p>{pay.plain}</p>
      ) : (
        <div>
          {brand.payText.map((line) => (
            <p dir="auto">{line}</p>
          ))}
        </div>
      )}
      {href !== undefined && (
        <a class={due > 0 ? "button solid wide" : "button wide"} href={href} rel="noopener noreferrer">
          <Icon name="card" />
          <span>{due > 0 ? pay.online(amount) : pay.onlineAny}</span>
        </a>
      )}
    </>
  );
}

/** The ISP's link, filled in. */
export function payHref(
  { payLink, currency }: Pick<Brand, "payLink" | "currency">,
  { due, reference, username }: Renewal,
): string | undefined {
  if (payLink === "") return undefined;
  const values: Readonly<Record<string, string>> = {
    amount: formatAmount(due),
    currency,
    reference,
    username,
  };
  return payLink.replace(/\{(amount|currency|reference|username)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ""),
  );
}
