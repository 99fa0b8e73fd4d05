import type { Child } from "hono/jsx";

export function Key({ children }: { children: Child }) {
  return (
    <kbd class="key" aria-hidden="true">
      {children}
    </kbd>
  );
}
