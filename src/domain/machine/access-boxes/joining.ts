import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import type { Joining } from "./boxes.ts";
import { KeyRing } from "./key-ring.ts";

const LINE = "gatehouse-box:";

/** Whoever has this line is the box. */
export function joinLine(joining: Joining): string {
  return LINE + Buffer.from(JSON.stringify(joining)).toString("base64url");
}

/** Ignores line breaks. Throws `invalid` for no join line, or a part of one. */
export function parseJoining(text: string): Joining {
  const [, packed = ""] = new RegExp(`${LINE}([A-Za-z0-9_-]+)`).exec(text.replaceAll(/\s+/g, "")) ?? [];
  try {
    const joining = JSON.parse(Buffer.from(packed, "base64url").toString()) as Joining; // as joinLine wrote it
    const ring = KeyRing.of(Buffer.from(joining.keys ?? joining.key ?? "", "base64"));
    if (ring.findKey(`gatehouse.home.${joining.name}`)) return joining;
  } catch {
    // incomplete
  }
  throw new DomainError(
    "invalid",
    phrase`that is no line of \`gatehouse box add\`, or not all of it; it begins with ${LINE}`,
  );
}
