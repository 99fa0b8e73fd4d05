import { Dated, isDate, type Option } from "./field.tsx";

interface PillProps {
  name: string;
  label: string;
  value?: string | number;
  chosen?: boolean;
  fault?: string | undefined;
}

/** A select as wide as its words. */
export function PillSelect({ options, value = "", ...pill }: PillProps & { options: readonly Option[] }) {
  const { name } = pill;
  return (
    <Pill {...pill}>
      <select id={`pill-${name}`} name={name} {...faulty(pill)}>
        {options.map((option) => (
          <option value={String(option.value)} selected={String(option.value) === String(value)}>
            {option.label}
          </option>
        ))}
      </select>
    </Pill>
  );
}

export function PillField({
  value = "",
  type = "date",
  attributes = {},
  ...pill
}: PillProps & {
  type?: "date" | "text" | "search";
  attributes?: Readonly<Record<string, string | number>>;
}) {
  const { name } = pill;
  const typed = { type, value: String(value), autocomplete: "off", ...attributes };
  const input = <input id={`pill-${name}`} name={name} {...typed} {...faulty(pill)} />;
  return <Pill {...pill}>{isDate(type) ? <Dated>{input}</Dated> : input}</Pill>;
}

function Pill({ name, label, chosen = false, fault, children }: PillProps & { children: unknown }) {
  return (
    <span class={["pill", chosen && "chosen", fault !== undefined && "wrong"].filter(Boolean).join(" ")}>
      <label for={`pill-${name}`}>{label}</label>
      {children}
      {fault !== undefined && (
        <span class="unseen" id={`pill-${name}-fault`}>
          {fault}
        </span>
      )}
    </span>
  );
}

function faulty({ name, fault }: PillProps) {
  return fault === undefined
    ? {}
    : { "aria-invalid": "true" as const, "aria-describedby": `pill-${name}-fault` };
}
