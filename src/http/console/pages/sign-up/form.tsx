import type { Child } from "hono/jsx";
import type { Choices } from "../../../../domain/goods/subscribers/choices.ts";
import type { FieldErrors } from "../../../../domain/core/errors/errors.ts";
import type { Contact, SignUpCheck } from "../../../../domain/desk/sign-up/check.ts";
import type { UnusualAmount } from "../../../../domain/desk/payments/unusual.ts";
import type { PortInUse } from "../../../../domain/service/boxes/port.ts";
import { setting } from "../../../../domain/core/settings/settings.ts";
import { may, ownIsp } from "../../../../domain/core/actor/actor.ts";
import { permissions } from "../../../../domain/core/actor/permissions.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Fold } from "../../../pages/parts/fold.tsx";
import { Note } from "../../../pages/note.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Check, Field, type Option, Select } from "../../../pages/parts/field.tsx";
import { signUpScript } from "../../assets.ts";
import { FilterForm } from "../../parts/filters.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { IspField } from "../../isp-field.tsx";
import { SharedPort, SharePort, TakeUnusual, Unusual } from "../../unusual.tsx";
import { ContactNote, Sale, UsernameNote } from "./check.tsx";
import { sentence } from "../../parts/phrases.ts";

export interface Refused {
  readonly fields: FieldErrors;
  readonly problem: string;
  /** An unusually large amount to confirm. */
  readonly unusual?: UnusualAmount | undefined;
  /** A port in use to confirm. */
  readonly shared?: PortInUse | undefined;
  /** An earlier confirmation, carried along. */
  readonly meant: { readonly sure: number | null; readonly sharedPort: string | null };
}

interface SignUpProps {
  visit: StaffVisit;
  values: Readonly<Record<string, string>>;
  formKey: string;
  choices: Choices;
  ispId: number | undefined;
  check: SignUpCheck;
  refused?: Refused | undefined;
}

export function SignUpPage(props: SignUpProps) {
  const { visit, formKey, refused, ispId } = props;
  const words = visit.view.words.signUp;
  const path = "/console/sign-up";
  return (
    <Frame visit={visit} title={words.title} place="subscribers" scripts={[signUpScript.path]}>
      <IspChoice visit={visit} ispId={ispId} />
      <form
        id="sign-up"
        class="sign-up"
        method="post"
        action={path}
        hx-post={`${path}/check`}
        hx-trigger="input delay:300ms"
        hx-target="#sale"
        hx-swap="outerHTML"
        hx-sync="this:replace"
        hx-validate="false"
      >
        <div class="page-head">
          <h1>{words.title}</h1>
          <span class="hint">{words.lead}</span>
        </div>
        <FormToken value={visit.formToken} />
        <input type="hidden" name="key" value={formKey} />
        {ispId !== undefined && <input type="hidden" name="isp_id" value={String(ispId)} />}
        {refused && <Meant {...refused} />}
        {refused && !refused.unusual && !refused.shared && (
          <Note kind="bad">
            {words.refused} {sentence(refused.problem, visit.view.format)}
          </Note>
        )}
        <Card title={words.person}>
          <Who {...props} />
        </Card>
        <Card title={words.line}>
          <Line {...props} />
        </Card>
        <Card title={words.money}>
          <Money {...props} />
        </Card>
      </form>
    </Frame>
  );
}

/** Another ISP has other choices. */
function IspChoice({ visit, ispId }: { visit: StaffVisit; ispId: number | undefined }) {
  if (ownIsp(visit.db, visit.by.scope) !== null || ispId === undefined) return null;
  return (
    <FilterForm href="/console/sign-up" kind="card row at-end">
      <IspField visit={visit} value={String(ispId)} />
      <Button size="small">{visit.view.words.signUp.forPackage}</Button>
    </FilterForm>
  );
}

type Name = keyof StaffVisit["view"]["words"]["signUp"]["fields"];

interface InputProps {
  form: SignUpProps;
  name: Name;
  required?: boolean;
  type?: string;
  help?: string;
  attributes?: Readonly<Record<string, string | number | boolean>>;
  children?: Child;
}

function Input({ form, name, children, required = false, type = "text", help, attributes = {} }: InputProps) {
  const { visit, values, refused } = form;
  return (
    <div class="stack close">
      <Field
        name={name}
        label={visit.view.words.signUp.fields[name]}
        value={values[name] ?? ""}
        type={type}
        required={required}
        fault={refused?.fields[name]?.join(visit.view.words.list.comma)}
        attributes={{ autocomplete: "off", ...attributes }}
        {...(help !== undefined && { help })}
      />
      {children}
    </div>
  );
}

function ContactInput(props: Omit<InputProps, "name"> & { name: Contact }) {
  const { form, name } = props;
  const isStated = form.refused?.fields[name] !== undefined;
  return (
    <Input {...props}>
      {!isStated && <ContactNote visit={form.visit} check={form.check} field={name} />}
    </Input>
  );
}

interface ChoiceProps {
  form: SignUpProps;
  name: Name;
  options: readonly Option[];
  required?: boolean;
}

