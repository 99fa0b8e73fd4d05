import type { TopUpOffer } from "../../../domain/service/activation/top-up.ts";
import { isCutOff, type Line } from "../../../domain/desk/portal/line.ts";
import { FormToken } from "../../pages/document.tsx";
import type { View } from "../layout.tsx";

export function Fair({ view, line }: { view: View; line: Line }) {
  const { fair, status } = line;
  if (!fair || status !== "active") return null;
  const isOver = isCutOff(line);
  const { words, format } = view;
  const { rate, tier, isUsedUp, left, returnsAt, hours } = fair;
  const speed = format.speed(rate);
  const isSlow = (tier > 0 || isUsedUp) && hours?.hasRate !== true;
  const speedText = speed ? words.home.speed(speed.down, speed.up) : words.home.noSpeed;
  return (
    <section class="card fair">
      <h2>{words.fair.title}</h2>
      <p>
        <strong>{isOver ? words.home.usedUp : isSlow ? words.fair.slow(speedText) : speedText}</strong>
      </p>
      <ul class="plain">
        {hours && !isOver && (
          <li>
            {(hours.isFree ? words.fair.free : words.fair.hours)(format.timeNear(hours.until, view.now))}
          </li>
        )}
        {left !== null && !isOver && hours?.hasRate !== true && (
          <li>{words.fair.left(format.bytes(left))}</li>
        )}
        <li>{words.fair.again(format.time(returnsAt))}</li>
      </ul>
    </section>
  );
}

interface TopUpProps {
  view: View;
  formToken: string;
  line: Line;
  offers: readonly TopUpOffer[];
  balance: number;
}

/** Top-ups for sale. */
export function TopUps({ view, formToken, line, offers, balance }: TopUpProps) {
  const { words, format, brand } = view;
  if (offers.length === 0) return null;
  return (
    <section class="card top-ups">
      <h2>{words.topUp.title}</h2>
      {offers.map((offer) => {
        const price = format.money(offer.price, brand.currency);
        return (
          <form method="post" action="/portal/top-up">
            <FormToken value={formToken} />
            <input type="hidden" name="package" value={offer.packageId} />
            <input type="hidden" name="price" value={offer.price} />
            <input type="hidden" name="after" value={line.newestInvoice} />
            <p>
              <strong>{format.name(offer.name)}</strong>
            </p>
            <p class="hint">
              {words.topUp.adds(describeOffer(view, offer))} {offer.bytes > 0 && rest(view, line, offer)}
            </p>
            {balance >= offer.price ? (
              <button class="button wide" type="submit">
                {words.topUp.submit(price)}
              </button>
            ) : (
              <p>{words.topUp.short(price)}</p>
            )}
          </form>
        );
      })}
    </section>
  );
}

function rest({ words, format }: View, { fair, expiresAt }: Line, { rolls }: TopUpOffer): string {
  if (rolls === 1) return words.topUp.stays;
  return words.topUp.goes(format.time(fair?.returnsAt ?? expiresAt ?? 0));
}

/** Data and days. */
export function describeOffer({ format }: View, { bytes, days }: Pick<TopUpOffer, "bytes" | "days">): string {
  return [bytes > 0 && format.bytes(bytes), days > 0 && format.span(days, "day")].filter(Boolean).join(" + ");
}
