import type { Child } from "hono/jsx";
import { Icon } from "./icons.tsx";

/** What just happened; bad news is read out at once. */
export function Note({ kind, children }: { kind: "good" | "bad"; children: Child }) {
  return (
    <p class={`note ${kind}`} role={kind === "bad" ? "alert" : "status"}>
      <Icon name={kind === "bad" ? "alert" : "check"} />
      <span>{children}</span>
    </p>
  );
}
