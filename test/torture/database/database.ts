import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { checkpointed, corruptPage, lostIndex, lostLog, newerSchema, template } from "./damage.ts";
import { type Locked, serveBehindLock } from "./database-lock.ts";
import type { Extent, Outcome, Trial } from "../trial.ts";
import { diskFolder } from "../../support/disk.ts";

export const database: Trial = { name: "database", run };

async function run({ isShort, seed, log }: Extent): Promise<Outcome> {
  const folder = mkdtempSync(join(diskFolder(), "gatehouse-torture-"));
  try {
    const locked = await serveBehindLock(isShort ? 1 : 30);
    log(`behind a lock of ${locked.seconds} s`);
    const milliseconds = isShort ? 100 : 500;
    const killed = await template(join(folder, "killed"), { end: "SIGKILL", milliseconds });
    const stopped = isShort
      ? checkpointed(killed, join(folder, "stopped"))
      : await template(join(folder, "stopped"), { end: "SIGTERM", milliseconds });
    const first = isShort ? (["subscribers"] as const) : (["first", "subscribers"] as const);
    const pages = isShort ? 0 : 8; // beside those that everything begins with
    const faults = [...locked.faults.map((fault) => `behind a lock: ${fault}`)];
    for (const page of first) faults.push(...(await corruptPage(stopped, seed, page)));
    for (let page = 0; page < pages; page++) faults.push(...(await corruptPage(stopped, seed + page, "any")));
    log(`${pages + first.length} pages of noise`);
    faults.push(...(await newerSchema(stopped, { isShort })), ...(await lostLog(killed, { isShort })));
    faults.push(...(await lostIndex(killed)));
    return { faults, figures: [...lockFigures(locked), damageFigure(pages + first.length)] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function lockFigures({ seconds, logins, slowestLogin, records }: Locked): Outcome["figures"] {
  return [
    {
      what: `another process holds the write lock for ${seconds} s`,
      figure: `${logins} logins answered, the slowest in ${slowestLogin.toFixed(1)} ms; ${records} accounting records acknowledged when it was free, none before`,
    },
  ];
}

function damageFigure(pages: number): Outcome["figures"][number] {
  return {
    what: "a damaged page, a newer schema, a lost log or its index",
    figure: `${pages} pages of noise found by check and brought back by restore; each of the others said in words, not a byte changed`,
  };
}
