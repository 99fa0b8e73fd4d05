import type { Input } from "../../../../domain/core/fields/fields.ts";
import { languageTags } from "../../../../domain/core/fields/languages.ts";
import { momentsAhead, MOST } from "../../../../domain/around/messages/ahead.ts";
import { listChannels } from "../../../../domain/around/messages/channels.ts";
import { formatTimeOfDay } from "../../../../domain/around/messages/quiet.ts";
import { audiences, ruleTypes } from "../../../../domain/around/messages/rule-fields.ts";
import { createRule, deleteRule, type Rule, updateRule } from "../../../../domain/around/messages/rules.ts";
import { listTemplates } from "../../../../domain/around/messages/templates.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { languages } from "../../../words/languages.ts";
import type { StaffVisit } from "../../guard.ts";
import type { ConsoleView } from "../../view.ts";
import { ispFields } from "../../isp-field.tsx";
import { durationField, durationText, secondsIn } from "../../parts/duration.ts";
import type { FormField, Values } from "../../parts/field.tsx";
import { form } from "../../parts/form.tsx";
import { MessagesFrame } from "../../parts/messages-frame.tsx";
import { flagDoes, flagNames } from "../../parts/flags.ts";
import { readRule, ruleHref, RULES } from "./words.ts";
import { textName } from "../../parts/phrases.ts";

/** What stands in the form of a new rule. */
const freshIn = ({ format }: ConsoleView): Values => ({
  when: "expiry",
  duration: format.span(3, "day"),
  side: "before",
  audience: "subscriber",
  quiet_from: "21:00",
  quiet_to: "08:00",
  late_by: format.span(6, "hour"),
  is_enabled: "1",
});

function asInput(view: ConsoleView, rule: Rule): Values {
  const { on, eventType, offset, quietFrom, quietTo } = rule;
  return {
    name: rule.name,
    when: on === "event" ? `event:${eventType}` : on,
    duration: durationText(view, Math.abs(offset)),
    side: offset > 0 ? "after" : "before",
    audience: rule.audience,
    flag: rule.flag ?? "",
    channel_id: String(rule.channelId),
    template: rule.template,
    late_by: durationText(view, rule.lateBy),
    is_enabled: String(rule.isEnabled),
    quiet_from: quietFrom === null ? "" : formatTimeOfDay(quietFrom),
    quiet_to: quietTo === null ? "" : formatTimeOfDay(quietTo),
  };
}

/** Input as the domain reads it; what is no duration goes as it was typed, to be refused in words. */
function toInput(view: ConsoleView, values: Values): Input {
  const when = values["when"] ?? "";
  const isEvent = when.startsWith("event:");
  const length = secondsIn(view, values["duration"] ?? "", "day");
  const offset = length && (values["side"] === "after" ? length : -length);
  return {
    name: values["name"] ?? "",
    on: isEvent ? "event" : when,
    audience: values["audience"] ?? "",
    event_type: isEvent ? when.slice("event:".length) : "",
    offset: isEvent ? 0 : (offset ?? values["duration"] ?? ""),
    flag: values["audience"] === "staff" ? (values["flag"] ?? "") : "",
    channel_id: values["channel_id"] ?? "",
    template: values["template"] ?? "",
    quiet_from: values["quiet_from"] ?? "",
    quiet_to: values["quiet_to"] ?? "",
    late_by: secondsIn(view, values["late_by"] ?? "", "hour") ?? values["late_by"] ?? "",
    is_enabled: values["is_enabled"] === "1" ? 1 : 0,
  };
}

type Named = Extract<FormField, { label: string }>;

function buildGroups(visit: StaffVisit, values: Values, rule?: Rule) {
  const words = visit.view.words.messageRules;
  const stored = rule ? asInput(visit.view, rule) : freshIn(visit.view);
  const filled = (field: Named): FormField => ({ value: stored[field.name], ...field });
  const whose = rule ? [] : ispFields(visit);
  const template = values["template"] ?? stored["template"];
  return [
    { title: words.when, fields: whenFields(visit).map(filled) },
    { title: words.rule, fields: [...whatFields(visit, template).map(filled), ...whose] },
    { title: words.state, fields: hoursFields(visit).map(filled) },
  ];
}

function whenFields({ view }: StaffVisit): Named[] {
  const words = view.words.messageRules;
  const events = ruleTypes.map((type) => ({ value: `event:${type}`, label: view.words.told.events[type] }));
  const ends = [
    { value: "expiry", label: words.whenEnd },
    { value: "due", label: words.whenDue },
  ];
  const sides = (["before", "after"] as const).map((value) => ({ value, label: words.sides[value] }));
  return [
    { name: "when", faultOf: ["on", "event_type"], label: words.when, options: [...ends, ...events] },
    { ...durationField(view, "day"), name: "duration", faultOf: "offset", label: words.duration },
    { name: "side", label: words.side, options: sides },
  ];
}

