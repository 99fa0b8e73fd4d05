import { phrase } from "../../core/errors/phrase.ts";
import { Type } from "@sinclair/typebox";
import { type EventType, eventTypes } from "../../core/events/types.ts";
import { type Field, field, flag, id, oneOf, scopeId, text, wholeNumber } from "../../core/fields/fields.ts";
import { formatTimeOfDay, parseTimeOfDay } from "./quiet.ts";

const DAY = 86_400;

export const triggerKinds = ["event", "expiry", "due"] as const;
export const audiences = ["subscriber", "salesperson", "staff"] as const;

/** Events that rules may be about, without those of sessions, which are as frequent as logins. */
export const ruleTypes = Object.keys(eventTypes).filter(
  (type) => !/^(session|webhook)\./.test(type),
) as EventType[];

const timeOfDay: Field<number> = field(
  Type.String({ pattern: "^\\d{1,2}:\\d{2}$" }),
  phrase`must be a time of the day such as 22:00`,
  parseTimeOfDay,
);

export const ruleForm = {
  isp_id: scopeId,
  name: text(80),
  on: oneOf(...triggerKinds),
  event_type: oneOf(...ruleTypes),
  offset: wholeNumber(-90 * DAY, 90 * DAY),
  audience: oneOf(...audiences),
  flag: text(60),
  channel_id: id,
  template: text(60),
  quiet_from: { ...timeOfDay, show: (minutes: unknown) => timeText(minutes) },
  quiet_to: { ...timeOfDay, show: (minutes: unknown) => timeText(minutes) },
  late_by: wholeNumber(60, 30 * DAY),
  is_enabled: flag,
};

function timeText(minutes: unknown): string | null {
  return typeof minutes === "number" ? formatTimeOfDay(minutes) : null;
}
