import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { eventTypes } from "../../../../domain/core/events/types.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { languageTags } from "../../../../domain/core/fields/languages.ts";
import { momentsAhead, MOST } from "../../../../domain/around/messages/ahead.ts";
import { listChannels } from "../../../../domain/around/messages/channels.ts";
import { formatTimeOfDay } from "../../../../domain/around/messages/quiet.ts";
import { audiences, ruleTypes } from "../../../../domain/around/messages/rule-fields.ts";
import { createRule, type Rule, updateRule } from "../../../../domain/around/messages/rules.ts";
import { listTemplates } from "../../../../domain/around/messages/templates.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { attempt } from "../../attempt.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Note } from "../../../pages/note.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Check, Field, Select } from "../../../pages/parts/field.tsx";
import { languages } from "../../../words/languages.ts";
import { page, said } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { IspField } from "../../isp-field.tsx";
import { MessagesFrame } from "../messages/head.tsx";
import { flagNames } from "../team/flags.ts";
import { faultOf, typedIn } from "../team/form.tsx";
import { flagDoes } from "../team/flags.ts";
import { ruleHref, ruleOf, RULES, textName } from "./shown.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;
const names = [
  ...["name", "when", "count", "unit", "side", "audience", "flag", "channel_id", "template"],
  ...["quiet_from", "quiet_to", "late_by", "is_enabled", "isp_id"],
] as const;
type Typed = Readonly<Record<string, string>>;

const fresh: Typed = {
  ...{ when: "expiry", count: "3", unit: "days", side: "before", audience: "subscriber" },
  ...{ quiet_from: "21:00", quiet_to: "08:00", late_by: "6", is_enabled: "1" },
};

export function newRule(visit: StaffVisit): Response {
  permit(visit.by, "createRule");
  return form(visit, { typed: fresh });
}

export async function create(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const typed = typedOf(input);
  const sent = { ...sentOf(typed), isp_id: typed["isp_id"] ?? "" };
  const done = await attempt(visit, async () => createRule(db, by, sent, { now }));
  if (done instanceof DomainError) return form(visit, { typed, refused: done });
  return said(visit, { kind: "good", title: view.words.messageRules.made }, RULES);
}

export function editRule(visit: StaffVisit): Response {
  const rule = ruleOf(visit);
  return form(visit, { rule, typed: asTyped(rule) });
}

export async function save(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const rule = ruleOf(visit);
  const typed = typedOf(input);
  const done = await attempt(visit, async () =>
    updateRule(db, by, { id: rule.id, input: sentOf(typed) }, { now }),
  );
  if (done instanceof DomainError) return form(visit, { rule, typed, refused: done });
  return said(visit, { kind: "good", title: view.words.messageRules.saved }, RULES);
}

const typedOf = (input: Input): Typed =>
  Object.fromEntries(names.map((name) => [name, typedIn(input, name).trim()]));

function asTyped(rule: Rule): Typed {
  const { on, eventType, offset, quietFrom, quietTo } = rule;
  const span = Math.abs(offset);
  const unit = span % DAY === 0 ? "days" : "hours";
  return {
    ...{ name: rule.name, when: on === "event" ? `event:${eventType}` : on },
    ...{ count: String(span / (unit === "days" ? DAY : HOUR)), unit, side: offset > 0 ? "after" : "before" },
    ...{ audience: rule.audience, flag: rule.flag ?? "", channel_id: String(rule.channelId) },
    ...{ template: rule.template, late_by: String(rule.lateBy / HOUR), is_enabled: String(rule.isEnabled) },
    quiet_from: quietFrom === null ? "" : formatTimeOfDay(quietFrom),
    quiet_to: quietTo === null ? "" : formatTimeOfDay(quietTo),
  };
}

/** As the domain reads it; what is no number goes as it was typed, to be refused in words. */
function sentOf(typed: Typed): Input {
  const when = typed["when"] ?? "";
  const isEvent = when.startsWith("event:");
  const each = typed["unit"] === "hours" ? HOUR : DAY;
  const sign = typed["side"] === "after" ? 1 : -1;
  return {
    ...{ name: typed["name"] ?? "", on: isEvent ? "event" : when, audience: typed["audience"] ?? "" },
    event_type: isEvent ? when.slice("event:".length) : "",
    offset: isEvent ? 0 : times(typed["count"] ?? "", sign * each),
    flag: typed["audience"] === "staff" ? (typed["flag"] ?? "") : "",
    ...{ channel_id: typed["channel_id"] ?? "", template: typed["template"] ?? "" },
    ...{ quiet_from: typed["quiet_from"] ?? "", quiet_to: typed["quiet_to"] ?? "" },
    late_by: times(typed["late_by"] ?? "", HOUR),
    is_enabled: typed["is_enabled"] === "1" ? 1 : 0,
  };
}

function times(text: string, factor: number): number | string {
  const value = Number(text);
  return text === "" || Number.isNaN(value) ? text : Math.round(value * factor) + 0;
}

interface FormProps {
  readonly rule?: Rule;
  readonly typed: Typed;
  readonly refused?: DomainError;
}

