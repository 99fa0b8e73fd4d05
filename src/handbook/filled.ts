/** What stands in capitals in commands: what is known of this box and of whoever reads. */
export interface Known {
  /** Where the reader has reached the console: host, and its port where it is not the usual one. */
  readonly box?: string;
  readonly router?: string | undefined;
  readonly routerAddress?: string | undefined;
  readonly isp?: number | null;
  readonly ispName?: string;
  readonly account?: string;
  readonly publicHost?: string | undefined;
}

/** What a shell takes as one word; names of ISPs stand within quotes. */
const word = /^[\w.:@-]+$/;
const quoted = /^[\p{L}\p{N} ._:@&-]+$/u;

/** Markdown with these words in place of those in capitals, within code; what is unknown, or no word of a command, stays. */
export function filled(text: string, known: Known): string {
  const {
    box = "",
    router = "",
    routerAddress = "",
    isp,
    ispName = "",
    account = "",
    publicHost = "",
  } = known;
  const words: readonly (readonly [RegExp, string, RegExp])[] = [
    [/\bBOX:8080\b/g, box, word],
    [/\bBOX\b/g, box.replace(/:\d+$/, ""), word],
    [/\bROUTER-ADDRESS\b/g, routerAddress, word],
    [/\bROUTER\b/g, router, word],
    [/\bPUBLIC-HOST\b/g, publicHost, word],
    [/\bISP-NAME\b/g, ispName, quoted],
    [/\bISP\b/g, isp ? String(isp) : "", word],
    [/\bACCOUNT\b/g, account, word],
  ];
  const inCode = (code: string) =>
    words.reduce(
      (done, [mark, value, pattern]) => (pattern.test(value) ? done.replaceAll(mark, () => value) : done),
      code,
    );
  return text.replaceAll(/^```[^]*?^```$|`[^`\n]+`/gm, inCode);
}