function whatFields({ db, by, view }: StaffVisit, template: string | undefined): Named[] {
  const words = view.words.messageRules;
  const texts = listTemplates(db, by);
  const names = [...new Set(texts.map(({ name }) => name))];
  const chosen = texts.filter(({ name }) => name === (template || names[0]));
  const lacking = languageTags.filter((tag) => !chosen.some(({ language }) => language === tag));
  const lacks = languages.filter(({ tag }) => lacking.some((one) => one === tag)).map(({ name }) => name);
  const isLacking = lacks.length > 0 && chosen.length > 0;
  const flags = flagNames.map((flag) => ({ value: flag, label: flagDoes(view.words.team, flag) ?? flag }));
  return [
    { name: "name", label: words.name, required: true, max: 80 },
    {
      name: "audience",
      label: words.whom,
      options: audiences.map((value) => ({ value, label: words.audiences[value] })),
    },
    {
      name: "flag",
      label: words.flag,
      options: [{ value: "", label: words.noFlag }, ...flags],
    },
    {
      name: "channel_id",
      label: words.channel,
      options: listChannels(db, by).map(({ id, name }) => ({ value: id, label: name })),
    },
    {
      name: "template",
      label: words.text,
      help: isLacking ? words.lacksLanguages(lacks.join(view.words.list.comma)) : words.textHelp,
      options: names.map((name) => ({ value: name, label: textName(view.words, name) })),
    },
  ];
}

function hoursFields({ view }: StaffVisit): Named[] {
  const words = view.words.messageRules;
  return [
    { name: "quiet_from", label: words.quietFrom, help: words.quietHelp, max: 6 },
    { name: "quiet_to", label: words.quietTo, max: 6 },
    {
      ...durationField(view, "hour"),
      name: "late_by",
      label: words.lateBy,
      help: words.lateHelp,
    },
    { name: "is_enabled", as: "tick", label: words.enabled },
  ];
}

const add = form({
  path: `${RULES}/new`,
  permit: "createRule",
  of: () => undefined,
  content: (visit, _, values) => {
    const words = visit.view.words.messageRules;
    return {
      title: words.newTitle,
      back: RULES,
      submit: words.make,
      groups: buildGroups(visit, values),
      frame: (children) => (
        <MessagesFrame visit={visit} current="rules" title={words.newTitle} children={children} />
      ),
    };
  },
  once: (): { id?: number } => ({}),
  save: ({ db, by, now, view }, _, values): { id?: number } =>
    createRule(db, by, { ...toInput(view, values), isp_id: values["isp_id"] ?? "" }, { now }),
  done: ({ view: { words } }) => words.messageRules.made,
});

const edit = form({
  path: `${RULES}/:id/edit`,
  of: readRule,
  content: (visit, rule, values) => {
    const { by, view } = visit;
    const words = view.words.messageRules;
    const title = view.format.name(rule.name);
    const mayChange = may(by, "message_manage");
    const actions = mayChange && (
      <Button href={`${ruleHref(rule)}/delete`} kind="danger" drawer>
        {words.delete}
      </Button>
    );
    return {
      title,
      back: RULES,
      text: <Ahead visit={visit} rule={rule} />,
      ...(mayChange && { submit: words.save }),
      groups: buildGroups(visit, values, rule),
      frame: (children) => (
        <MessagesFrame visit={visit} current="rules" title={title} actions={actions} children={children} />
      ),
    };
  },
  save: ({ db, by, now, view }, { id }, values) =>
    updateRule(db, by, { id, input: toInput(view, values) }, { now }),
  done: ({ view: { words } }) => words.messageRules.saved,
});

const removal = form({
  path: `${RULES}/:id/delete`,
  permit: "deleteRule",
  of: readRule,
  content: ({ view }, rule) => {
    const words = view.words.messageRules;
    return {
      title: words.deleteTitle(view.format.name(rule.name)),
      back: RULES,
      place: "messages",
      submit: words.delete,
      danger: true,
      leaves: true,
      text: <p>{words.deleteText}</p>,
    };
  },
  save: ({ db, by, now }, { id }) => deleteRule(db, by, { id }, { now }),
  done: ({ view: { words } }) => words.messageRules.deleted,
});

export const ruleForms = [...add, ...edit, ...removal];

function Ahead({ visit: { db, by, now, view }, rule }: { visit: StaffVisit; rule: Rule }) {
  const words = view.words.messageRules;
  const count = momentsAhead(db, by, rule, { now });
  if (count === undefined) return null;
  const text = view.format.number(Math.min(count, MOST));
  return <p class="sentence">{count > MOST ? words.aheadMore(text) : words.ahead(count)}</p>;
}
