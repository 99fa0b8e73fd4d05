import { createHash } from "node:crypto";
import type { NewBatch } from "../../../../domain/service/cards/batches.ts";
import type { CardChoices, CardPackage } from "../../../../domain/service/cards/choices.ts";
import { DIGITS } from "../../../../domain/goods/codes/codes.ts";
import type { CardBatch } from "../../../../domain/service/cards/standing.ts";
import type { Faults } from "../../../../domain/core/errors/errors.ts";
import { phrase, verbatim } from "../../../../domain/core/errors/phrase.ts";
import { addFault, type Input } from "../../../../domain/core/fields/fields.ts";
import { formatAmount } from "../../../../domain/core/amounts/money.ts";
import { durationFault, secondsIn, spanSent } from "../../parts/duration.ts";
import type { ReadValue } from "../../parts/keyed.tsx";
import type { ConsoleView } from "../../view.ts";

export type Kind = CardBatch["kind"];

/** A batch in the making: its kind and package. */
export interface Making {
  readonly kind: Kind;
  readonly sold: CardPackage | undefined;
  readonly choices: CardChoices;
  /** The ISP of a refill without another hint. */
  readonly usualIsp: number | undefined;
}

const GB = 1e9;

/** What stands in the fields before somebody types: a hundred cards on the terms of the package. */
export function usualValues({ format }: ConsoleView, { sold }: Making): ReadValue {
  const ofPackage: Record<string, string> = sold
    ? {
        price: formatAmount(sold.price),
        by_clock: "1",
        duration: format.span(sold.duration, sold.durationUnit),
        data: sold.dataQuotaBytes === 0 ? "" : String(sold.dataQuotaBytes / GB),
        devices: String(sold.simultaneousUse),
      }
    : {};
  const values: Record<string, string> = { quantity: "100", offline: "1", ...ofPackage };
  return (name) => values[name] ?? "";
}

/** The ISP of the batch. */
export function chooseBatchIsp(
  { sold, choices, usualIsp }: Omit<Making, "kind">,
  values: ReadValue,
): number | undefined {
  const named = Number(values("isp_id"));
  const reseller = choices.resellers.find(({ id }) => String(id) === values("reseller_id").trim());
  return sold?.ispId ?? (named || (reseller?.ispId ?? usualIsp));
}

/** What the form asks for, by the names of a batch; adds what is wrong with the fields that only the form has. */
export function batchSent(view: ConsoleView, values: ReadValue, making: Making, faults: Faults): Input {
  const text = (name: string) => values(name).trim();
  const { kind, sold } = making;
  const isp = chooseBatchIsp(making, values);
  return {
    isp_id: isp === undefined ? "" : String(isp),
    kind,
    ...(sold && { package_id: String(sold.id) }),
    quantity: text("quantity"),
    price: text("price"),
    note: text("note"),
    needs_sale: readFlag(values, "needs_sale"),
    sell_by: endOfDay(text("sell_by")),
    use_by: endOfDay(text("use_by")),
    ...toInput("prefix", text("prefix")),
    ...toInput("length", text("length")),
    ...(text("alphabet") === "digits" && { alphabet: DIGITS }),
    ...(text("reseller_id") !== "" && {
      reseller_id: text("reseller_id"),
      reseller_price: text("reseller_price"),
      charge_on: text("charge_on") || "use",
    }),
    ...(kind === "access" && termsSent(view, values, faults)),
  };
}

function termsSent(view: ConsoleView, values: ReadValue, faults: Faults): Input {
  const text = (name: string) => values(name).trim();
  const isByClock = readFlag(values, "by_clock");
  const uptime = secondsIn(view, text("uptime"), "hour") || undefined;
  const data = text("data") === "" ? 0 : scaled(text("data"), GB);
  if (text("uptime") !== "" && uptime === undefined)
    addFault(faults, "uptime_seconds", verbatim(durationFault(view, "hour")));
  if (data === undefined)
    addFault(faults, "data_quota_bytes", phrase`must be a number of GB such as 20 or 0.5`);
  return {
    by_clock: isByClock,
    ...(isByClock === "1" && spanSent(view, text("duration"), "hour", faults)),
    ...(uptime !== undefined && { uptime_seconds: String(uptime) }),
    data_quota_bytes: String(data ?? 0),
    ...toInput("devices", text("devices")),
    offline: readFlag(values, "offline"),
    lock_first_device: readFlag(values, "lock_first_device"),
  };
}

const readFlag = (values: ReadValue, name: string) => (values(name) === "1" ? "1" : "0");
const toInput = (name: string, value: string): Input => (value === "" ? {} : { [name]: value });
/** A day ends with its last second. */
const endOfDay = (day: string) => (/^\d{4}-\d{2}-\d{2}$/.test(day) ? `${day} 23:59:59` : day);

function scaled(text: string, by: number): number | undefined {
  const value = Math.round(Number(text) * by);
  return text !== "" && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

/**
 * A digest of the plan, so that exactly what was read is made. It omits a derived code length, which depends on existing cards:
 * once made, the batch is one of them.
 */
export function hashPlan({ length, ...row }: NewBatch, isLengthChosen: boolean): string {
  return createHash("sha256")
    .update(JSON.stringify({ ...row, createdAt: 0, ...(isLengthChosen && { length }) }))
    .digest("base64url")
    .slice(0, 22);
}
