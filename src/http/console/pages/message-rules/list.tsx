import { listChannels } from "../../../../domain/around/messages/channels.ts";
import { listRules } from "../../../../domain/around/messages/rules.ts";
import { usualRules } from "../../../../domain/around/messages/usual.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { Action, Button } from "../../../pages/parts/button.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { Table } from "../../../pages/parts/table.tsx";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { messagePages, MessagesFrame } from "../messages/head.tsx";
import { WithoutSms } from "../messages/without-sms.tsx";
import { channelNames, ruleHref, RULES, ruleSentence } from "./shown.ts";

/** Who is told what, when, in sentences. */
export function showRules(visit: StaffVisit): Response {
  const { db, by, view } = visit;
  const words = view.words.messageRules;
  const rules = listRules(db, by);
  const mayChange = may(by, "message_manage");
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
      {rules.length === 0 ? (
        <Nothing visit={visit} mayChange={mayChange} />
      ) : (
        <>
          <p class="sentence">{words.lead}</p>
          <WithoutSms visit={visit} />
          <Rows visit={visit} rules={rules} mayChange={mayChange} />
        </>
      )}
    </MessagesFrame>,
  );
}

const lacksUsual = (rules: ReturnType<typeof listRules>) =>
  usualRules.some((name) => !rules.some(({ template }) => template === name));

/** What comes first: a channel, and then the usual ones. */
function Nothing({ visit: { db, by, view }, mayChange }: { visit: StaffVisit; mayChange: boolean }) {
  const words = view.words.messageRules;
  const hasChannel = listChannels(db, by).length > 0;
  return (
    <section class="card">
      <Empty icon="chat" title={words.none} text={hasChannel ? words.noneText : words.noChannel}>
        {mayChange &&
          (hasChannel ? (
            <>
              <Button href={`${RULES}/usual`} kind="solid">
                {words.usual}
              </Button>
              <Button href={`${RULES}/new`}>{words.new}</Button>
            </>
          ) : (
            <Button href={`${messagePages.channels}/new`} kind="solid">
              {words.firstChannel}
            </Button>
          ))}
      </Empty>
    </section>
  );
}

interface RowsProps {
  visit: StaffVisit;
  rules: ReturnType<typeof listRules>;
  mayChange: boolean;
}

function Rows({ visit, rules, mayChange }: RowsProps) {
  const { view, formToken } = visit;
  const words = view.words.messageRules;
  const channels = channelNames(visit);
  const look = { "hx-get": RULES, "hx-trigger": "changed from:body", "hx-target": "#content" };
  return (
    <div id="rules" {...look} hx-select="#content" hx-swap="outerMorph">
      <Table
        caption={view.words.messages.titles.rules}
        columns={[
          { title: words.rule },
          { title: words.state },
          { title: <span class="unseen">{words.actions}</span>, end: true },
        ]}
        kind="short-rows"
      >
        {rules.map((rule) => {
          const isOn = rule.isEnabled === 1;
          return (
            <tr>
              <td class="lead wrap">
                <a href={`${ruleHref(rule)}/edit`}>
                  <bdi>{rule.name}</bdi>
                </a>
                <p class="rule-says soft-text">{ruleSentence(view, rule, channels)}</p>
              </td>
              <td>
                <Chip tone={isOn ? "good" : "quiet"}>{isOn ? words.on : words.off}</Chip>
              </td>
              <td class="end">
                {mayChange && (
                  <Action
                    action={`${ruleHref(rule)}/switch`}
                    formToken={formToken}
                    fields={{ on: isOn ? 0 : 1 }}
                    size="small"
                    label={`${isOn ? words.switchOff : words.switchOn}: ${rule.name}`}
                  >
                    {isOn ? words.switchOff : words.switchOn}
                  </Action>
                )}
              </td>
            </tr>
          );
        })}
      </Table>
    </div>
  );
}
