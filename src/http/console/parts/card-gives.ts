import type { CardBatch } from "../../../domain/service/cards/standing.ts";
import type { ConsoleView } from "../view.ts";

export type CardTerm = Pick<
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

export function describeGives({ words, format, brand }: ConsoleView, batch: CardTerm): string[] {
  const phrases = words.cards.gives;
  const { kind, price, duration, durationUnit, uptimeSeconds, quotaTotal, simultaneousUse } = batch;
  if (kind === "refill") return [phrases.refill(format.sum(price, brand.currency))];
  if (kind === "package") return [phrases.package(format.name(batch.packageName ?? ""))];
  const amounts = [
    ...(uptimeSeconds === null ? [] : [phrases.online(format.duration(uptimeSeconds))]),
    ...(quotaTotal === 0 ? [] : [format.bytes(quotaTotal)]),
  ];
  const span = duration === null || durationUnit === null ? null : format.span(duration, durationUnit);
  const ends =
    span === null
      ? phrases.whenever(amounts)
      : amounts.length > 0
        ? phrases.within(amounts, span)
        : phrases.clock(span);
  return [ends, phrases.devices(simultaneousUse), ...(batch.lockFirstDevice === 1 ? [phrases.locked] : [])];
}

export function packageOrRefill(
  { words }: ConsoleView,
  { packageName }: Pick<CardTerm, "packageName">,
): string {
  return packageName ?? words.cards.kinds.refill;
}
