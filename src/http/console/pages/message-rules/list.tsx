import { listRules, type Rule } from "../../../../domain/around/messages/rules.ts";
import { usualRules } from "../../../../domain/around/messages/usual.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { Action, Button } from "../../../pages/parts/button.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { list } from "../../parts/list.tsx";
import { messagePages, MessagesFrame } from "../../parts/messages-frame.tsx";
import { WithoutSms } from "../../parts/without-sms.tsx";
import { channelNames, ruleHref, RULES, ruleSentence } from "./words.ts";

export function showRules(visit: StaffVisit): Response {
  const { db, by, view } = visit;
  const words = view.words.messageRules;
  const rules = listRules(db, by);
  const mayChange = may(by, "message_manage");
  const look = {
    "hx-get": RULES,
    "hx-trigger": "changed from:body",
    "hx-target": "#content",
    "hx-select": "#content",
    "hx-swap": "outerMorph",
  };
  return page(
    visit,
    <MessagesFrame
      visit={visit}
      current="rules"
      actions={
        mayChange && rules.length > 0 ? (
          <>
            {lacksUsual(rules) && <Button href={`${RULES}/usual`}>{words.usual}</Button>}
            <Button href={`${RULES}/new`} kind="solid" icon="plus" dataKey="n" showKey="N">
              {words.new}
            </Button>
          </>
        ) : undefined
      }
    >
      {rules.length > 0 && (
        <>
          <p class="sentence">{words.lead}</p>
          <WithoutSms visit={visit} />
        </>
      )}
      <div id="rules" {...look}>
        <Rules visit={visit} rows={rules} />
      </div>
    </MessagesFrame>,
  );
}

const lacksUsual = (rules: ReturnType<typeof listRules>) =>
  usualRules.some((name) => !rules.some(({ template }) => template === name));

/** The next step: a channel, then the usual rules. */
function noRules({ by, view }: StaffVisit, hasChannel: boolean) {
  const words = view.words.messageRules;
  const usual = (
    <>
      <Button href={`${RULES}/usual`} kind="solid">
        {words.usual}
      </Button>
      <Button href={`${RULES}/new`}>{words.new}</Button>
    </>
  );
  const channel = (
    <Button href={`${messagePages.channels}/new`} kind="solid">
      {words.firstChannel}
    </Button>
  );
  return {
    title: words.none,
    text: hasChannel ? words.noneText : words.noChannel,
    first: may(by, "message_manage") ? (hasChannel ? usual : channel) : undefined,
  };
}

export const Rules = list<Rule>((visit) => {
  const { view, formToken, by } = visit;
  const words = view.words.messageRules;
  const channels = channelNames(visit);
  return {
    name: view.words.messages.titles.rules,
    call: "listRules",
    columns: [
      {
        title: words.rule,
        cell: (rule) => (
          <>
            <a href={`${ruleHref(rule)}/edit`}>
              <bdi>{rule.name}</bdi>
            </a>
            <p class="wraps soft-text">{ruleSentence(view, rule, channels)}</p>
          </>
        ),
        narrow: "lead",
        kind: "wrap",
      },
      {
        title: words.state,
        cell: ({ isEnabled }) => (
          <Chip tone={isEnabled === 1 ? "good" : "quiet"}>{isEnabled === 1 ? words.on : words.off}</Chip>
        ),
      },
      {
        title: <span class="unseen">{words.actions}</span>,
        cell: (rule) => {
          const press = rule.isEnabled === 1 ? words.switchOff : words.switchOn;
          return (
            may(by, "message_manage") && (
              <Action
                action={`${ruleHref(rule)}/switch`}
                formToken={formToken}
                fields={{ on: rule.isEnabled === 1 ? 0 : 1 }}
                size="small"
                label={`${press}${visit.view.words.list.colon}${rule.name}`}
              >
                {press}
              </Action>
            )
          );
        },
        end: true,
      },
    ],
    empty: { icon: "chat", ...noRules(visit, channels.size > 0) },
  };
});
