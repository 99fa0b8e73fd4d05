import type { Child } from "hono/jsx";

export type Tone = "good" | "warn" | "bad" | "quiet";

export function Chip({ tone = "quiet", children }: { tone?: Tone; children: Child }) {
  return <span class={`chip ${tone}`}>{children}</span>;
}

/** Dot online, ring offline, half at the pay page or unsure, diamond refused or silent. */
export type LineState = "online" | "offline" | "half" | "refused";

/** A dot in the colour of a line's state, beside its word. */
export function Dot({ state }: { state: LineState }) {
  return <span class={`dot ${state}`} aria-hidden="true" />;
}

export function Count({ children }: { children: Child }) {
  return <span class="count">{children}</span>;
}

export function Key({ children }: { children: Child }) {
  return (
    <kbd class="key" aria-hidden="true">
      {children}
    </kbd>
  );
}
