import type { Child } from "hono/jsx";

interface FigureProps {
  label: string;
  value: string;
  unit?: string;
  hint: Child;
  href: string;
  tone?: "bad" | "warn";
}

export function Figure({ label, value, unit, hint, href, tone }: FigureProps) {
  return (
    <a class={`card figure ${tone ?? ""}`} href={href}>
      <span class="label">{label}</span>
      <span class="value">
        {unit !== undefined && <span class="unit">{unit}</span>}
        {value}
      </span>
      <span class="hint">{hint}</span>
    </a>
  );
}
