import type { Environment } from "../config/env.ts";

export type Tone = "good" | "bad" | "warning" | "quiet" | "strong";

/** Codes of the sixteen colours that every terminal has, in its own scheme (ECMA-48, SGR). */
const codes: Readonly<Record<Tone, number>> = { good: 32, bad: 31, warning: 33, quiet: 2, strong: 1 };

/** Colours are for a terminal that has them, and for people who have not declined them (NO_COLOR, no-color.org). */
export function wantsColors(isTerminal: boolean | undefined, env: Environment): boolean {
  return isTerminal === true && !env["NO_COLOR"] && env["TERM"] !== "dumb";
}

export function paint(
  { isColored }: { readonly isColored?: boolean },
  text: string,
  tone: Tone | undefined,
): string {
  return isColored && tone !== undefined ? `\x1b[${codes[tone]}m${text}\x1b[0m` : text;
}
