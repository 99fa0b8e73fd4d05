import type { Format } from "../../../pages/format.ts";
import type { ConsoleView } from "../../view.ts";
import { textName, unstopped } from "../../parts/phrases.ts";
import { listChannels } from "../../../../domain/around/messages/channels.ts";
import { formatTimeOfDay } from "../../../../domain/around/messages/quiet.ts";
import { type Rule, ruleById } from "../../../../domain/around/messages/rules.ts";
import { pathId } from "../../../form.ts";
import type { StaffVisit } from "../../guard.ts";
import { flagDoes } from "../../parts/flags.ts";
import { messagePages } from "../../parts/messages-frame.tsx";

export const RULES = messagePages.rules;
export const ruleHref = ({ id }: Pick<Rule, "id">) => `${RULES}/${id}`;
const HOUR = 3600;
const DAY = 24 * HOUR;

/** The rule of the address. Throws `not_found`. */
export function readRule({ db, by, params }: StaffVisit): Rule {
  return ruleById(db, by, { id: pathId("rule", params["id"] ?? null) });
}

export const channelNames = ({ db, by }: StaffVisit) =>
  new Map(listChannels(db, by).map(({ id, name }) => [id, name]));

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
  const sentence = messageRules.sentence(
    whenWords({ words, format }, rule),
    format.name(channels.get(rule.channelId) ?? ""),
    who,
    format.name(textName(words, rule.template)),
  );
  if (quietFrom === null || quietTo === null) return sentence;
  return sentence + messageRules.quiet(formatTimeOfDay(quietFrom), formatTimeOfDay(quietTo));
}

function whenWords(
  { words: { messageRules, told }, format }: Pick<ConsoleView, "format" | "words">,
  { on, eventType, offset }: Rule,
): string {
  if (on === "event") return eventType === null ? "" : unstopped(told.events[eventType]);
  const what = messageRules.of[on];
  if (offset === 0) return messageRules.at(what);
  const span = formatSpan(format, Math.abs(offset));
  return offset < 0 ? messageRules.before(span, what) : messageRules.after(span, what);
}

function formatSpan(format: Format, seconds: number): string {
  if (seconds % DAY === 0) return format.span(seconds / DAY, "day");
  return seconds % HOUR === 0
    ? format.span(seconds / HOUR, "hour")
    : format.span(Math.ceil(seconds / 60), "minute");
}
