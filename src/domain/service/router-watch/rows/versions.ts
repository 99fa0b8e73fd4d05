/** A known vulnerability of RouterOS, and the first fixed versions by release line. */
interface Hole {
  readonly hole: string;
  /** By major version; missing: never affected. */
  readonly mended: Readonly<Record<string, string>>;
  readonly address: string;
}

const advisory = (cve: string) => `https://nvd.nist.gov/vuln/detail/${cve}`;

/** Vulnerabilities that allow takeover or forged logins, with references. */
const holes: readonly Hole[] = [
  { hole: "CVE-2023-30799", mended: { 6: "6.49.7" }, address: advisory("CVE-2023-30799") },
  { hole: "CVE-2023-32154", mended: { 6: "6.49.8", 7: "7.9.1" }, address: advisory("CVE-2023-32154") },
  { hole: "CVE-2024-3596", mended: { 7: "7.15" }, address: advisory("CVE-2024-3596") },
  { hole: "CVE-2025-10948", mended: { 7: "7.20.1" }, address: advisory("CVE-2025-10948") },
];

/** Minimum versions where the router's own list says nothing. */
const least: Readonly<Record<string, string>> = { 6: "6.49.8", 7: "7.13" };

/** `7.13` of `7.13+,6.49.8+` (device-mode's allowed versions), for this release line. */
export function leastVersion(version: string, allowed = ""): string {
  const [line = ""] = version.split(".");
  const named = [...allowed.matchAll(/(\d+(?:\.\d+)+)\+/g)].map(([, one = ""]) => one);
  return named.find((one) => one.split(".")[0] === line) ?? least[line] ?? "";
}

/** Vulnerabilities of a version, each with the fixing version. */
export function findHoles(version: string): { hole: string; mended: string; address: string }[] {
  const [line = ""] = version.split(".");
  return holes.flatMap(({ hole, mended: fixed, address }) => {
    const by = fixed[line];
    return by !== undefined && isBefore(version, by) ? [{ hole, mended: by, address }] : [];
  });
}

/** Whether a version is older; a beta equals its version. */
export function isBefore(version: string, other: string): boolean {
  const [one, two] = [parseNumbers(version), parseNumbers(other)];
  for (let at = 0; at < Math.max(one.length, two.length); at++)
    if ((one[at] ?? 0) !== (two[at] ?? 0)) return (one[at] ?? 0) < (two[at] ?? 0);
  return false;
}

const parseNumbers = (version: string) =>
  (/^\d+(?:\.\d+)*/.exec(version)?.[0] ?? "").split(".").map((part) => Number(part));
