import type { Child } from "hono/jsx";
import { Icon } from "../icons.tsx";

/** The parent page. */
export function Back({ href, children }: { href: string; children: Child }) {
  return (
    <a class="way-back" href={href}>
      <Icon name="back" />
      <bdi>{children}</bdi>
    </a>
  );
}
