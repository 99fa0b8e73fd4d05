import { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { presetNames, type PresetName, presets } from "../../../../domain/desk/incoming/presets.ts";
import type { Provider } from "../../../../domain/desk/incoming/provider.ts";
import {
  createPaymentSource,
  providerOf,
  type Source,
  updatePaymentSource,
} from "../../../../domain/desk/incoming/sources.ts";
import { setting } from "../../../../domain/core/settings/settings.ts";
import { requireWholeIsp } from "../../../../domain/core/actor/actor.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { attempt } from "../../attempt.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Note } from "../../../pages/note.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Field, Select, TextArea } from "../../../pages/parts/field.tsx";
import { page, said } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { IspField, ispOfForm } from "../../isp-field.tsx";
import { SettingsFrame } from "../settings/head.tsx";
import { faultOf, typedIn } from "../team/form.tsx";
import { showSourceSecret } from "./secret.tsx";
import { presetOf, sourceHref, sourceOf, SOURCES } from "./shown.ts";

/** A provider that is described, or a program that signs. */
type Begun = PresetName | "signed";

interface Edited {
  readonly begun: Begun;
  readonly source?: Source;
  readonly typed: (name: string) => string;
  readonly refused?: DomainError;
}

/** What the address names; throws `not_found` for what there is none of. */
function begunWith({ params }: StaffVisit): Begun {
  const named = params["preset"];
  const begun = named === "signed" ? named : presetNames.find((name) => name === named);
  if (begun === undefined) throw new DomainError("not_found", `there is no provider ${named}`);
  return begun;
}

export function newSource(visit: StaffVisit): Response {
  const { by, view } = visit;
  permit(by, "createPaymentSource");
  requireWholeIsp(by, "payment sources");
  const begun = begunWith(visit);
  const { presets: named } = view.words.paymentSources;
  const name = begun === "signed" || begun === "own" ? "" : named[begun].name;
  return form(visit, { begun, typed: (field) => (field === "name" ? name : "") });
}

export async function create(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const begun = begunWith(visit);
  const typed = longTyped(input);
  const sent = {
    ...{ kind: begun === "signed" ? "signed" : "provider", name: typed("name") },
    isp_id: typed("isp_id"),
    ...sentOf(begun, typed),
  };
  const done = await attempt(visit, async () => createPaymentSource(db, by, sent, { now }));
  if (done instanceof DomainError) return form(visit, { begun, typed, refused: done });
  const { source, secret } = done;
  if (secret !== null) return showSourceSecret(visit, source, secret);
  const { paymentSources: words } = view.words;
  const title = words.made(view.format.name(source.name));
  return said(visit, { kind: "good", title, text: words.madeText }, sourceHref(source));
}

export function editSource(visit: StaffVisit): Response {
  const source = sourceOf(visit);
  const begun = presetOf(source) ?? "signed";
  const before = source.kind === "signed" ? undefined : providerOf(source);
  const values: Record<string, string> = {
    method: source.method,
    addresses: before?.addresses?.join(", ") ?? "",
    settings: before ? JSON.stringify(before, null, 2) : "",
    currency: before ? fixedCurrency(before) : "",
  };
  return form(visit, { begun, source, typed: (name) => values[name] ?? "" });
}

export async function save(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const source = sourceOf(visit);
  const begun = presetOf(source) ?? "signed";
  const typed = longTyped(input);
  const { preset: _, ...sent } = sentOf(begun, typed);
  const done = await attempt(visit, async () =>
    updatePaymentSource(db, by, { id: source.id, input: sent }, { now }),
  );
  if (done instanceof DomainError) return form(visit, { begun, source, typed, refused: done });
  const title = view.words.paymentSources.saved(view.format.name(source.name));
  return said(visit, { kind: "good", title }, sourceHref(source));
}

/** What a provider is described by is longer than other fields. */
function longTyped(input: Input): (name: string) => string {
  return (name) => {
    const value = input[name];
    return name === "settings" && typeof value === "string" ? value.slice(0, 20_000) : typedIn(input, name);
  };
}

function fixedCurrency({ events }: Provider): string {
  const [first] = events;
  return first && !Array.isArray(first.currency) ? first.currency.fixed : "";
}

function sentOf(begun: Begun, typed: (name: string) => string): Input {
  const method = typed("method");
  if (begun === "signed") return { method };
  const isOwn = begun === "own";
  return {
    method,
    ...(isOwn ? { settings: typed("settings") } : { preset: begun }),
    addresses: typed("addresses") === "" ? null : typed("addresses"),
    ...(typed("currency") !== "" && { currency: typed("currency").toUpperCase() }),
    ...(typed("secret") !== "" && { secret: typed("secret") }),
  };
}

