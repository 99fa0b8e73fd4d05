import { listChannels } from "../../../../domain/around/messages/channels.ts";
import { eventTypes } from "../../../../domain/core/events/types.ts";
import { formatTimeOfDay } from "../../../../domain/around/messages/quiet.ts";
import { type Rule, ruleOfId } from "../../../../domain/around/messages/rules.ts";
import { pathId } from "../../../form.ts";
import type { StaffVisit } from "../../guard.ts";
import { flagDoes } from "../team/flags.ts";
import { messagePages } from "../messages/head.tsx";

export const RULES = messagePages.rules;
export const ruleHref = ({ id }: Pick<Rule, "id">) => `${RULES}/${id}`;
const HOUR = 3600;
const DAY = 24 * HOUR;

/** What a text is called on pages: the ready ones are found by names that programs write. */
export function textName({ messageTexts }: StaffVisit["view"]["words"], name: string): string {
  const names: Readonly<Record<string, string>> = messageTexts.names;
  return names[name] ?? name;
}

/** The rule of the address. Throws `not_found`. */
export function ruleOf({ db, by, params }: StaffVisit): Rule {
  return ruleOfId(db, by, { id: pathId("rule", params["id"] ?? null) });
}

/** Names of channels by their ids. */
export const channelNames = ({ db, by }: StaffVisit) =>
  new Map(listChannels(db, by).map(({ id, name }) => [id, name]));

/** A rule in a sentence. */
export function ruleSentence(
  { words, format }: StaffVisit["view"],
  rule: Rule,
  channels: ReadonlyMap<number, string>,
): string {
  const { messageRules } = words;
  const { audience, flag, quietFrom, quietTo } = rule;
  const who =
    audience === "staff"
      ? messageRules.to.staff(flagDoes(words.team, flag ?? "") ?? flag ?? "")
      : messageRules.to[audience];
  const said = messageRules.sentence(
    whenWords(words, rule),
    format.name(channels.get(rule.channelId) ?? ""),
    who,
    format.name(textName(words, rule.template)),
  );
  if (quietFrom === null || quietTo === null) return said;
  return said + messageRules.quiet(formatTimeOfDay(quietFrom), formatTimeOfDay(quietTo));
}

function whenWords({ messageRules }: StaffVisit["view"]["words"], { on, eventType, offset }: Rule): string {
  if (on === "event") return eventType === null ? "" : eventTypes[eventType].says.replace(/\.$/, "");
  const what = messageRules.of[on];
  if (offset === 0) return messageRules.at(what);
  const span = spanWords(messageRules, Math.abs(offset));
  return offset < 0 ? messageRules.before(span, what) : messageRules.after(span, what);
}

function spanWords(
  { days, hours, minutes }: StaffVisit["view"]["words"]["messageRules"],
  seconds: number,
): string {
  if (seconds % DAY === 0) return days(seconds / DAY);
  return seconds % HOUR === 0 ? hours(seconds / HOUR) : minutes(Math.ceil(seconds / 60));
}
