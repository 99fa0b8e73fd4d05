import { raw } from "hono/html";
import type { Child } from "hono/jsx";

interface FoldProps {
  summary: Child;
  kind?: string;
  /** Open without a fault. */
  open?: boolean;
  children: Child;
}

/** Folded fields, opened by a fault. Not for required fields without a value: browsers block on hidden ones silently. */
export function Fold({ summary, kind = "", open = false, children }: FoldProps) {
  const text = String(<>{children}</>);
  const isWrong = text.includes('aria-invalid="true"');
  return (
    <details class={`fold ${kind}`.trim()} open={open || isWrong}>
      <summary>{summary}</summary>
      {raw(text)}
    </details>
  );
}
