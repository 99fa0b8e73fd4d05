import type { Child } from "hono/jsx";
import { Icon } from "./icons.tsx";

export function Note({ kind, children }: { kind: "good" | "bad" | "wait"; children: Child }) {
  return (
    <p class={`note ${kind}`} role={kind === "good" ? "status" : "alert"}>
      <Icon name={kind === "good" ? "check" : "alert"} />
      <span>{children}</span>
    </p>
  );
}
