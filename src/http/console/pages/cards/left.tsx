import { ShareBar } from "../../../pages/parts/bar.tsx";
import type { CardContext } from "./verdict.ts";

interface Bound {
  readonly name: string;
  readonly used: number;
  readonly whole: number;
  readonly isStated: string;
}

/** Remaining time and data of a card in use; else nothing. */
export function Left({ context }: { context: CardContext }) {
  if (context.card.standing !== "active" || context.card.redeemedBy !== null) return null;
  const bounds = listBounds(context);
  if (bounds.length === 0) return null;
  return (
    <ul class="fields">
      {bounds.map(({ name, used, whole, isStated }) => (
        <li>
          <p class="band">
            <span class="soft-text">{name}</span> <strong>{isStated}</strong>
          </p>
          <ShareBar
            share={1 - used / whole}
            label={isStated}
            {...(used / whole > 0.9 && { tone: "warn" as const })}
          />
        </li>
      ))}
    </ul>
  );
}

function listBounds({ view, card, batch }: CardContext): Bound[] {
  const { card: phrases } = view.words.cards;
  const { format, now } = view;
  const { firstUsedAt, endsAt, usedSeconds, usedOctets } = card;
  const bound = (
    name: keyof typeof phrases.bars,
    used: number,
    whole: number,
    write: (amount: number) => string,
  ) => ({
    name: phrases.bars[name],
    used,
    whole,
    isStated: phrases.barLeft(write(Math.max(0, whole - used)), write(whole)),
  });
  const time = (seconds: number) => format.duration(seconds);
  const { uptimeSeconds, quotaTotal } = batch;
  return [
    ...(firstUsedAt === null || endsAt === null
      ? []
      : [bound("clock", now - firstUsedAt, endsAt - firstUsedAt, time)]),
    ...(uptimeSeconds === null ? [] : [bound("online", usedSeconds, uptimeSeconds, time)]),
    ...(quotaTotal === 0 ? [] : [bound("data", usedOctets, quotaTotal, (bytes) => format.bytes(bytes))]),
  ];
}