function Choice({ form: { visit, values, refused }, name, options, required = false }: ChoiceProps) {
  const words = visit.view.words.signUp;
  const isEmpty = (values[name] ?? "") === "";
  const isUsual = name === "connection_type_id" || name === "salesperson_id"; // never empty, but where there is nobody
  return (
    <Select
      name={name}
      label={words.fields[name]}
      value={values[name] ?? ""}
      fault={refused?.fields[name]?.join(visit.view.words.list.comma)}
      options={isEmpty || !(required || isUsual) ? [{ value: "", label: words.choose }, ...options] : options}
      attributes={{ required }}
    />
  );
}

const named = (rows: readonly { id: number; name: string }[]): Option[] =>
  rows.map(({ id, name }) => ({ value: id, label: name }));

function Who(form: SignUpProps) {
  return (
    <div class="fields">
      <Input form={form} name="name" required attributes={{ autofocus: !form.refused, maxlength: 120 }} />
      <ContactInput form={form} name="mobile_number" type="tel" required attributes={{ maxlength: 100 }} />
      <ContactInput form={form} name="nic_number" attributes={{ maxlength: 100 }} />
      <ContactInput form={form} name="phone_number" type="tel" attributes={{ maxlength: 100 }} />
      <ContactInput form={form} name="email" type="email" attributes={{ maxlength: 254 }} />
      <Input form={form} name="address" attributes={{ maxlength: 500 }} />
    </div>
  );
}

function Line(form: SignUpProps) {
  const { visit, choices, check, refused } = form;
  const words = visit.view.words.signUp;
  const connections = Object.entries(words.connections).map(([value, label]) => ({ value, label }));
  return (
    <>
      <div class="fields">
        <Input
          form={form}
          name="username"
          help={words.usernameHelp}
          attributes={{ maxlength: 64, spellcheck: false }}
        >
          {refused?.fields["username"] === undefined ? (
            <UsernameNote visit={visit} check={check} />
          ) : (
            <p class="hint">{words.take(check.proposal)}</p>
          )}
        </Input>
        <Input
          form={form}
          name="password"
          required
          help={words.passwordHelp}
          attributes={{ maxlength: 64, spellcheck: false }}
        />
        <Choice form={form} name="nas_id" options={named(choices.nas)} required />
        <Choice form={form} name="area_id" options={named(choices.areas)} />
      </div>
      <Fold summary={words.more} kind="folded quiet after" open={refused?.shared !== undefined}>
        <div class="fields">
          <Choice form={form} name="connection_type_id" options={connections} />
          <Choice
            form={form}
            name="salesperson_id"
            options={named(choices.salespersons.filter(({ status }) => status === 1))}
          />
          <Input form={form} name="box_number" attributes={{ maxlength: 100 }} />
          <Input form={form} name="uplink_port" attributes={{ maxlength: 100 }} />
          <Input form={form} name="static_ip" attributes={{ maxlength: 15 }} />
          <Input form={form} name="circuit_id" help={words.circuitHelp} attributes={{ maxlength: 500 }} />
          <Input form={form} name="remote_id" attributes={{ maxlength: 500 }} />
        </div>
      </Fold>
    </>
  );
}

/** The earlier confirmation beside the current question. */
function Meant({ unusual, shared, meant: { sure, sharedPort } }: Refused) {
  return (
    <>
      {shared && sure !== null && <input type="hidden" name="sure" value={String(sure)} />}
      {unusual && sharedPort !== null && <input type="hidden" name="shared_port" value={sharedPort} />}
    </>
  );
}

function Money(form: SignUpProps) {
  const { visit, choices, check, values } = form;
  const { view, by } = visit;
  const words = view.words.signUp;
  const takes = may(by, permissions.takePayment);
  const opens = may(by, permissions.activate);
  return (
    <>
      <div class="fields">
        <Choice
          form={form}
          name="package_id"
          options={named(choices.packages.filter(({ status }) => status === 1))}
          required
        />
        {takes && (
          <Input
            form={form}
            name="amount"
            attributes={{ inputmode: "decimal", maxlength: 16, "data-amount": true }}
          />
        )}
        {takes && <Choice form={form} name="method" options={methodOptions(visit, form.ispId)} required />}
        {takes && <Input form={form} name="reference" attributes={{ maxlength: 100 }} />}
      </div>
      <Sale visit={visit} check={check} />
      {form.refused?.shared && <SharedPort view={view} confirmation={form.refused.shared} />}
      {form.refused?.unusual && (
        <Unusual view={view} confirmation={form.refused.unusual} currency={readCurrency(visit, form.ispId)} />
      )}
      <div class="band after">
        {opens && <Check name="activate" label={words.activate} checked={values["activate"] === "1"} />}
        <Button kind="solid" size="large">
          {takes ? words.submitPaid : words.submit}
        </Button>
        {form.refused?.shared && <SharePort view={view} confirmation={form.refused.shared} />}
        {form.refused?.unusual && <TakeUnusual view={view} confirmation={form.refused.unusual} />}
      </div>
    </>
  );
}

function readCurrency({ db }: StaffVisit, ispId: number | undefined): string {
  return setting(db, "currency", ispId);
}

function methodOptions({ db, view }: StaffVisit, ispId: number | undefined): Option[] {
  const names = setting(db, "payment_methods", ispId).split(", ");
  return names.map((name) => ({ value: name, label: view.words.pay.methodName(name) }));
}
