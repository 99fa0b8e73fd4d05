import type { Child } from "hono/jsx";

/** What is known of something, a line each; a fact without a value is left out. */
export function Facts({ facts }: { facts: readonly (readonly [label: string, value: Child | null])[] }) {
  return (
    <dl class="facts">
      {facts.map(
        ([label, value]) =>
          value !== null && (
            <div>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
