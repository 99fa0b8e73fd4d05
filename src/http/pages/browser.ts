const browsers: readonly [name: string, form: RegExp][] = [
  ["Edge", /\bEdgA?\//],
  ["Opera", /\bOPR\//],
  ["Firefox", /\b(?:Firefox|FxiOS)\//],
  ["Chrome", /\b(?:Chrome|CriOS)\//],
  ["Safari", /\bSafari\//],
];
const systems: readonly [name: string, form: RegExp][] = [
  ["Android", /\bAndroid\b/],
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Windows", /\bWindows\b/],
  ["Mac", /\bMacintosh\b/],
  ["Linux", /\bLinux\b/],
];

/** The usual name of a browser, else its own User-Agent. */
export function browserName(userAgent: string | null): string | undefined {
  if (userAgent === null || userAgent === "") return undefined;
  const named = (list: typeof browsers) => list.find(([, form]) => form.test(userAgent))?.[0];
  const browser = named(browsers);
  const system = named(systems);
  if (browser === undefined) return userAgent.slice(0, 40);
  return system === undefined ? browser : `${browser}, ${system}`;
}
