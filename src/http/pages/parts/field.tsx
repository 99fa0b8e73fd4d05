import type { Child } from "hono/jsx";

interface Labelled {
  name: string;
  label: string;
  help?: Child;
  fault?: string | undefined;
  /** Distinguishes equal names. */
  id?: string;
}

interface FieldProps extends Labelled {
  value?: string | number;
  type?: string;
  /** Such as a currency. */
  prefix?: string;
  required?: boolean;
  /** Further input attributes. */
  attributes?: Readonly<Record<string, string | number | boolean>>;
}

export function Field({
  value = "",
  type = "text",
  prefix,
  required,
  attributes = {},
  ...labelled
}: FieldProps) {
  const { name, fault } = labelled;
  const id = labelled.id ?? name;
  const plain = (
    <input
      id={id}
      name={name}
      type={type}
      value={String(value)}
      required={required === true}
      {...attributes}
      {...describedBy(id, labelled)}
    />
  );
  const input = isDate(type) ? <Dated>{plain}</Dated> : plain;
  return (
    <div class={fault === undefined ? "field" : "field wrong"}>
      <label for={id}>{labelled.label}</label>
      {prefix === undefined ? (
        input
      ) : (
        <div class="prefixed">
          <span aria-hidden="true">{prefix}</span>
          {input}
        </div>
      )}
      <Below id={id} labelled={labelled} />
    </div>
  );
}

export const isDate = (type: string) => type === "date" || type === "datetime-local";

export function Dated({ children }: { children: Child }) {
  return (
    <span class="dated">
      {children}
      <span aria-hidden="true" />
    </span>
  );
}

export interface Option {
  readonly value: string | number;
  readonly label: string;
  readonly kind?: string;
}

interface SelectProps extends Labelled {
  value?: string | number;
  options: readonly Option[];
  attributes?: Readonly<Record<string, string | number | boolean>>;
}

export function Select({ value = "", options, attributes = {}, ...labelled }: SelectProps) {
  const id = labelled.id ?? labelled.name;
  return (
    <div class={labelled.fault === undefined ? "field" : "field wrong"}>
      <label for={id}>{labelled.label}</label>
      <select id={id} name={labelled.name} {...attributes} {...describedBy(id, labelled)}>
        {options.map((option) => (
          <option
            value={String(option.value)}
            selected={String(option.value) === String(value)}
            data-kind={option.kind}
          >
            {option.label}
          </option>
        ))}
      </select>
      <Below id={id} labelled={labelled} />
    </div>
  );
}

interface TextProps extends Labelled {
  value?: string;
  rows?: number;
  maxLength?: number;
}

export function TextArea({ value = "", rows = 3, maxLength = 1000, ...labelled }: TextProps) {
  const id = labelled.id ?? labelled.name;
  return (
    <div class={labelled.fault === undefined ? "field" : "field wrong"}>
      <label for={id}>{labelled.label}</label>
      <textarea id={id} name={labelled.name} rows={rows} maxLength={maxLength} {...describedBy(id, labelled)}>
        {value}
      </textarea>
      <Below id={id} labelled={labelled} />
    </div>
  );
}

interface CheckProps {
  name: string;
  label: Child;
  value?: string;
  checked?: boolean;
  type?: "checkbox" | "radio";
  help?: Child;
  fault?: string | undefined;
  attributes?: Readonly<Record<string, string | number | boolean>>;
}

export function Check(props: CheckProps) {
  const {
    name,
    label,
    value = "1",
    checked = false,
    type = "checkbox",
    help,
    fault,
    attributes = {},
  } = props;
  const below = { name, label: "", help, fault };
  return (
    <>
      <label class="check">
        <input
          type={type}
          name={name}
          value={value}
          checked={checked}
          {...attributes}
          {...describedBy(name, below)}
        />
        <span>{label}</span>
      </label>
      <Below id={name} labelled={below} />
    </>
  );
}

function Below({ id, labelled: { help, fault } }: { id: string; labelled: Labelled }) {
  if (fault !== undefined)
    return (
      <p id={`${id}-fault`} class="fault">
        {fault}
      </p>
    );
  return help === undefined ? null : (
    <p id={`${id}-help`} class="hint">
      {help}
    </p>
  );
}

function describedBy(id: string, { help, fault }: Labelled) {
  if (fault !== undefined)
    return { "aria-invalid": "true", "aria-describedby": `${id}-fault`, autofocus: true } as const;
  return help === undefined ? {} : { "aria-describedby": `${id}-help` };
}
