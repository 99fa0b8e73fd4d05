import { dualStacks, nasKinds, shapers } from "../../../../domain/goods/nas/kinds.ts";
import type { StaffVisit } from "../../guard.ts";
import { ispFields } from "../../isp-field.tsx";
import type { FormField, Values } from "../../parts/field.tsx";

const code = { spellcheck: "false", autocapitalize: "none" };
const port = { inputmode: "numeric" };

const toOptions = <T extends string>(values: readonly T[], words: Readonly<Record<T, string>>) =>
  values.map((value) => ({ value, label: words[value] }));

interface Filled {
  readonly visit: StaffVisit;
  readonly stored: Values;
}

function nameAndAddress({ visit, stored }: Filled): FormField[] {
  const { form, fact } = visit.view.words.routers;
  return [
    { name: "name", label: form.name, value: stored["name"], required: true, max: 64 },
    {
      name: "address",
      label: form.address,
      help: form.addressHelp,
      value: stored["address"],
      required: true,
      max: 45,
      attributes: code,
    },
    {
      name: "kind",
      label: fact.kind,
      help: form.kindHelp,
      value: stored["kind"],
      options: toOptions(nasKinds, fact.kinds),
    },
  ];
}

const secret = (name: string, label: string, help: string): FormField => ({
  name,
  label,
  help,
  as: "password",
  max: 128,
  attributes: { ...code, autocomplete: "new-password" },
});

const tick = ({ stored }: Filled, name: string, label: string): FormField => ({
  name,
  label,
  as: "tick",
  value: stored[name] ?? "0",
  kind: "wide",
});

export function newGroups(filled: Filled) {
  const { visit } = filled;
  const { routers, radsec } = visit.view.words;
  const { form, steps } = routers;
  return [
    {
      title: steps.name,
      text: <p class="hint">{form.lead}</p>,
      fields: [...nameAndAddress(filled), ...ispFields(visit), tick(filled, "radsec", radsec.form)],
    },
    {
      title: form.has,
      fold: "closed" as const,
      fields: [secret("secret", form.secret, form.secretHelp)],
    },
  ];
}

export function settingGroups(filled: Filled) {
  const { stored, visit } = filled;
  const { routers, radsec } = visit.view.words;
  const { form, fact, steps } = routers;
  const value = (name: string) => ({ name, value: stored[name] });
  return [
    {
      title: steps.name,
      fields: [...nameAndAddress(filled), secret("secret", form.secret, form.secretKeep)],
    },
    {
      title: form.radius,
      fields: [
        {
          ...value("require_message_authenticator"),
          label: form.signature,
          help: form.signatureHelp,
          options: toOptions(["auto", "yes", "no"], fact),
        },
        {
          ...value("mppe"),
          label: form.mppe,
          help: form.mppeHelp,
          options: toOptions(["keys", "allowed", "required"], fact.mppeKinds),
        },
        tick(filled, "radsec", radsec.form),
        tick(filled, "swap_octets", form.swap),
        tick(filled, "dhcp", form.dhcp),
      ],
    },
    {
      title: form.changes,
      fields: [
        {
          ...value("disconnect_method"),
          label: form.method,
          options: toOptions(["auto", "coa", "routeros"], fact.method),
        },
        { ...value("coa_port"), label: form.port, required: true, max: 5, attributes: port },
        tick(filled, "coa_event_timestamp", form.timestamp),
      ],
    },
    {
      title: form.shaping,
      lead: form.shapingLead,
      fields: [
        {
          ...value("shaper"),
          label: form.shaper,
          help: form.shaperHelp,
          options: toOptions(shapers, fact.shapers),
        },
        tick(filled, "shaper_leases", form.shaperLeases),
        {
          ...value("dual_stack"),
          label: form.dualStack,
          help: form.dualStackHelp,
          options: toOptions(dualStacks, fact.dualStacks),
        },
      ],
    },
    {
      title: form.api,
      lead: form.apiLead,
      fields: [
        { ...value("routeros_host"), label: form.host, max: 253, attributes: code },
        { ...value("routeros_port"), label: form.apiPort, help: form.apiPortHelp, max: 5, attributes: port },
        { ...value("routeros_username"), label: form.username, max: 64, attributes: code },
        secret("routeros_password", form.password, form.passwordHelp),
        {
          ...value("routeros_tls_fingerprint"),
          label: form.fingerprint,
          help: form.fingerprintHelp,
          max: 95,
          attributes: code,
        },
        tick(filled, "routeros_tls", form.tls),
      ],
    },
  ];
}
