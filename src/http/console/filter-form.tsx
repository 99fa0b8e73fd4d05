import type { Child } from "hono/jsx";

/** Filters of a page: sent by its button, and where there is a script as soon as one changes, in place. `href` is the page itself. */
export function FilterForm({ href, kind, children }: { href: string; kind: string; children: Child }) {
  return (
    <form
      class={kind}
      action={href}
      method="get"
      hx-get={href}
      hx-trigger="change"
      hx-target="#content"
      hx-select="#content"
      hx-swap="outerMorph"
      hx-push-url="true"
    >
      {children}
    </form>
  );
}