function form(visit: StaffVisit, edited: Edited): Response {
  const { view, formToken } = visit;
  const { begun, source, refused } = edited;
  const { paymentSources: words } = view.words;
  const name = begun === "signed" ? words.signed.name : words.presets[begun].name;
  const title = source ? words.editTitle(view.format.name(source.name)) : name;
  const what = begun === "signed" ? words.signed.what : words.presets[begun].what;
  const back = source ? sourceHref(source) : `${SOURCES}/new`;
  return page(
    visit,
    <SettingsFrame visit={visit} current="sources" title={title}>
      <form class="source-form" method="post" action={source ? `${back}/edit` : `${SOURCES}/new/${begun}`}>
        <FormToken value={formToken} />
        {refused && <Note kind="bad">{words.notSaved(refused.message)}</Note>}
        <Card title={name} lead={what}>
          <div class="source-fields">
            {!source && <Whose visit={visit} edited={edited} />}
            <Method visit={visit} edited={edited} />
            {begun !== "signed" && <ProviderFields visit={visit} edited={edited} begun={begun} />}
          </div>
        </Card>
        <div class="actions">
          <Button kind="solid" size="large">
            {source ? words.save : words.make}
          </Button>
          <Button href={back} size="large">
            {words.back}
          </Button>
        </div>
      </form>
    </SettingsFrame>,
    { status: refused ? 422 : 200 },
  );
}

interface PartProps {
  visit: StaffVisit;
  edited: Edited;
}

/** What is said once, when it is made. */
function Whose({ visit, edited: { typed, refused } }: PartProps) {
  const { paymentSources: words } = visit.view.words;
  return (
    <>
      <IspField visit={visit} typed={typed("isp_id")} fault={faultOf(refused, "isp_id")} />
      <Field
        name="name"
        label={words.name}
        help={words.nameHelp}
        fault={faultOf(refused, "name")}
        value={typed("name")}
        required
        attributes={{ maxlength: 60, autocomplete: "off" }}
      />
    </>
  );
}

function Method({ visit, edited: { source, typed, refused } }: PartProps) {
  const { paymentSources: words, pay } = visit.view.words;
  const ispId = source?.ispId ?? ispOfForm(visit, typed("isp_id"));
  const methods = setting(visit.db, "payment_methods", ispId).split(", ");
  const usual = methods.includes("online") ? "online" : (methods[0] ?? "");
  return (
    <Select
      name="method"
      label={words.method}
      help={words.methodHelp}
      fault={faultOf(refused, "method")}
      value={typed("method") || usual}
      options={methods.map((value) => ({ value, label: pay.methodName(value) }))}
    />
  );
}

function ProviderFields({ visit, edited, begun }: PartProps & { begun: PresetName }) {
  const { paymentSources: words } = visit.view.words;
  const { source, typed, refused } = edited;
  const isOwn = begun === "own";
  const isByAddress = presets[begun].proof.kind === "addresses";
  const help = `${words.secretHelp[begun]}. ${source ? words.secretChangeHelp : words.secretKept}`;
  return (
    <>
      {!isByAddress && (
        <Field
          name="secret"
          label={source ? words.secretChange : words.secret}
          help={help}
          fault={faultOf(refused, "secret")}
          type="password"
          attributes={{ maxlength: 500, autocomplete: "off" }}
        />
      )}
      <Field
        name="addresses"
        label={words.addresses}
        help={isByAddress ? words.addressesMpesa : `${words.addressesHelp}. ${words.addressesMore}`}
        fault={faultOf(refused, "addresses")}
        value={typed("addresses")}
        attributes={{ maxlength: 1000, autocomplete: "off", spellcheck: "false" }}
      />
      {(isByAddress || isOwn) && (
        <Field
          name="currency"
          label={words.currency}
          help={words.currencyHelp}
          fault={faultOf(refused, "currency")}
          value={typed("currency")}
          attributes={{ maxlength: 3, autocomplete: "off", autocapitalize: "characters" }}
        />
      )}
      {isOwn && (
        <div class="source-settings">
          <TextArea
            name="settings"
            label={words.settings}
            help={words.settingsHelp}
            fault={faultOf(refused, "settings")}
            value={typed("settings") || JSON.stringify(presets.own, null, 2)}
            rows={24}
            maxLength={20_000}
          />
        </div>
      )}
    </>
  );
}
