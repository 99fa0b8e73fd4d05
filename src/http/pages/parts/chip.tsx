import type { Child } from "hono/jsx";

export type Tone = "good" | "warn" | "bad" | "quiet";

/** A word for what differs from normal. */
export function Chip({ tone = "quiet", children }: { tone?: Tone; children: Child }) {
  return <span class={`chip ${tone}`}>{children}</span>;
}

/** What a line does: a dot is online, a ring offline, a half one at the pay page or unsure, a diamond refused or silent. */
export type LineState = "online" | "offline" | "half" | "refused";

/** Stands before the word that says the same. */
export function Dot({ state }: { state: LineState }) {
  return <span class={`dot ${state}`} aria-hidden="true" />;
}

/** How many, beside a title. */
export function Count({ children }: { children: Child }) {
  return <span class="count">{children}</span>;
}
