import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { byNameOnly, eventTypes, type EventType } from "../../../../domain/core/events/types.ts";
import { type Input, RepeatedField } from "../../../../domain/core/fields/fields.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import {
  createEndpoint,
  type Endpoint,
  endpointOfId,
  endpointSecret,
  updateEndpoint,
} from "../../../../domain/around/webhooks/endpoints.ts";
import { attempt } from "../../attempt.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Note } from "../../../pages/note.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Check, Field } from "../../../pages/parts/field.tsx";
import { page, said } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { IspField } from "../../isp-field.tsx";
import { doOnce, FormKey } from "../money/keyed.tsx";
import { SettingsFrame } from "../settings/head.tsx";
import { faultOf, typedIn } from "../team/form.tsx";
import { showSecret } from "./secret.tsx";
import {
  EVERYTHING,
  type HookGroup,
  hookGroups,
  hookHref,
  hookOf,
  hostOf,
  typesOf,
  WEBHOOKS,
} from "./shown.ts";

/** What stands in the form. */
interface Typed {
  readonly url: string;
  readonly note: string;
  readonly types: ReadonlySet<string>;
  readonly allowLocal: boolean;
  readonly isp_id: string;
}

const nothing: Typed = { url: "", note: "", types: new Set(), allowLocal: false, isp_id: "" };

export function newWebhook(visit: StaffVisit): Response {
  permit(visit.by, "createEndpoint");
  return form(visit, { typed: nothing });
}

export async function create(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now } = visit;
  const typed = typedOf(input);
  let secret: string | undefined;
  const done = await doOnce(visit, `${WEBHOOKS}/new`, input, (tx) => () => {
    const made = createEndpoint(tx, by, sentOf(visit, typed), { now });
    secret = made.secret;
    return { id: made.endpoint.id };
  });
  if (done instanceof DomainError) return form(visit, { typed, key: typedIn(input, "key"), refused: done });
  secret ??= endpointSecret(db, by, done, { now });
  return showSecret(visit, endpointOfId(db, by, done), { secret, why: "made" });
}

export function editWebhook(visit: StaffVisit): Response {
  const endpoint = hookOf(visit);
  const { url, note, allowLocal } = endpoint;
  const typed = { url, note: note ?? "", types: new Set(typesOf(endpoint)), isp_id: "" };
  return form(visit, { endpoint, typed: { ...typed, allowLocal: allowLocal === 1 } });
}

export async function save(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const endpoint = hookOf(visit);
  const typed = typedOf(input);
  const { isp_id: _, ...sent } = sentOf(visit, typed);
  const done = await attempt(visit, async () =>
    updateEndpoint(db, by, { id: endpoint.id, input: sent }, { now }),
  );
  if (done instanceof DomainError) return form(visit, { endpoint, typed, refused: done });
  const { webhooks } = view.words;
  return said(visit, { kind: "good", title: webhooks.saved, text: webhooks.savedText }, hookHref(endpoint));
}

function typedOf(input: Input): Typed {
  const { type } = input;
  const types = type instanceof RepeatedField ? type.values : [type];
  return {
    ...{ url: typedIn(input, "url"), note: typedIn(input, "note"), isp_id: typedIn(input, "isp_id") },
    types: new Set(types.filter((one) => typeof one === "string")),
    allowLocal: input["allow_local"] === "1",
  };
}

/** With everything ticked the rest says nothing more, but for what has to be named. */
function sentOf({ by }: StaffVisit, { url, note, types, allowLocal, isp_id }: Typed): Input {
  const isNamed = (type: string) => type === EVERYTHING || [...byNameOnly].some((one) => one === type);
  const asked = [...types].filter((type) => !types.has(EVERYTHING) || isNamed(type));
  return {
    ...{ url, types: asked.join(", "), note: note === "" ? null : note },
    ...(by.admin && { allow_local: allowLocal ? 1 : 0 }),
    isp_id,
  };
}

interface FormProps {
  readonly endpoint?: Endpoint;
  readonly typed: Typed;
  /** Of a new one, as it was sent. */
  readonly key?: string;
  readonly refused?: DomainError;
}

