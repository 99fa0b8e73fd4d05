import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { compileDisk } from "../disk.ts";
import { serveOnIllDisk } from "../disk-faults.ts";
import { serveOnFullDisk } from "./full-disk.ts";
import type { Seen } from "../outage.ts";
import type { Extent, Outcome, Trial } from "../trial.ts";
import { diskFolder } from "../../support/disk.ts";

/** Milliseconds that a login may take while every sync takes 100: no more than anywhere. */
const SLOWEST_LOGIN = 1000;

export const illDisk: Trial = { name: "disk", run };

async function run({ isShort, seed, log }: Extent): Promise<Outcome> {
  const folder = mkdtempSync(join(diskFolder(), "gatehouse-torture-"));
  try {
    const ill = await serveOnIllDisk(await compileDisk(folder), { seed, isShort });
    log("a disk that is full, fails, is read-only and slow");
    const full = await serveOnFullDisk();
    log(
      full ? "a file system without a byte left" : "no file system can be mounted here, so none was filled",
    );
    const limit = isShort ? 10 * SLOWEST_LOGIN : SLOWEST_LOGIN;
    const late =
      ill.slow.slowestLogin > limit
        ? [`a login took ${Math.round(ill.slow.slowestLogin)} ms on a slow disk`]
        : [];
    return {
      faults: [...ill.faults, ...(full?.faults.map((fault) => `tmpfs full: ${fault}`) ?? []), ...late],
      figures: figures([...ill.seen.values(), ...(full ? [full] : [])], ill.slow, full),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function figures(seen: readonly Seen[], slow: Seen, full: Seen | undefined): Outcome["figures"] {
  const sum = (of: (one: Seen) => number) => seen.reduce((total, one) => total + of(one), 0);
  const real = full ? "a full tmpfs and " : "";
  return [
    {
      what: `${real}a disk that was full, failed at writes, at syncs, and was read-only`,
      figure: `${sum(({ logins }) => logins)} logins answered, ${sum(({ silent }) => silent)} records left unanswered and taken when it was well again, without a restart`,
    },
    {
      what: "the slowest login while every sync takes 100 ms",
      figure: `${slow.slowestLogin.toFixed(1)} ms of ${slow.logins}`,
    },
  ];
}
