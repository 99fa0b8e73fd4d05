import type { Child } from "hono/jsx";

export function Facts({ facts }: { facts: readonly (readonly [label: Child, value: Child | null])[] }) {
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
