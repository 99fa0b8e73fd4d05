import { type Form, usualForm } from "../wire/form.ts";

const TIME = "time=iso";
const MONEY = "money=minor";

/** The form that `Prefer` asks for (RFC 7240), and what of it is heeded; undefined: the usual. */
export function preferredForm({ headers }: Request): { form: Form; applied: string } | undefined {
  const prefer = headers.get("prefer");
  if (prefer === null) return undefined;
  const texts = prefer.split(",").map((one) => one.replace(/;.*/, "").replaceAll(/[\s"]/g, "").toLowerCase());
  const said = new Set(texts);
  const [isIso, hasMinor] = [said.has(TIME), said.has(MONEY)];
  if (!isIso && !hasMinor) return undefined;
  return {
    form: { time: isIso ? "iso" : usualForm.time, money: hasMinor ? "minor" : usualForm.money },
    applied: [isIso && TIME, hasMinor && MONEY].filter(Boolean).join(", "),
  };
}

/** Corrects the headers of an answer that is given again: its times are as they were written. */
export function heededAgain(headers: Record<string, string | number>): void {
  const isMinor = String(headers["preference-applied"] ?? "").includes(MONEY);
  if (isMinor) headers["preference-applied"] = MONEY;
  else delete headers["preference-applied"];
}
