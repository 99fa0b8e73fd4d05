import type { MessageCause } from "../../../../domain/around/messages/in-full.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import type { StaffVisit } from "../../guard.ts";

/** The event with its time and a link. */
export function describeCause({ view, by, now }: StaffVisit, cause: MessageCause | undefined) {
  if (!cause) return null;
  const { one } = view.words.outbox;
  const at = view.format.timeNear(cause.at, now);
  switch (cause.kind) {
    case "expiry":
      return (cause.at > now ? one.ends : one.ended)(at);
    case "invoice": {
      const words = one.invoice(cause.number ?? String(cause.id));
      return may(by, "invoice_view") ? <a href={`/console/money/invoices/${cause.id}`}>{words}</a> : words;
    }
    case "event": {
      const href = pages.find(([noun, flag]) => may(by, flag) && idIn(cause.data, noun) !== undefined);
      const words = one.event(cause.type);
      return (
        <>
          {href ? <a href={`${href[2]}/${idIn(cause.data, href[0])}`}>{words}</a> : words}{" "}
          <span class="hint">{at}</span>
        </>
      );
    }
  }
}

const pages = [
  ["payment", "payment_view", "/console/money/payments"],
  ["invoice", "invoice_view", "/console/money/invoices"],
  ["incoming", "payment_match", "/console/money/arrived"],
  ["router", "nas_view", "/console/routers"],
  ["card", "card_view", "/console/cards"],
  ["batch", "card_view", "/console/cards/batches"],
] as const;

function idIn(data: unknown, noun: string): number | undefined {
  const about: unknown = typeof data === "object" && data !== null ? Reflect.get(data, noun) : undefined;
  const id: unknown = typeof about === "object" && about !== null ? Reflect.get(about, "id") : undefined;
  return typeof id === "number" ? id : undefined;
}
