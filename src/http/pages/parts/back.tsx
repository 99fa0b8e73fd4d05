import type { Child } from "hono/jsx";
import { Icon } from "../icons.tsx";

/** Where a page hangs, as the way there: the list that it is one of, the page that it belongs to. */
export function Back({ href, children }: { href: string; children: Child }) {
  return (
    <a class="way-back" href={href}>
      <Icon name="back" />
      <bdi>{children}</bdi>
    </a>
  );
}
