import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { phrase } from "../../../../domain/core/errors/phrase.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { presetNames, type PresetName, presets } from "../../../../domain/desk/incoming/presets.ts";
import type { Provider } from "../../../../domain/desk/incoming/provider.ts";
import {
  createPaymentSource,
  parseProvider,
  paymentSourceById,
  type Source,
  updatePaymentSource,
} from "../../../../domain/desk/incoming/sources.ts";
import { setting } from "../../../../domain/core/settings/settings.ts";
import { requireWholeIsp } from "../../../../domain/core/actor/actor.ts";
import type { StaffVisit } from "../../guard.ts";
import { chooseIsp, ispFields } from "../../isp-field.tsx";
import type { FormField, Values } from "../../parts/field.tsx";
import { form } from "../../parts/form.tsx";
import { SettingsFrame } from "../../parts/settings-frame.tsx";
import { showSourceSecret } from "./secret.tsx";
import { findPreset, readSource, sourceHref, SOURCES } from "./words.ts";

type Begun = PresetName | "signed";

/** Throws `not_found`. */
function begunWith({ params }: StaffVisit): Begun {
  const named = params["preset"];
  const begun = named === "signed" ? named : presetNames.find((name) => name === named);
  if (begun === undefined) throw new DomainError("not_found", phrase`there is no provider ${named}`);
  return begun;
}

/** ISP and name are set on creation only. */
function buildFields(visit: StaffVisit, begun: Begun, values: Values, source?: Source): FormField[] {
  const { paymentSources: words, pay } = visit.view.words;
  const ispId = source?.ispId ?? chooseIsp(visit, values["isp_id"]);
  const methods = setting(visit.db, "payment_methods", ispId).split(", ");
  const usual = methods.includes("online") ? "online" : methods[0];
  const isNamed = begun !== "signed" && begun !== "own";
  const named = isNamed ? words.presets[begun].name : "";
  return [
    ...(source ? [] : ispFields(visit)),
    ...(source
      ? []
      : [{ name: "name", label: words.name, help: words.nameHelp, value: named, required: true, max: 60 }]),
    {
      name: "method",
      label: words.method,
      help: words.methodHelp,
      value: source?.method ?? usual,
      options: methods.map((value) => ({ value, label: pay.methodName(value) })),
    },
    ...(begun === "signed" ? [] : providerFields(visit, begun, source)),
  ];
}

function providerFields(visit: StaffVisit, begun: PresetName, source: Source | undefined): FormField[] {
  const { paymentSources: words } = visit.view.words;
  const before = source && parseProvider(source);
  const isByAddress = presets[begun].proof.kind === "addresses";
  const secret: FormField = {
    name: "secret",
    as: "password",
    label: source ? words.secretChange : words.secret,
    max: 500,
    help: `${words.secretHelp[begun]}. ${source ? words.secretChangeHelp : words.secretKept}`,
  };
  const currency: FormField = {
    name: "currency",
    label: words.currency,
    help: words.currencyHelp,
    max: 3,
    value: before && fixedCurrency(before),
    attributes: { autocapitalize: "characters" },
  };
  const settings: FormField = {
    name: "settings",
    as: "lines",
    label: words.settings,
    help: words.settingsHelp,
    value: JSON.stringify(before ?? presets.own, null, 2),
    rows: 24,
    max: 20_000,
    kind: "wide code-field",
  };
  return [
    ...(isByAddress ? [] : [secret]),
    {
      name: "addresses",
      label: words.addresses,
      value: before?.addresses?.join(", "),
      max: 1000,
      help: isByAddress ? words.addressesMpesa : `${words.addressesHelp}. ${words.addressesMore}`,
      attributes: { spellcheck: "false" },
    },
    ...(isByAddress || begun === "own" ? [currency] : []),
    ...(begun === "own" ? [settings] : []),
  ];
}

function fixedCurrency({ events }: Provider): string {
  const [first] = events;
  return first && !Array.isArray(first.currency) ? first.currency.fixed : "";
}

function toInput(begun: Begun, { addresses, currency, secret, ...values }: Values): Input {
  if (begun === "signed") return values;
  return {
    ...values,
    addresses: addresses === "" ? null : addresses,
    ...(currency && { currency: currency.toUpperCase() }),
    ...(secret && { secret }),
  };
}

const presetWords = ({ view }: StaffVisit, begun: Begun) => {
  const { signed, presets: named } = view.words.paymentSources;
  return begun === "signed" ? signed : named[begun];
};

const add = form({
  path: `${SOURCES}/new/:preset`,
  permit: "createPaymentSource",
  of: (visit) => {
    requireWholeIsp(visit.by, "payment sources");
    return begunWith(visit);
  },
  content: (visit, begun, values) => {
    const { name: title, what: lead } = presetWords(visit, begun);
    return {
      title,
      back: `${SOURCES}/new`,
      submit: visit.view.words.paymentSources.make,
      groups: [{ title, lead, fields: buildFields(visit, begun, values) }],
      frame: (children) => (
        <SettingsFrame visit={visit} current="sources" title={title} children={children} />
      ),
    };
  },
  once: ({ id }): { id: number; secret?: string | null } => ({ id }),
  save: ({ db, by, now }, begun, values) => {
    const kind =
      begun === "signed"
        ? { kind: "signed" }
        : { kind: "provider", ...(begun !== "own" && { preset: begun }) };
    const { source, secret } = createPaymentSource(
      db,
      by,
      { ...kind, isp_id: "", ...toInput(begun, values) },
      { now },
    );
    return { id: source.id, secret };
  },
  done: (visit, { id, secret }) => {
    const { db, by, view } = visit;
    const source = paymentSourceById(db, by, { id });
    if (secret) return showSourceSecret(visit, source, secret);
    const { paymentSources: words } = view.words;
    return { title: words.made(view.format.name(source.name)), text: words.madeText, to: sourceHref(source) };
  },
});

const edit = form({
  path: `${SOURCES}/:id/edit`,
  of: (visit) => {
    const source = readSource(visit);
    return { source, begun: findPreset(source) ?? ("signed" as const) };
  },
  content: (visit, { source, begun }, values) => {
    const { paymentSources: words } = visit.view.words;
    const title = words.editTitle(visit.view.format.name(source.name));
    const { name, what: lead } = presetWords(visit, begun);
    return {
      title,
      back: sourceHref(source),
      submit: words.save,
      groups: [{ title: name, lead, fields: buildFields(visit, begun, values, source) }],
      frame: (children) => (
        <SettingsFrame visit={visit} current="sources" title={title} children={children} />
      ),
    };
  },
  save: ({ db, by, now }, { source, begun }, values) =>
    updatePaymentSource(db, by, { id: source.id, input: toInput(begun, values) }, { now }),
  done: ({ view }, _, { source }) => view.words.paymentSources.saved(view.format.name(source.name)),
});

export const sourceForms = [...add, ...edit];
