import type { Child } from "hono/jsx";
import type { DomainError, FieldErrors } from "../../../domain/core/errors/errors.ts";
import { type Input, RepeatedField } from "../../../domain/core/fields/fields.ts";
import { Check, Field, type Option, Select, TextArea } from "../../pages/parts/field.tsx";
import type { ConsoleView } from "../view.ts";
import { sentence } from "./phrases.ts";

interface Named {
  readonly name: string;
  /** The value before anybody typed. */
  readonly value?: string | number | undefined;
  /** The operation's name of the field, where it differs. */
  readonly faultOf?: string | readonly string[];
  /** Classes: `wide` takes a row, `code-field` is for machine text; other classes let a style hide what does not apply. */
  readonly kind?: string;
}

/** An input, a select, or a checkbox. */
interface UsualField extends Named {
  readonly label: string;
  readonly help?: Child;
  /** A line of text by default. */
  readonly as?: "password" | "lines" | "tick";
  readonly options?: readonly Option[];
  /** Shown before the input, such as a currency. */
  readonly prefix?: string;
  readonly required?: boolean;
  readonly max?: number;
  readonly rows?: number;
  /** Keeps spaces around it, which are part of a password. */
  readonly exact?: boolean;
  readonly attributes?: Readonly<Record<string, string | number | boolean>>;
}

/** A field with a control of its own, given value and fault. */
interface OwnField extends Named {
  readonly show: (at: { value: string | undefined; fault: string | undefined }) => Child;
}

export type FormField = UsualField | OwnField;

export type Values = Readonly<Record<string, string>>;

const isTick = (field: FormField) => "as" in field && field.as === "tick";

/** The sent values as typed; several of a name are one list. An unticked box and a control of its own send nothing. */
export function valuesIn(fields: readonly FormField[], input: Input): Values {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const sent = input[field.name];
      if (isTick(field)) return [[field.name, sent === "1" ? "1" : "0"]];
      if (sent instanceof RepeatedField) return [[field.name, sent.values.filter(isText).join(AMONG)]];
      if (isText(sent)) return [[field.name, sent]];
      return "show" in field ? [[field.name, ""]] : [];
    }),
  );
}

const AMONG = ", ";

export function ticks(name: string, options: readonly { value: string; label: Child }[]): FormField[] {
  const all = options.map(({ value }) => value).join(AMONG);
  return options.map(({ value, label }) => ({
    name,
    value: all,
    show: ({ value: ticked = "" }) => (
      <Check name={name} value={value} label={label} checked={ticked.split(AMONG).includes(value)} />
    ),
  }));
}

const isText = (value: unknown): value is string => typeof value === "string";

/** Values as an operation reads them: trimmed, lines as stored. */
export function trimmed(fields: readonly FormField[], values: Values): Values {
  const isExact = (field: FormField) => "label" in field && (field.exact === true || field.as === "password");
  const kept = new Set(fields.filter(isExact).map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      kept.has(name) ? value : value.replaceAll("\r\n", "\n").trim(),
    ]),
  );
}

const faultNames = ({ name, faultOf = name }: Named) => [faultOf].flat();

function faultIn(faults: FieldErrors, field: Named): string | undefined {
  const [found] = faultNames(field).flatMap((name) => faults[name] ?? []);
  return found && sentence(found);
}

/** Secrets, which are not sent back, as faults that ask for them again. */
export function lostIn(fields: readonly FormField[], values: Values, again: string): FieldErrors {
  const lost = fields.filter((field) => "as" in field && field.as === "password" && values[field.name]);
  return Object.fromEntries(lost.map(({ name }) => [name, [again]]));
}

/** Faults of no field of the form. */
export function faultsBeside(
  { words: { errors, list } }: ConsoleView,
  fields: readonly FormField[],
  { message, fields: faults = {} }: DomainError,
): string[] {
  const record = new Set(fields.flatMap(faultNames));
  const named = Object.entries(faults);
  if (named.length === 0) return [message];
  return named.flatMap(([name, found]) =>
    record.has(name)
      ? []
      : [errors.wrong(errors.names[name] ?? name.replaceAll("_", " "), null, found.join(list.comma))],
  );
}

interface FieldProps {
  field: FormField;
  values: Values;
  faults: FieldErrors;
}

/** A field with its typed or stored value and its fault. */
export function FieldControl({ field, values, faults }: FieldProps) {
  const fault = faultIn(faults, field);
  const value = values[field.name] ?? field.value;
  const one =
    "show" in field ? (
      field.show({ value: toText(value), fault })
    ) : (
      <Usual field={field} value={value} fault={fault} />
    );
  return field.kind === undefined ? <>{one}</> : <div class={field.kind}>{one}</div>;
}

const toText = (value: string | number | undefined) => (value === undefined ? undefined : String(value));

function Usual({
  field,
  value = "",
  fault,
}: {
  field: UsualField;
  value: string | number | undefined;
  fault: string | undefined;
}) {
  const { name, label, help, as, options, prefix, required, max, rows } = field;
  const labelled = { name, label, help, fault };
  const attributes = { ...field.attributes, ...(max !== undefined && { maxlength: max }) };
  if (options) return <Select {...labelled} value={value} options={options} attributes={attributes} />;
  if (as === "lines")
    return (
      <TextArea
        {...labelled}
        value={String(value)}
        {...(rows && { rows })}
        {...(max && { maxLength: max })}
      />
    );
  if (as === "tick") return <Check {...labelled} checked={String(value) === "1"} attributes={attributes} />;
  return (
    <Field
      {...labelled}
      value={as === "password" ? "" : value}
      {...(as && { type: as })}
      {...(prefix !== undefined && { prefix })}
      required={required === true}
      attributes={{ autocomplete: "off", ...attributes }}
    />
  );
}
