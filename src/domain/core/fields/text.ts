/** The form in which usernames and e-mail addresses compare: without case, composed. */
export function fold(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

/** Control characters, and those that turn text round or break lines: what moves a cursor or hides what was said. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Text for one line of a terminal: names come from routers and from anybody who logs in, and must not control it. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, "?");
}

/** JSON whose strings hold no such character as it is; JSON.stringify escapes those of ASCII alone. */
export function printableJson(json: string): string {
  return json.replace(UNPRINTABLE, (one) =>
    one === "\n"
      ? one
      : [...Array(one.length).keys()]
          .map((at) => `\\u${one.charCodeAt(at).toString(16).padStart(4, "0")}`)
          .join(""),
  );
}

/** Of the characters that nobody sees, and that turn round or hide what is printed beside them, all but joiners between letters. */
const UNSEEN = /(?![\u200C\u200D])\p{Cf}|(?<![\p{L}\p{M}])[\u200C\u200D]|[\u200C\u200D](?![\p{L}\p{M}])/gu;

/** Without characters that nobody sees; joiners are part of Persian, Urdu, Hindi and Bengali words. */
export function withoutUnseen(text: string): string {
  // none of them is ASCII, as most texts are from end to end
  return /[\u0080-\uFFFF]/.test(text) ? text.replace(UNSEEN, "") : text;
}

/** Length in Unicode code points. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Any accepted writing of a MAC address to AA:BB:CC:DD:EE:FF; undefined when it is none. */
export function parseMac(text: string): string | undefined {
  // what routers send already has the form
  if (/^[0-9A-F]{2}(?::[0-9A-F]{2}){5}$/.test(text)) return text;
  const writings =
    /^(?:[0-9a-f]{2}(?::[0-9a-f]{2}){5}|[0-9a-f]{2}(?:-[0-9a-f]{2}){5}|[0-9a-f]{4}(?:\.[0-9a-f]{4}){2}|[0-9a-f]{4}(?:-[0-9a-f]{4}){2}|[0-9a-f]{12})$/i;
  if (!writings.test(text)) return undefined;
  return text
    .replace(/[^0-9a-f]/gi, "")
    .toUpperCase()
    .replace(/..(?=.)/g, "$&:");
}

/** A User-Name that is a MAC address, as subscribers are named by one; undefined where it is none, or has that form already. */
export function macName(name: string): string | undefined {
  const mac = name.length < 12 || name.length > 17 ? undefined : parseMac(name);
  return mac === undefined || fold(mac) === fold(name) ? undefined : fold(mac);
}

/**
 * The MAC address in a Calling-Station-Id: any accepted writing, RouterOS's DHCP form, a type and bytes that are not
 * padded (`1:9c:d6:43:6c:a6:fd`), or one part of several with a # or a blank between, as Juniper and Cisco have them beside their
 * port. undefined for anything else, such as a telephone number.
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
