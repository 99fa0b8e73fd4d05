const units: Readonly<Record<string, number>> = { w: 604_800, d: 86_400, h: 3600, m: 60, s: 1 };

export function parseSeconds(text: string | undefined): number | undefined {
  const parts = /^((?:\d+[wdhms])*)(?:(\d+):(\d\d):(\d\d)|(\d+))?$/.exec(text ?? "");
  if (!text || !parts) return undefined;
  const [, named = "", hours = "0", minutes = "0", seconds = "0", plain = "0"] = parts;
  let sum = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(plain);
  for (const [, count, unit = "s"] of named.matchAll(/(\d+)([wdhms])/g))
    sum += Number(count) * (units[unit] ?? 0);
  return sum;
}

const sizes: Readonly<Record<string, number>> = { k: 1, m: 2, g: 3, t: 4 };

export function parseBytes(text: string | undefined): number | undefined {
  const parts = /^(\d+(?:\.\d+)?)([kmgt])?(?:i?b)?$/i.exec(text ?? "");
  if (!parts) return undefined;
  const bytes = Math.round(Number(parts[1]) * 1024 ** (sizes[parts[2]?.toLowerCase() ?? ""] ?? 0));
  return bytes > 0 && Number.isSafeInteger(bytes) ? bytes : undefined;
}

/** "10000000B" is "10M"; undefined for 0 and none. */
export function parseBits(text: string | undefined): string | undefined {
  const parts = /^(\d+(?:\.\d+)?)([kmg])?(?:bps|b)?$/i.exec(text ?? "");
  if (!parts) return undefined;
  const bits = Math.round(Number(parts[1]) * 1000 ** (sizes[parts[2]?.toLowerCase() ?? ""] ?? 0));
  if (bits === 0) return undefined;
  if (bits % 1_000_000 === 0) return `${bits / 1_000_000}M`;
  return bits % 1000 === 0 ? `${bits / 1000}k` : String(bits);
}

export function parseRateLimit(text: string | undefined): string | null {
  if (!text) return null;
  const [rate = "", burst, threshold, time, priority, minimum] = text.trim().split(/\s+/);
  const pair = (part: string | undefined) =>
    part
      ?.split("/")
      .map((one) => parseBits(one) ?? one)
      .join("/");
  const parts = [pair(rate), pair(burst), pair(threshold), time, priority, pair(minimum)];
  return parts.filter((part) => part !== undefined).join(" ");
}

export function isYes(text: string | undefined): boolean {
  return text === "yes" || text === "true";
}

/** Quoted for a RouterOS command. */
export function quoted(text: string): string {
  const escaped = text.replaceAll(/["\\$?]/g, String.raw`\$&`);
  return `"${escaped.replaceAll("\n", String.raw`\n`).replaceAll("\r", String.raw`\r`)}"`;
}

const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/** Whether a value is an address and no pool's name. */
export function isAddress(text: string | undefined): text is string {
  return text !== undefined && (IPV4.test(text) || text.includes(":"));
}
