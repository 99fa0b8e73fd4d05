/** Folds usernames and e-mail addresses: lower case, composed. */
export function fold(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

/** Control, bidirectional and line-break characters. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Safe for a terminal: names come from routers and from anybody who logs in. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, "?");
}

/** JSON.stringify escapes only ASCII control characters. */
export function printableJson(json: string): string {
  return json.replace(UNPRINTABLE, (one) =>
    one === "\n"
      ? one
      : [...Array(one.length).keys()]
          .map((at) => `\\u${one.charCodeAt(at).toString(16).padStart(4, "0")}`)
          .join(""),
  );
}

/** Invisible and bidirectional characters, except joiners between letters. */
const UNSEEN = /(?![\u200C\u200D])\p{Cf}|(?<![\p{L}\p{M}])[\u200C\u200D]|[\u200C\u200D](?![\p{L}\p{M}])/gu;

/** Keeps joiners, which Persian, Urdu, Hindi and Bengali words need. */
export function withoutUnseen(text: string): string {
  // fast path: most texts are ASCII
  return /[\u0080-\uFFFF]/.test(text) ? text.replace(UNSEEN, "") : text;
}

export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** The address as AA:BB:CC:DD:EE:FF; undefined: it is none. */
export function parseMac(text: string): string | undefined {
  // fast path: routers send this form
  if (/^[0-9A-F]{2}(?::[0-9A-F]{2}){5}$/.test(text)) return text;
  const writings =
    /^(?:[0-9a-f]{2}(?::[0-9a-f]{2}){5}|[0-9a-f]{2}(?:-[0-9a-f]{2}){5}|[0-9a-f]{4}(?:\.[0-9a-f]{4}){2}|[0-9a-f]{4}(?:-[0-9a-f]{4}){2}|[0-9a-f]{12})$/i;
  if (!writings.test(text)) return undefined;
  return text
    .replace(/[^0-9a-f]/gi, "")
    .toUpperCase()
    .replace(/..(?=.)/g, "$&:");
}

/** A MAC-shaped User-Name in canonical form; undefined: none, or canonical. */
export function macName(name: string): string | undefined {
  const mac = name.length < 12 || name.length > 17 ? undefined : parseMac(name);
  return mac === undefined || fold(mac) === fold(name) ? undefined : fold(mac);
}

/**
 * The MAC of a Calling-Station-Id: any writing, RouterOS's DHCP form (a type, unpadded: `1:9c:d6:43:6c:a6:fd`), or one part
 * separated by # or blank, as Juniper and Cisco send beside the port. undefined: anything else.
 */
export function parseStationMac(station: string): string | undefined {
  const mac = parseMac(station);
  if (mac !== undefined) return mac;
  const bytes = station.split(":");
  if (bytes.length === 7) bytes.shift();
  if (bytes.length === 6) return parseMac(bytes.map((byte) => byte.padStart(2, "0")).join(":"));
  if (!/[# ]/.test(station)) return undefined;
  for (const part of station.split(/[# ]/)) {
    const found = parseMac(part);
    if (found !== undefined) return found;
  }
  return undefined;
}
