import type { Noted } from "./noted.ts";
import type { Plans } from "./plans.ts";
import { rowFaults } from "./rows.ts";
import { growing, scans } from "./scans.ts";
import type { Site } from "./sites.ts";
import { fits } from "./texts.ts";

/** What is wrong with the statements, each with its place. */
export function findFaults(
  sites: readonly Site[],
  noted: readonly Noted[],
  { isWhole, plans }: { isWhole: boolean; plans: Plans },
): readonly string[] {
  const run = runBySite(sites, noted);
  const texts = [...new Set(noted.map(({ text }) => text))];
  return [
    ...unknownPlaces(noted, run),
    ...sites.flatMap((site) => findRowFaults(site, run)),
    ...(isWhole ? sites.flatMap((site) => neverRun(site, texts)) : []),
    ...scanned(noted, isWhole, plans),
  ];
}

type Run = ReadonlyMap<Site, readonly Noted[]>;

const firstPlace = ({ places: [place = ""] }: Noted) => place;
const fileOf = (noted: Noted) => firstPlace(noted).split(":")[0] ?? "";

/** What was compiled at each call: of calls that share a line the one whose text it is. */
function runBySite(sites: readonly Site[], noted: readonly Noted[]): Run {
  const inFile = Map.groupBy(sites, ({ file }) => file);
  const found = noted.flatMap((one): { site: Site; one: Noted }[] => {
    const line = Number(firstPlace(one).split(":")[1]);
    const [site] = (inFile.get(fileOf(one)) ?? [])
      .filter(({ first, last }) => first <= line && line <= last)
      .filter(({ ways }) => ways.some((way) => fits(one.text, way)))
      .toSorted((a, b) => a.last - a.first - (b.last - b.first));
    return site ? [{ site, one }] : [];
  });
  const bySite = Map.groupBy(found, ({ site }) => site);
  return new Map([...bySite].map(([site, all]) => [site, all.map(({ one }) => one)]));
}

/** Connections that are called something that `sites.ts` does not know. */
function unknownPlaces(noted: readonly Noted[], run: Run): string[] {
  const known = new Set([...run.values()].flat());
  const unknown = noted.filter((one) => !known.has(one));
  return [...new Set(unknown.map(firstPlace))].map(
    (place) => `${place}: a statement of a call that was not found`,
  );
}

function findRowFaults(site: Site, run: Run): string[] {
  const here = run.get(site);
  if (!site.row || !here) return [];
  return rowFaults(site.row, here).map(
    (fault) => `${site.file}:${site.line}: ${fault}, in ${site.row?.name}`,
  );
}

/** Of a text with choices, each side has to be in one that was run. */
function neverRun({ file, line, ways }: Site, texts: readonly string[]): string[] {
  const run = ways.filter((way) => texts.some((text) => fits(text, way)));
  if (run.length === 0) return [`${file}:${line}: no test runs it`];
  const seen = new Set(run.flatMap(({ sides }) => sides));
  const unseen = new Set(ways.flatMap(({ sides }) => sides.filter((side) => !seen.has(side))));
  return [...unseen].map((side) => `${file}:${line}: no test runs it with ${side.getText()}`);
}

/** What goes through a table that grows, but where `scans.ts` says why; and of what that says why, what does not. */
function scanned(noted: readonly Noted[], isWhole: boolean, plans: Plans): string[] {
  const faults = new Set<string>();
  const needed = new Set<string>();
  for (const one of noted)
    for (const table of plans.scannedBy(one.text)) {
      if (!growing.has(table)) continue;
      const reason = scans.find((scan) => fileOf(one).startsWith(scan.in) && scan.tables.includes(table));
      if (reason) needed.add(`${reason.in} ${table}`);
      else faults.add(`${firstPlace(one)}: goes through the whole of ${table}: ${inOneLine(one.text)}`);
    }
  if (!isWhole) return [...faults];
  const outcome = scans.flatMap((scan) => scan.tables.map((table) => `${scan.in} ${table}`));
  return [
    ...faults,
    ...outcome
      .filter((one) => !needed.has(one))
      .map((one) => `scans.ts: nothing goes through ${one} any more`),
  ];
}

const inOneLine = (text: string) => text.replaceAll(/\s+/g, " ").trim().slice(0, 160);
