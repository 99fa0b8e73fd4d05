import { formatAmount } from "../domain/core/amounts/money.ts";
import { printable } from "../domain/core/fields/text.ts";
import { volume } from "../domain/core/fields/volume.ts";
import type { Io, CellView } from "./io.ts";
import { paint, type Tone } from "./paint.ts";

const tones: Readonly<Record<string, Tone>> = {
  active: "good",
  online: "good",
  enabled: "good",
  ok: "good",
  expired: "bad",
  error: "bad",
  failed: "bad",
  disabled: "warning",
  warning: "warning",
  inactive: "quiet",
  offline: "quiet",
  skipped: "quiet",
  archived: "quiet",
};

export function state(word: string): CellView {
  return { text: word, tone: tones[word] };
}

/** A line that begins with a state; `width` is that of the longest state. */
export function printState(io: Io, word: string, width: number, rest: string): void {
  io.stdout.write(`${paint(io, word.padEnd(width), tones[word])}  ${printable(rest)}\n`);
}

export function cut(text: string, width: number): string {
  const signs = [...text];
  return signs.length <= width ? text : `${signs.slice(0, width - 1).join("")}…`;
}

/** Minor units; a debt is coloured. */
export function money(minor: number): CellView {
  return { text: formatAmount(minor), isFigure: true, tone: minor < 0 ? "bad" : undefined };
}

export function traffic(octets: number): CellView {
  return { text: volume(octets), isFigure: true };
}

/** `3 sessions`, `1 session`, `no sessions`. */
export function counted(count: number, one: string): string {
  return count === 1 ? `1 ${one}` : `${count === 0 ? "no" : count} ${one}s`;
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

export function named(names: ReadonlyMap<number | null, string>, id: number | null): string | number | null {
  const name = names.get(id);
  return name === undefined ? id : `${name} (${id})`;
}
