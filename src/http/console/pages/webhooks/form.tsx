import { byNameOnly, type EventType } from "../../../../domain/core/events/types.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import {
  createEndpoint,
  type Endpoint,
  endpointById,
  endpointSecret,
  updateEndpoint,
} from "../../../../domain/around/webhooks/endpoints.ts";
import type { StaffVisit } from "../../guard.ts";
import { ispFields } from "../../isp-field.tsx";
import type { Values } from "../../parts/field.tsx";
import { form } from "../../parts/form.tsx";
import type { ConsoleView } from "../../view.ts";
import { SettingsFrame } from "../../parts/settings-frame.tsx";
import { showSecret } from "./secret.tsx";
import { EVERYTHING, type HookGroup, hookGroups, hookHost, parseTypes, readHook } from "./words.ts";
import { hookHref, WEBHOOKS } from "../../parts/hrefs.ts";

/** The ISP on creation only. */
function buildGroups(visit: StaffVisit, endpoint?: Endpoint) {
  const { by, view } = visit;
  const { webhooks: words } = view.words;
  const address = { inputmode: "url", spellcheck: "false", autofocus: !endpoint };
  const local = { name: "allow_local", as: "tick", label: words.local, help: words.localHelp } as const;
  return [
    {
      title: words.where,
      fields: [
        {
          name: "url",
          label: words.address,
          help: words.addressHelp,
          value: endpoint?.url,
          required: true,
          max: 2000,
          attributes: address,
        },
        { name: "note", label: words.note, help: words.noteHelp, value: endpoint?.note ?? "", max: 200 },
        ...(endpoint ? [] : ispFields(visit, { besides: { label: words.everyIsp } })),
        ...(by.admin ? [{ ...local, value: endpoint?.allowLocal }] : []),
      ],
    },
    {
      title: words.hears,
      lead: words.hearsLead,
      fields: [
        {
          name: "type",
          faultOf: "types",
          kind: "wide",
          value: endpoint ? parseTypes(endpoint).join(", ") : "",
          show: ({ value = "", fault }: { value: string | undefined; fault: string | undefined }) => (
            <Subscribed view={view} types={new Set(value.split(", "))} fault={fault} />
          ),
        },
      ],
    },
  ];
}

/** "Everything" replaces ticks, but for types that have to be named. */
function toInput({ type = "", note = "", ...values }: Values): Input {
  const types = type.split(", ");
  const isNamed = (one: string) => one === EVERYTHING || [...byNameOnly].some((named) => named === one);
  const chosen = types.filter((one) => !types.includes(EVERYTHING) || isNamed(one));
  return { ...values, note: note === "" ? null : note, types: chosen.join(", ") };
}

/** The secret is shown to the first press alone. */
interface Made {
  readonly id: number;
  readonly secret?: string;
}

const add = form({
  path: `${WEBHOOKS}/new`,
  permit: "createEndpoint",
  of: () => undefined,
  content: (visit) => {
    const { webhooks: words } = visit.view.words;
    return {
      title: words.new,
      back: WEBHOOKS,
      submit: words.make,
      groups: buildGroups(visit),
      frame: (children) => (
        <SettingsFrame visit={visit} current="webhooks" title={words.new} children={children} />
      ),
    };
  },
  once: ({ id }): Made => ({ id }),
  save: ({ db, by, now }, _, values): Made => {
    const { endpoint, secret } = createEndpoint(db, by, { isp_id: "", ...toInput(values) }, { now });
    return { id: endpoint.id, secret };
  },
  done: (visit, { id, secret }) => {
    const { db, by, now } = visit;
    const secretText = secret ?? endpointSecret(db, by, { id }, { now });
    return showSecret(visit, endpointById(db, by, { id }), { secret: secretText, why: "made" });
  },
});

const edit = form({
  path: `${WEBHOOKS}/:id/edit`,
  of: readHook,
  content: (visit, endpoint) => {
    const { webhooks: words } = visit.view.words;
    const title = words.editTitle(visit.view.format.name(hookHost(endpoint)));
    return {
      title,
      back: hookHref(endpoint),
      submit: words.save,
      groups: buildGroups(visit, endpoint),
      frame: (children) => (
        <SettingsFrame visit={visit} current="webhooks" title={title} children={children} />
      ),
    };
  },
  save: ({ db, by, now }, { id }, values) => updateEndpoint(db, by, { id, input: toInput(values) }, { now }),
  done: ({ view: { words } }) => ({ title: words.webhooks.saved, text: words.webhooks.savedText }),
});

export const webhookForms = [...add, ...edit];

interface EventListProps {
  view: ConsoleView;
  types: ReadonlySet<string>;
  fault: string | undefined;
}

function Subscribed({ view, types, fault }: EventListProps) {
  const { webhooks } = view.words;
  return (
    <>
      {fault !== undefined && <p class="fault">{fault}</p>}
      <Tick type={EVERYTHING} name={webhooks.everything} text={webhooks.everythingText} types={types} />
      <div class="grid broad after">
        {[...hookGroups].map(([group, offered]) => (
          <Group view={view} title={webhooks.groups[group]} group={group} offered={offered} types={types} />
        ))}
      </div>
    </>
  );
}

interface GroupProps {
  view: StaffVisit["view"];
  title: string;
  group: HookGroup;
  offered: readonly EventType[];
  types: ReadonlySet<string>;
}

function Group({ view, title, group, offered, types }: GroupProps) {
  return (
    <fieldset class={group === "session" ? "" : "in-everything"}>
      <legend class="legend">{title}</legend>
      {offered.map((type) => (
        <Tick type={type} name={type} text={view.words.told.events[type]} types={types} />
      ))}
    </fieldset>
  );
}

interface TickProps {
  type: string;
  name: string;
  text: string;
  types: ReadonlySet<string>;
}

function Tick({ type, name, text, types }: TickProps) {
  const id = type === EVERYTHING ? "everything" : type.replaceAll(".", "-");
  return (
    <label class="flag">
      <input
        type="checkbox"
        name="type"
        value={type}
        checked={types.has(type)}
        aria-describedby={`says-${id}`}
      />
      <span class="flag-name">{name}</span>
      <span id={`says-${id}`} class="hint">
        {text}
      </span>
    </label>
  );
}
