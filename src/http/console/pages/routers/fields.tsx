import type { FieldErrors } from "../../../../domain/core/errors/errors.ts";
import { Card } from "../../../pages/parts/card.tsx";
import { Check, Field, type Option, Select } from "../../../pages/parts/field.tsx";
import { Fold } from "../../../pages/parts/fold.tsx";
import type { StaffVisit } from "../../guard.ts";
import { IspField } from "../../isp-field.tsx";

export type Filled = Readonly<Record<string, string>>;

const code = { spellcheck: "false", autocapitalize: "none", autocomplete: "off" };

/** What stands in the fields, and what is wrong with it. */
export class Filling {
  readonly words: StaffVisit["view"]["words"]["routers"];
  /** What the box says by which it asks by RadSec. */
  readonly radsec: string;
  readonly #typed: Filled;
  readonly #faults: FieldErrors;

  constructor({ view }: StaffVisit, typed: Filled, faults: FieldErrors = {}) {
    this.words = view.words.routers;
    this.radsec = view.words.radsec.form;
    this.#typed = typed;
    this.#faults = faults;
  }

  /** Name, value and fault of a field. */
  of(name: string) {
    const fault = this.#faults[name]?.join("; ");
    return { name, value: this.#typed[name] ?? "", ...(fault !== undefined && { fault }) };
  }

  isChecked(name: string): boolean {
    return this.#typed[name] === "true";
  }
}

const optionsOf = (words: Readonly<Record<string, string>>): Option[] =>
  Object.entries(words).map(([value, label]) => ({ value, label }));

function NameAndAddress({ fill }: { fill: Filling }) {
  const { form, fact } = fill.words;
  return (
    <>
      <Field {...fill.of("name")} label={form.name} required attributes={{ maxlength: 64 }} />
      <Field
        {...fill.of("address")}
        label={form.address}
        help={form.addressHelp}
        required
        attributes={{ ...code, maxlength: 45 }}
      />
      <Select {...fill.of("kind")} label={fact.kind} help={form.kindHelp} options={optionsOf(fact.kinds)} />
    </>
  );
}

function Secret(field: ReturnType<Filling["of"]> & { label: string; help: string }) {
  return (
    <Field
      {...field}
      type="password"
      attributes={{ ...code, autocomplete: "new-password", maxlength: 128 }}
    />
  );
}

export function NewFields({ fill, visit }: { fill: Filling; visit: StaffVisit }) {
  const { form } = fill.words;
  const [secret, isp] = [fill.of("secret"), fill.of("isp_id")];
  return (
    <Card title={fill.words.steps.name}>
      <div class="fields">
        <NameAndAddress fill={fill} />
        <IspField visit={visit} typed={isp.value} fault={isp.fault} />
      </div>
      <Fold summary={form.has} kind="router-more">
        <Secret {...secret} label={form.secret} help={form.secretHelp} />
      </Fold>
      <Check name="radsec" label={fill.radsec} checked={fill.isChecked("radsec")} />
    </Card>
  );
}

export function SettingFields({ fill }: { fill: Filling }) {
  const { form, fact, steps } = fill.words;
  const port = { inputmode: "numeric", maxlength: 5 };
  return (
    <>
      <Card title={steps.name}>
        <div class="fields">
          <NameAndAddress fill={fill} />
          <Secret {...fill.of("secret")} label={form.secret} help={form.secretKeep} />
        </div>
      </Card>
      <Card title={form.radius}>
        <div class="fields">
          <Select
            {...fill.of("require_message_authenticator")}
            label={form.signature}
            help={form.signatureHelp}
            options={optionsOf({ auto: fact.auto, yes: fact.yes, no: fact.no })}
          />
          <Select
            {...fill.of("mppe")}
            label={form.mppe}
            help={form.mppeHelp}
            options={optionsOf(fact.mppeKinds)}
          />
        </div>
        <Check name="radsec" label={fill.radsec} checked={fill.isChecked("radsec")} />
        <Check name="swap_octets" label={form.swap} checked={fill.isChecked("swap_octets")} />
        <Check name="dhcp" label={form.dhcp} checked={fill.isChecked("dhcp")} />
      </Card>
      <Card title={form.changes}>
        <div class="fields">
          <Select {...fill.of("disconnect_method")} label={form.method} options={optionsOf(fact.method)} />
          <Field {...fill.of("coa_port")} label={form.port} required attributes={port} />
        </div>
        <Check
          name="coa_event_timestamp"
          label={form.timestamp}
          checked={fill.isChecked("coa_event_timestamp")}
        />
      </Card>
      <Card title={form.api} lead={form.apiLead}>
        <div class="fields">
          <Field {...fill.of("routeros_host")} label={form.host} attributes={{ ...code, maxlength: 253 }} />
          <Field
            {...fill.of("routeros_port")}
            label={form.apiPort}
            help={form.apiPortHelp}
            attributes={port}
          />
          <Field
            {...fill.of("routeros_username")}
            label={form.username}
            attributes={{ ...code, maxlength: 64 }}
          />
          <Secret {...fill.of("routeros_password")} label={form.password} help={form.passwordHelp} />
          <Field
            {...fill.of("routeros_tls_fingerprint")}
            label={form.fingerprint}
            help={form.fingerprintHelp}
            attributes={{ ...code, maxlength: 95 }}
          />
        </div>
        <Check name="routeros_tls" label={form.tls} checked={fill.isChecked("routeros_tls")} />
      </Card>
    </>
  );
}
