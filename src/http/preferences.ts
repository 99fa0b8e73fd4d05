import { type Form, usualForm } from "../wire/time.ts";

/** The form that `Prefer` asks for (RFC 7240), and what of it is heeded; undefined: the usual. */
export function preferredForm({ headers }: Request): { form: Form; applied: string } | undefined {
  const prefer = headers.get("prefer");
  if (prefer === null || !/(?:^|,)\s*time\s*=\s*"?iso"?\s*(?:[,;]|$)/i.test(prefer)) return undefined;
  return { form: { ...usualForm, time: "iso" }, applied: "time=iso" };
}