function form(visit: StaffVisit, { rule, typed, refused }: FormProps): Response {
  const { by, view, formToken } = visit;
  const words = view.words.messageRules;
  const mayChange = may(by, "message_manage");
  const title = rule ? view.format.name(rule.name) : words.newTitle;
  const actions = rule && mayChange && (
    <Button href={`${ruleHref(rule)}/delete`} kind="danger" drawer>
      {words.delete}
    </Button>
  );
  return page(
    visit,
    <MessagesFrame visit={visit} current="rules" title={title} actions={actions}>
      <form class="rule-form" method="post" action={rule ? `${ruleHref(rule)}/edit` : `${RULES}/new`}>
        <FormToken value={formToken} />
        {refused && <Note kind="bad">{words.notSaved(refused.message)}</Note>}
        {rule && <Ahead visit={visit} rule={rule} />}
        <When visit={visit} typed={typed} refused={refused} />
        <What visit={visit} typed={typed} refused={refused} isNew={!rule} />
        <Hours visit={visit} typed={typed} refused={refused} />
        <div class="actions">
          {mayChange && (
            <Button kind="solid" size="large">
              {rule ? words.save : words.make}
            </Button>
          )}
          <Button href={RULES} size="large">
            {words.back}
          </Button>
        </div>
      </form>
    </MessagesFrame>,
    { status: refused ? 422 : 200 },
  );
}

function Ahead({ visit: { db, by, now, view }, rule }: { visit: StaffVisit; rule: Rule }) {
  const words = view.words.messageRules;
  const count = momentsAhead(db, by, rule, { now });
  if (count === undefined) return null;
  const said = view.format.number(Math.min(count, MOST));
  return <p class="sentence">{count > MOST ? words.aheadMore(said) : words.ahead(count, said)}</p>;
}

interface PartProps {
  visit: StaffVisit;
  typed: Typed;
  refused: DomainError | undefined;
}

/** A choice among what there are words for. */
function Choice({
  typed,
  refused,
  name,
  fault = name,
  ...rest
}: Omit<PartProps, "visit"> & {
  name: string;
  fault?: string;
  label: string;
  help?: string;
  options: readonly { value: string | number; label: string }[];
}) {
  return <Select {...{ name, ...rest, value: typed[name] ?? "", fault: faultOf(refused, fault) }} />;
}

function When({ visit, typed, refused }: PartProps) {
  const words = visit.view.words.messageRules;
  const shared = { typed, refused };
  const options = [
    { value: "expiry", label: words.whenEnd },
    { value: "due", label: words.whenDue },
    ...ruleTypes.map((type) => ({ value: `event:${type}`, label: eventTypes[type].says })),
  ];
  return (
    <Card title={words.when}>
      <div class="rule-fields">
        <Choice {...shared} name="when" label={words.when} fault="event_type" options={options} />
        <div class="rule-offset">
          <Field
            {...{ name: "count", label: words.count, value: typed["count"] ?? "" }}
            fault={faultOf(refused, "offset")}
            attributes={{ inputmode: "numeric", maxlength: 4, autocomplete: "off" }}
          />
        </div>
        <div class="rule-offset">
          <Choice
            {...{ ...shared, name: "unit", label: words.unit }}
            options={[
              { value: "days", label: words.unitDays },
              { value: "hours", label: words.unitHours },
            ]}
          />
        </div>
        <div class="rule-offset">
          <Choice
            {...{ ...shared, name: "side", label: words.side }}
            options={(["before", "after"] as const).map((value) => ({ value, label: words.sides[value] }))}
          />
        </div>
      </div>
    </Card>
  );
}

function What({ visit, typed, refused, isNew }: PartProps & { isNew: boolean }) {
  const { db, by, view } = visit;
  const words = view.words.messageRules;
  const shared = { typed, refused };
  const texts = listTemplates(db, by);
  const textNames = [...new Set(texts.map(({ name }) => name))];
  const chosen = texts.filter(({ name }) => name === (typed["template"] || textNames[0]));
  const lacking = languageTags.filter((tag) => !chosen.some(({ language }) => language === tag));
  const lacks = languages.filter(({ tag }) => lacking.some((one) => one === tag)).map(({ name }) => name);
  const named = ({ id, name }: { id: number; name: string }) => ({ value: id, label: name });
  return (
    <Card title={words.rule}>
      <div class="rule-fields">
        <Field
          {...{ name: "name", label: words.name, value: typed["name"] ?? "", required: true }}
          fault={faultOf(refused, "name")}
          attributes={{ maxlength: 80, autocomplete: "off" }}
        />
        <Choice
          {...{ ...shared, name: "audience", label: words.whom }}
          options={audiences.map((value) => ({ value, label: words.audiences[value] }))}
        />
        <div class="rule-flag">
          <Choice
            {...{ ...shared, name: "flag", label: words.flag }}
            options={[
              { value: "", label: words.noFlag },
              ...flagNames.map((flag) => ({ value: flag, label: flagDoes(view.words.team, flag) ?? flag })),
            ]}
          />
        </div>
        <Choice
          {...{ ...shared, name: "channel_id", label: words.channel }}
          options={listChannels(db, by).map(named)}
        />
        <Choice
          {...{ ...shared, name: "template", label: words.text }}
          help={
            lacks.length > 0 && chosen.length > 0 ? words.lacksLanguages(lacks.join(", ")) : words.textHelp
          }
          options={textNames.map((name) => ({ value: name, label: textName(view.words, name) }))}
        />
        {isNew && <IspField visit={visit} typed={typed["isp_id"]} fault={faultOf(refused, "isp_id")} />}
      </div>
    </Card>
  );
}

function Hours({ visit, typed, refused }: PartProps) {
  const words = visit.view.words.messageRules;
  const fields = [
    ["quiet_from", words.quietFrom, words.quietHelp],
    ["quiet_to", words.quietTo, undefined],
    ["late_by", words.lateBy, words.lateHelp],
  ] as const;
  return (
    <Card title={words.state}>
      <div class="rule-fields">
        {fields.map(([name, label, help]) => (
          <Field
            {...{ name, label, value: typed[name] ?? "", fault: faultOf(refused, name) }}
            {...(help !== undefined && { help })}
            attributes={{ maxlength: 6, autocomplete: "off" }}
          />
        ))}
        <Check name="is_enabled" label={words.enabled} checked={typed["is_enabled"] === "1"} />
      </div>
    </Card>
  );
}
