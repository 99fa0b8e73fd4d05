import type { Child } from "hono/jsx";

interface TileProps {
  label: string;
  value: string;
  unit?: string;
  hint: string;
  tone?: "bad" | "warn" | undefined;
  children?: Child;
}

/** Characters in half a phone's width. */
const ROOMY = 9;

/** Zero-width direction marks. */
const MARKS = /[\u200e\u200f\u2066-\u2069]/g;

/** A figure with label and explanation. */
export function Tile({ label, value, unit, hint, tone = undefined, children }: TileProps) {
  return (
    <section class={`card tile ${tone ?? ""}`}>
      <h2 class="label">{label}</h2>
      <p class={value.replace(MARKS, "").length > ROOMY ? "value long" : "value"}>
        {value}
        {unit !== undefined && <span class="unit"> {unit}</span>}
      </p>
      <p class="hint">{hint}</p>
      {children}
    </section>
  );
}
