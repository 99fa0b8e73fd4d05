import { randomInt } from "node:crypto";
import { newRecoveryCode } from "../../../../domain/people/staff/totp.ts";
import { Check, Field } from "../../../pages/parts/field.tsx";
import { RouterStep } from "./router-step.tsx";
import { durationField } from "../../parts/duration.ts";
import { ZoneSelect } from "../../parts/zone.tsx";
import type { StartProps } from "./start.tsx";
import type { SetupStep } from "../../../../domain/machine/setup/setup.ts";

type FieldProps = Parameters<typeof Field>[0];

export function StepFields({ step, ...props }: StartProps & { step: SetupStep }) {
  const Fields = fields[step];
  return <Fields {...props} step={step} />;
}

/** Mbit/s: `10`, `2.5`. */
const SPEED = "[0-9]{1,6}([.,][0-9]{1,3})?";

/** One direction in Mbit/s; empty in another notation. */
function megabits(side: string): string {
  const [, figure, unit] = /^(\d+)([kM])$/.exec(side) ?? [];
  if (figure === undefined) return "";
  return unit === "M" ? figure : String(Number(figure) / 1000);
}

function Typing({ of: { values, faults }, ...field }: FieldProps & { of: StartProps }) {
  const sent = values[field.name];
  return (
    <Field
      {...field}
      value={field.type === "password" || typeof sent !== "string" ? (field.value ?? "") : sent}
      fault={faults[field.name]?.join(" ") ?? field.fault}
    />
  );
}

const fields: Readonly<Record<SetupStep, (props: StartProps) => ReturnType<typeof Typing> | null>> = {
  password: (props) => {
    const { view, account } = props.visit;
    const words = view.words.start.password;
    const fault = props.faults["password"]?.join(" ");
    return (
      <div class="fields">
        <input type="hidden" autocomplete="username" value={account.username} />
        <Typing
          of={props}
          name="current"
          type="password"
          label={words.current}
          required
          attributes={{ autocomplete: "current-password" }}
        />
        <Field
          name="chosen"
          type="password"
          label={words.chosen}
          help={words.chosenHelp}
          fault={fault}
          required
          attributes={{ autocomplete: "new-password", minlength: 8, maxlength: 128 }}
        />
      </div>
    );
  },
  isp: (props) => {
    const { settings, start } = props.visit.view.words;
    const words = start.isp;
    const { isp, currency, zone } = props.facts;
    const sent = props.values["time_zone"];
    return (
      <div class="fields">
        <Typing
          of={props}
          name="name"
          label={words.name}
          value={isp?.name ?? ""}
          required
          attributes={{ maxlength: 120 }}
        />
        <Typing
          of={props}
          name="currency"
          label={words.currency}
          help={words.currencyHelp}
          value={currency}
          required
          attributes={{ autocapitalize: "characters", spellcheck: "false" }}
        />
        <ZoneSelect
          name="time_zone"
          label={words.zone}
          help={words.zoneHelp}
          value={typeof sent === "string" ? sent : zone}
          first={settings.zoneOfMachine}
          fault={props.faults["time_zone"]?.join(" ")}
          isGuessed={typeof sent !== "string" && zone === "" && !isp}
        />
      </div>
    );
  },
  package: (props) => {
    const words = props.visit.view.words.start.package;
    const { package: sold, currency } = props.facts;
    const [up = "", down = ""] = (sold?.rateLimit ?? "").split(/[\s/]/).map(megabits);
    const number = { inputmode: "decimal" };
    const speed = { ...number, pattern: SPEED, title: words.speedHelp };
    return (
      <div class="fields">
        <Typing
          of={props}
          name="name"
          label={words.name}
          value={sold?.name ?? ""}
          required
          attributes={{ maxlength: 120 }}
        />
        <Typing
          of={props}
          name="price"
          label={words.price}
          prefix={currency}
          value={sold ? sold.price / 100 : ""}
          required
          attributes={number}
        />
        <Typing of={props} name="down" label={words.down} value={down} required attributes={speed} />
        <Typing of={props} name="up" label={words.up} value={up} required attributes={speed} />
        <Typing
          {...durationField(props.visit.view, "day", "month")}
          of={props}
          name="duration"
          label={words.lasts}
          value={props.visit.view.format.span(sold?.duration ?? 30, sold?.durationUnit ?? "day")}
          required
        />
      </div>
    );
  },
  router: (props) => {
    const { visit, router } = props;
    if (router) return <RouterStep visit={visit} router={router} />;
    const words = visit.view.words.start.router;
    return (
      <div class="fields">
        <Typing of={props} name="name" label={words.name} required attributes={{ maxlength: 120 }} />
        <Typing
          of={props}
          name="address"
          label={words.address}
          help={words.addressHelp}
          required
          attributes={{ spellcheck: "false", autocapitalize: "none" }}
        />
      </div>
    );
  },
  subscriber: (props) => {
    const { view } = props.visit;
    const words = view.words.start.subscriber;
    const { package: sold, currency } = props.facts;
    return (
      <>
        <div class="fields">
          <Typing of={props} name="name" label={words.name} required attributes={{ maxlength: 120 }} />
          <Typing
            of={props}
            name="mobile_number"
            type="tel"
            label={words.phone}
            required
            attributes={{ maxlength: 100 }}
          />
          <Typing of={props} name="nic_number" label={words.nic} attributes={{ maxlength: 100 }} />
          <Typing
            of={props}
            name="username"
            label={words.username}
            value={`user${randomInt(1000, 10_000)}`}
            required
            attributes={{ autocapitalize: "none", spellcheck: "false" }}
          />
          <Typing
            of={props}
            name="password"
            label={words.password}
            help={words.passwordHelp}
            value={newRecoveryCode()}
            required
            attributes={{ autocomplete: "off", spellcheck: "false" }}
          />
        </div>
        {sold && <Check name="paid" label={words.paid(view.format.sum(sold.price, currency))} />}
      </>
    );
  },
  backup_place: (props) => {
    const words = props.visit.view.words.start.backup_place;
    const { named } = props.facts.backups;
    const fault = props.faults["backup_folder"]?.join(" ");
    return (
      <Typing
        of={props}
        name="folder"
        label={words.folder}
        help={words.folderHelp}
        value={named}
        {...(fault !== undefined && { fault })}
        attributes={{ spellcheck: "false", autocapitalize: "none", placeholder: "/mnt/backups" }}
      />
    );
  },
  backup_passphrase: (props) => {
    const words = props.visit.view.words.start.backup_passphrase;
    const proposed = [newRecoveryCode(), newRecoveryCode()].join("-");
    return (
      <div class="fields">
        <Typing
          of={props}
          name="passphrase"
          label={words.passphrase}
          help={words.passphraseHelp}
          value={proposed}
          required
          attributes={{ autocomplete: "off", spellcheck: "false" }}
        />
        <Typing
          of={{ ...props, values: {} }}
          name="again"
          label={words.again}
          required
          attributes={{ autocomplete: "off", spellcheck: "false" }}
        />
      </div>
    );
  },
};
