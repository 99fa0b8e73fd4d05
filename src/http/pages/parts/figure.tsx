import type { Child } from "hono/jsx";

interface FigureProps {
  label: string;
  value: string;
  unit?: string;
  /** Whether the reader's language has the unit behind the number. */
  isUnitLast?: boolean;
  hint: Child;
  href: string;
  tone?: "bad" | "warn";
}

export function Figure({ label, value, unit, isUnitLast = false, hint, href, tone }: FigureProps) {
  const sign = unit !== undefined && <span class="unit">{unit}</span>;
  return (
    <a class={`card figure ${tone ?? ""}`} href={href}>
      <span class="label">{label}</span>
      <span class="value">
        {!isUnitLast && sign}
        {value}
        {isUnitLast && (
          <>
            {"\u00a0"}
            {sign}
          </>
        )}
      </span>
      <span class="hint">{hint}</span>
    </a>
  );
}
