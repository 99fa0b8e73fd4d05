import { raw } from "hono/html";
import type { Child } from "hono/jsx";

interface FoldProps {
  summary: Child;
  kind?: string;
  /** Open though nothing in it is wrong. */
  open?: boolean;
  children: Child;
}

/**
 * Fields of a form that stand closed until somebody wants them. With a fault in it it is open: nobody looks for what is wrong where nothing
 * is to be seen. What it holds may not be required, for a browser stops at a required field that it cannot show and says nothing; a field
 * there has a value to begin with.
 */
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
