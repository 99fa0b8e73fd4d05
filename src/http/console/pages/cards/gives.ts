import type { CardBatch } from "../../../../domain/service/cards/standing.ts";
import type { ConsoleView } from "../../view.ts";

/** What of a batch says what its cards give. */
export type Given = Pick<
  CardBatch,
  | "kind"
  | "price"
  | "duration"
  | "durationUnit"
  | "uptimeSeconds"
  | "quotaTotal"
  | "simultaneousUse"
  | "lockFirstDevice"
> & { readonly packageName: string | null };

/** `1 hour, from the first login`, `one device`: what a card gives, in parts of a sentence. */
export function givesOf({ words, format, brand }: ConsoleView, batch: Given): string[] {
  const say = words.cards.gives;
  const { kind, price, duration, durationUnit, uptimeSeconds, quotaTotal, simultaneousUse } = batch;
  if (kind === "refill") return [say.refill(format.sum(price, brand.currency))];
  if (kind === "package") return [say.package(format.name(batch.packageName ?? ""))];
  const amounts = [
    ...(uptimeSeconds === null ? [] : [say.online(format.duration(uptimeSeconds))]),
    ...(quotaTotal === 0 ? [] : [format.bytes(quotaTotal)]),
  ];
  const span = duration === null || durationUnit === null ? null : format.span(duration, durationUnit);
  const ends =
    span === null ? say.whenever(amounts) : amounts.length > 0 ? say.within(amounts, span) : say.clock(span);
  return [ends, say.devices(simultaneousUse), ...(batch.lockFirstDevice === 1 ? [say.locked] : [])];
}

/** A batch in one word: its package, or that it is a refill. */
export function nameOf({ words }: ConsoleView, { packageName }: Pick<Given, "packageName">): string {
  return packageName ?? words.cards.kinds.refill;
}
