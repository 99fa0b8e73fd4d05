/** A hole that is known of RouterOS, and the first versions of each line without it. */
interface Hole {
  readonly hole: string;
  /** By the first number of a version; a line that is not named was never open. */
  readonly mended: Readonly<Record<string, string>>;
  readonly address: string;
}

const advisory = (cve: string) => `https://nvd.nist.gov/vuln/detail/${cve}`;

/** Holes by which a router is taken, or its logins forged, and where that is said. */
const holes: readonly Hole[] = [
  { hole: "CVE-2023-30799", mended: { 6: "6.49.7" }, address: advisory("CVE-2023-30799") },
  { hole: "CVE-2023-32154", mended: { 6: "6.49.8", 7: "7.9.1" }, address: advisory("CVE-2023-32154") },
  { hole: "CVE-2024-3596", mended: { 7: "7.15" }, address: advisory("CVE-2024-3596") },
  { hole: "CVE-2025-10948", mended: { 7: "7.20.1" }, address: advisory("CVE-2025-10948") },
];

/** What a version should be at the least, where a router's own list of versions says nothing. */
const least: Readonly<Record<string, string>> = { 6: "6.49.8", 7: "7.13" };

/** `7.13` of `7.13+,6.49.8+`, as device-mode names the versions that it allows, of the line of this version. */
export function leastOf(version: string, allowed = ""): string {
  const [line = ""] = version.split(".");
  const named = [...allowed.matchAll(/(\d+(?:\.\d+)+)\+/g)].map(([, one = ""]) => one);
  return named.find((one) => one.split(".")[0] === line) ?? least[line] ?? "";
}

/** Holes that a version has, each with the version that mends it. */
export function holesOf(version: string): { hole: string; mended: string; address: string }[] {
  const [line = ""] = version.split(".");
  return holes.flatMap(({ hole, mended: fixed, address }) => {
    const by = fixed[line];
    return by !== undefined && isBefore(version, by) ? [{ hole, mended: by, address }] : [];
  });
}

/** Whether a version is older than another; a beta is its version. */
export function isBefore(version: string, other: string): boolean {
  const [one, two] = [numbersOf(version), numbersOf(other)];
  for (let at = 0; at < Math.max(one.length, two.length); at++)
    if ((one[at] ?? 0) !== (two[at] ?? 0)) return (one[at] ?? 0) < (two[at] ?? 0);
  return false;
}

const numbersOf = (version: string) =>
  (/^\d+(?:\.\d+)*/.exec(version)?.[0] ?? "").split(".").map((part) => Number(part));
