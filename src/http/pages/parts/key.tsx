import type { Child } from "hono/jsx";

/** A key of the keyboard, as it is written on it. */
export function Key({ children }: { children: Child }) {
  return (
    <kbd class="key" aria-hidden="true">
      {children}
    </kbd>
  );
}
