import type { Child } from "hono/jsx";
import { drawerLink } from "../frame.tsx";

interface HitProps {
  href: string;
  person: {
    readonly name: string;
    readonly username: string;
    readonly mobile: string | null;
    readonly package: Child;
  };
  children?: Child;
}

/** Somebody who was found, and leads to a drawer. */
export function Hit({ href, person: { name, username, mobile, package: sold }, children }: HitProps) {
  return (
    <li>
      <a href={href} {...drawerLink(href)}>
        <strong>
          <bdi>{name}</bdi>
          {children}
        </strong>
        <span class="hint">
          <bdi class="mono">{username}</bdi>
          {mobile !== null && (
            <>
              {" "}
              · <bdi>{mobile}</bdi>
            </>
          )}{" "}
          · {sold}
        </span>
      </a>
    </li>
  );
}
