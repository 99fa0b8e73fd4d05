import type { Child } from "hono/jsx";
import type { Column } from "../pages/parts/table.tsx";

/** The id of the form that is the bar, of which the boxes of the rows are. */
export const CHOSEN = "chosen";

/** The head above the boxes, with the one that ticks all of the page where there is a script. */
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
  /** Follows how many are chosen: "chosen". */
  counted: string;
  /** What else the form is and does. */
  attributes?: Readonly<Record<string, string>>;
  children: Child;
}

/** What can be done to the rows that are chosen: floats above the list while some are. */
export function ChosenBar({ label, action, method, counted, attributes = {}, children }: BarProps) {
  return (
    <form id={CHOSEN} class="bulk-bar" action={action} method={method} aria-label={label} {...attributes}>
      <span class="bulk-count">
        <strong data-count /> {counted}
      </span>
      {children}
    </form>
  );
}
