import { rateLimit } from "../../goods/packages/fields.ts";

const UNITS: Readonly<Record<string, number>> = { "": 1, k: 1e3, m: 1e6, g: 1e9 };

const LONGEST = 250;

export function readRateText(text: string): string | undefined {
  if (text.length > LONGEST) return undefined;
  const parts = text
    .trim()
    .replace(/\s*\/\s*/g, "/")
    .split(/\s+/);
  const read = parts.map((part, index) => {
    if (index === 4) return part;
    return part
      .split("/")
      .map((side) => (index === 3 ? side.replace(/s$/i, "") : parseSpeed(side)))
      .join("/");
  });
  return rateLimit.read(read.join(" "));
}

export function formatRate(up: number, down: number): string | undefined {
  return up === 0 && down === 0 ? undefined : rateLimit.read(`${bitsText(up)}/${bitsText(down)}`);
}

function parseSpeed(text: string): string {
  const [, digits = "", unit = ""] = /^(\d+(?:\.\d+)?)([kmg]?)(?:bps|bit\/s)?$/i.exec(text) ?? [];
  return digits === "" ? text : bitsText(Math.round(Number(digits) * (UNITS[unit.toLowerCase()] ?? 1)));
}

function bitsText(bits: number): string {
  if (bits !== 0 && bits % 1e6 === 0) return `${bits / 1e6}M`;
  return bits !== 0 && bits % 1e3 === 0 ? `${bits / 1e3}k` : String(bits);
}
