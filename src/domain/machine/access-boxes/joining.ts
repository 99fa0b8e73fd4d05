import { DomainError } from "../../core/errors/errors.ts";
import type { Joining } from "./boxes.ts";
import { KeyRing } from "./key-ring.ts";

/** What begins the line that a box joins with. */
const LINE = "gatehouse-box:";

/** All that a box joins with, as one line to copy; whoever has it is that box. */
export function joinLine(joining: Joining): string {
  return LINE + Buffer.from(JSON.stringify(joining)).toString("base64url");
}

/** What such a line says, wherever it was broken. Throws `invalid` for what is none, or not all of it. */
export function joiningOf(text: string): Joining {
  const [, packed = ""] = new RegExp(`${LINE}([A-Za-z0-9_-]+)`).exec(text.replaceAll(/\s+/g, "")) ?? [];
  try {
    const joining = JSON.parse(Buffer.from(packed, "base64url").toString()) as Joining; // as joinLine wrote it
    const ring = KeyRing.of(Buffer.from(joining.keys ?? joining.key ?? "", "base64"));
    if (ring.keyOf(`gatehouse.home.${joining.name}`)) return joining;
  } catch {
    // not whole
  }
  throw new DomainError(
    "invalid",
    `that is no line of \`gatehouse box add\`, or not all of it; it begins with ${LINE}`,
  );
}