function form(visit: StaffVisit, { endpoint, typed, key = "", refused }: FormProps): Response {
  const { view, formToken } = visit;
  const { webhooks } = view.words;
  const title = endpoint ? webhooks.editTitle(view.format.name(hostOf(endpoint))) : webhooks.new;
  const back = endpoint ? hookHref(endpoint) : WEBHOOKS;
  const action = endpoint ? `${back}/edit` : `${WEBHOOKS}/new`;
  return page(
    visit,
    <SettingsFrame visit={visit} current="webhooks" title={title}>
      <form class="hook-form" method="post" action={action}>
        <FormToken value={formToken} />
        {!endpoint && <FormKey value={key} />}
        {refused && <Note kind="bad">{webhooks.notSaved(refused.message)}</Note>}
        <Where visit={visit} typed={typed} refused={refused} isNew={!endpoint} />
        <Hears visit={visit} typed={typed} fault={faultOf(refused, "types")} />
        <div class="actions">
          <Button kind="solid" size="large">
            {endpoint ? webhooks.save : webhooks.make}
          </Button>
          <Button href={back} size="large">
            {webhooks.back}
          </Button>
        </div>
      </form>
    </SettingsFrame>,
    { status: refused ? 422 : 200 },
  );
}

interface WhereProps {
  visit: StaffVisit;
  typed: Typed;
  refused: DomainError | undefined;
  isNew: boolean;
}

function Where({ visit, typed, refused, isNew }: WhereProps) {
  const { by, view } = visit;
  const { webhooks } = view.words;
  return (
    <Card title={webhooks.where}>
      <div class="hook-where">
        <Field
          name="url"
          label={webhooks.address}
          help={webhooks.addressHelp}
          fault={faultOf(refused, "url")}
          value={typed.url}
          required
          attributes={{
            maxlength: 2000,
            inputmode: "url",
            autocomplete: "off",
            spellcheck: "false",
            autofocus: isNew,
          }}
        />
        <Field
          name="note"
          label={webhooks.note}
          help={webhooks.noteHelp}
          fault={faultOf(refused, "note")}
          value={typed.note}
          attributes={{ maxlength: 200, autocomplete: "off" }}
        />
        {isNew && (
          <IspField
            visit={visit}
            typed={typed.isp_id}
            fault={faultOf(refused, "isp_id")}
            besides={{ label: webhooks.everyIsp }}
          />
        )}
        {by.admin && (
          <div class="hook-local">
            <Check name="allow_local" label={webhooks.local} checked={typed.allowLocal} />
            <p class="hint">{webhooks.localHelp}</p>
          </div>
        )}
      </div>
    </Card>
  );
}

interface HearsProps {
  visit: StaffVisit;
  typed: Typed;
  fault: string | undefined;
}

function Hears({ visit: { view }, typed, fault }: HearsProps) {
  const { webhooks } = view.words;
  return (
    <Card title={webhooks.hears} lead={webhooks.hearsLead} kind="hook-hears">
      {fault !== undefined && <p class="fault">{fault}</p>}
      <Tick type={EVERYTHING} name={webhooks.everything} text={webhooks.everythingText} typed={typed} />
      <div class="hook-groups">
        {[...hookGroups].map(([group, types]) => (
          <Group title={webhooks.groups[group]} group={group} types={types} typed={typed} />
        ))}
      </div>
    </Card>
  );
}

interface GroupProps {
  title: string;
  group: HookGroup;
  types: readonly EventType[];
  typed: Typed;
}

function Group({ title, group, types, typed }: GroupProps) {
  return (
    <fieldset class={group === "session" ? "hook-group" : "hook-group in-everything"}>
      <legend class="legend">{title}</legend>
      {types.map((type) => (
        <Tick type={type} name={type} text={eventTypes[type].says} typed={typed} />
      ))}
    </fieldset>
  );
}

function Tick({ type, name, text, typed }: { type: string; name: string; text: string; typed: Typed }) {
  const id = type === EVERYTHING ? "everything" : type.replaceAll(".", "-");
  return (
    <label class="hook-tick">
      <input
        type="checkbox"
        name="type"
        value={type}
        checked={typed.types.has(type)}
        aria-describedby={`says-${id}`}
      />
      <span>{name}</span>
      <span id={`says-${id}`} class="hint">
        {text}
      </span>
    </label>
  );
}
