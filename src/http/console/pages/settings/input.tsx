import { ZoneSelect } from "../../parts/zone.tsx";
import { type Input, RepeatedField } from "../../../../domain/core/fields/fields.ts";
import type { SettingKey } from "../../../../domain/core/settings/settings.ts";
import { Check, Field, Select, TextArea } from "../../../pages/parts/field.tsx";
import { listSellers } from "../../../../domain/people/staff/salesperson.ts";
import type { StaffVisit } from "../../guard.ts";
import type { ConsoleView } from "../../view.ts";
import { durationField, durationSent, unitsText } from "../../parts/duration.ts";
import { controls, settingTimeUnit } from "./controls.ts";

interface InputProps {
  visit: Pick<StaffVisit, "view" | "db" | "by">;
  name: SettingKey;
  /** The typed value, else the stored one. */
  value: string;
  fault?: string | undefined;
}

export function SettingInput({ visit, name, value, fault }: InputProps) {
  const { view } = visit;
  const { settings } = view.words;
  const { kind, unit } = controls[name];
  const { name: label, text: help } = settings.words[name];
  const labelled = { name, label, help, fault };
  switch (kind) {
    case "number": {
      const time = settingTimeUnit(name);
      if (time) {
        const { help: such, attributes } = durationField(view, time);
        const text = /^\d{1,9}$/.test(value) ? unitsText(view, Number(value), time) : value;
        return <Field {...labelled} help={`${help} ${such}`} value={text} required attributes={attributes} />;
      }
      return (
        <Field
          {...labelled}
          label={unit ? `${label} (${settings.units[unit](2)})` : label}
          value={value}
          required
          attributes={{ inputmode: unit === "percent" ? "decimal" : "numeric", autocomplete: "off" }}
        />
      );
    }
    case "switch":
      return (
        <Choices
          {...labelled}
          value={value}
          of={[
            ["true", settings.on],
            ["false", settings.off],
          ]}
        />
      );
    case "unique":
      return (
        <Choices
          {...labelled}
          value={value}
          of={[
            ["1", settings.unique],
            ["0", settings.shared],
          ]}
        />
      );
    case "seller": {
      const people = listSellers(visit.db, visit.by);
      const options = people.map(({ username, name: called }) => ({ value: username, label: called }));
      return (
        <Select
          {...labelled}
          value={value}
          options={[{ value: "", label: settings.firstAdmin }, ...options]}
        />
      );
    }
    case "zone":
      return <ZoneSelect {...labelled} value={value} first={settings.zoneOfMachine} />;
    case "lines":
      return <TextArea {...labelled} value={value.replaceAll(/\s*\|\s*/g, "\n")} rows={4} maxLength={500} />;
    case "methods":
      return <Methods view={view} value={value} fault={fault} />;
    case "color":
      return (
        <Field {...labelled} value={value} required attributes={{ maxlength: 7, spellcheck: "false" }} />
      );
    case "text":
    case "path":
    case "logo":
      return (
        <Field
          {...labelled}
          value={value}
          attributes={{ maxlength: 1000, autocomplete: "off", spellcheck: "false" }}
        />
      );
  }
}

interface ChoicesProps {
  name: string;
  label: string;
  help: string;
  fault: string | undefined;
  value: string;
  of: readonly (readonly [value: string, label: string])[];
}

function Choices({ name, label, help, fault, value, of }: ChoicesProps) {
  return (
    <fieldset class="stack near">
      <legend class="legend">{label}</legend>
      <div class="choices">
        {of.map(([one, title]) => (
          <label>
            <input type="radio" name={name} value={one} checked={one === value} />
            {title}
          </label>
        ))}
      </div>
      <p class={fault === undefined ? "hint" : "fault"}>{fault ?? help}</p>
    </fieldset>
  );
}

const known = ["cash", "bank", "mobile", "card", "online", "other"];
const MORE = "payment_methods_more";

function Methods({
  view: { words },
  value,
  fault,
}: {
  view: ConsoleView;
  value: string;
  fault: string | undefined;
}) {
  const { settings, pay } = words;
  const names = value.split(",").map((name) => name.trim());
  const others = names.filter((name) => !known.includes(name));
  return (
    <fieldset class="stack near">
      <legend class="legend">{settings.words.payment_methods.name}</legend>
      <div class="row">
        {known.map((name) => (
          <Check
            name="payment_methods"
            value={name}
            checked={names.includes(name)}
            label={pay.methodName(name)}
          />
        ))}
      </div>
      <Field
        name={MORE}
        label={settings.otherMethods}
        help={settings.otherMethodsHelp}
        fault={fault}
        value={others.join(", ")}
        attributes={{ autocomplete: "off", autocapitalize: "none", spellcheck: "false", maxlength: 200 }}
      />
    </fieldset>
  );
}

/** What a form says of a setting; undefined where it is not in the form. */
export function storedText(view: ConsoleView, input: Input, key: SettingKey): string | undefined {
  const sent = input[key];
  if (controls[key].kind === "methods") {
    const more = input[MORE];
    if (sent === undefined && more === undefined) return undefined;
    const chosen = sent instanceof RepeatedField ? sent.values : [sent];
    const names = [...chosen, ...(typeof more === "string" ? more.split(",") : [])];
    return names
      .map((name) => (typeof name === "string" ? name.trim() : ""))
      .filter((name) => name !== "")
      .join(", ");
  }
  if (typeof sent !== "string") return undefined;
  if (controls[key].kind === "lines") return sent.replaceAll("\r\n", "\n").trim();
  const time = settingTimeUnit(key);
  return time ? durationSent(view, sent.trim(), time) : sent.trim();
}
