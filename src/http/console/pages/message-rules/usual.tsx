import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { type Input, RepeatedField } from "../../../../domain/core/fields/fields.ts";
import { listChannels } from "../../../../domain/around/messages/channels.ts";
import { addUsualRules, usualRules } from "../../../../domain/around/messages/usual.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { attempt } from "../../attempt.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Note } from "../../../pages/note.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Check, Field, Select } from "../../../pages/parts/field.tsx";
import { page, said } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { IspField } from "../../isp-field.tsx";
import { MessagesFrame } from "../messages/head.tsx";
import { faultOf, typedIn } from "../team/form.tsx";
import { RULES } from "./shown.ts";

export function askUsual(visit: StaffVisit): Response {
  permit(visit.by, "createRule");
  return usualForm(visit);
}

export async function addUsual(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const words = view.words.messageRules;
  const ticked = input["on"];
  const on = ticked instanceof RepeatedField ? ticked.values : [ticked];
  const asked = {
    ...{
      ispId: Number(typedIn(input, "isp_id")) || null,
      channelId: Number(typedIn(input, "channel_id")) || 0,
    },
    ...{ on: on.filter((one) => typeof one === "string"), names: visit.view.words.messageTexts.names },
    ...{ quietFrom: typedIn(input, "quiet_from").trim(), quietTo: typedIn(input, "quiet_to").trim() },
  };
  const done = await attempt(visit, async () => addUsualRules(db, by, asked, { now }));
  if (done instanceof DomainError) return usualForm(visit, done);
  return said(visit, { kind: "good", title: words.usualDone }, RULES);
}

function usualForm(visit: StaffVisit, refused?: DomainError): Response {
  const { db, by, view, formToken } = visit;
  const words = view.words.messageRules;
  const channels = listChannels(db, by).filter(({ address }) => address !== "none");
  const named = ({ id, name }: { id: number; name: string }) => ({ value: id, label: name });
  return page(
    visit,
    <MessagesFrame visit={visit} current="rules" title={words.usual}>
      <form class="rule-form" method="post" action={`${RULES}/usual`}>
        <FormToken value={formToken} />
        <p class="sentence">{words.usualLead}</p>
        {refused && <Note kind="bad">{words.notSaved(refused.message)}</Note>}
        <Card title={words.usualOn}>
          <div class="rule-fields">
            {usualRules.map((name) => (
              <Check name="on" value={name} label={visit.view.words.messageTexts.names[name]} checked />
            ))}
          </div>
        </Card>
        <Card title={words.usualChannel}>
          <div class="rule-fields">
            <Select
              {...{ name: "channel_id", label: words.usualChannel, options: channels.map(named) }}
              fault={faultOf(refused, "channel_id")}
            />
            <IspField visit={visit} fault={faultOf(refused, "isp_id")} />
            <Field
              {...{ name: "quiet_from", label: words.quietFrom, value: "21:00", help: words.quietHelp }}
              fault={faultOf(refused, "quiet_from")}
            />
            <Field
              {...{ name: "quiet_to", label: words.quietTo, value: "08:00" }}
              fault={faultOf(refused, "quiet_to")}
            />
          </div>
        </Card>
        <div class="actions">
          <Button kind="solid" size="large">
            {words.usual}
          </Button>
          <Button href={RULES} size="large">
            {words.back}
          </Button>
        </div>
      </form>
    </MessagesFrame>,
    { status: refused ? 422 : 200 },
  );
}
