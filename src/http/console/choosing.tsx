import type { Child } from "hono/jsx";
import type { Column } from "../pages/parts/table.tsx";

/** The id of the bar's form, to which the rows' checkboxes belong. */
export const CHOSEN = "chosen";

/** The column of checkboxes; its head ticks the whole page where there is a script. */
export function chooseColumn(words: { all: string; title: string }): Column {
  return {
    kind: "choose",
    title: (
      <>
        <input type="checkbox" data-choose-all hidden aria-label={words.all} />
        <span class="unseen">{words.title}</span>
      </>
    ),
  };
}

export function Choose({
  name,
  value,
  label,
  disabled = false,
}: {
  name: string;
  value: string;
  label: string;
  disabled?: boolean;
}) {
  return (
    <td class="choose">
      <label>
        <input
          type="checkbox"
          name={name}
          value={value}
          disabled={disabled}
          form={CHOSEN}
          aria-label={label}
        />
      </label>
    </td>
  );
}

interface BarProps {
  label: string;
  action: string;
  method: "get" | "post";
  /** Shown after the count: "chosen". */
  counted: string;
  /** Further attributes of the form. */
  attributes?: Readonly<Record<string, string>>;
  children: Child;
}

/** Actions on the chosen rows; floats above the list while some are chosen. */
export function ChosenBar({ label, action, method, counted, attributes = {}, children }: BarProps) {
  return (
    <form id={CHOSEN} class="bulk-bar" action={action} method={method} aria-label={label} {...attributes}>
      <span class="nowrap">
        <strong data-count /> {counted}
      </span>
      {children}
    </form>
  );
}
