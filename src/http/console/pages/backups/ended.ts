import { stopped } from "../../parts/phrases.ts";

/** Domain sentences have no full stop. */
export function ended(text: string): string {
  return stopped(text.startsWith("/") ? text : text.charAt(0).toUpperCase() + text.slice(1));
}
