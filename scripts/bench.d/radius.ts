import { installedKinds, startFreeRadius } from "./freeradius.ts";
import { type Build, startGatehouse } from "./gatehouse.ts";
import type { Load, Outcome } from "./load.ts";
import { type Case, runRounds, type Sample } from "./rounds.ts";
import type { Target } from "./target.ts";
import type { Work } from "./templates.ts";

const at32: Case[] = (["pap", "chap", "mschapv2", "accounting"] as const).map((work) => ({
  work,
  inflight: 32,
}));
const quickCases: Case[] = [...at32, { work: "pap", inflight: 256 }, { work: "accounting", inflight: 256 }];
const allCases: Case[] = [
  ...at32,
  { work: "pap", inflight: 1 },
  { work: "accounting", inflight: 1 },
  { work: "pap", inflight: 256 },
  { work: "mschapv2", inflight: 256 },
  { work: "accounting", inflight: 256 },
  { work: "pap", rate: 2000 },
  { work: "pap", rate: 20_000 },
  { work: "accounting", rate: 2000 },
];

export interface RadiusPlan {
  readonly load: (load: Load) => Promise<Outcome>;
  readonly templates: Record<Work, string>;
  readonly isQuick: boolean;
  readonly rounds: number;
  readonly subscribers: number;
  /** Measured beside ours instead of FreeRADIUS. */
  readonly other: Build | undefined;
  readonly log: (line: string) => void;
}

/** Gatehouse, and every FreeRADIUS that is installed or another Gatehouse, side by side. */
export async function measureRadius(plan: RadiusPlan): Promise<Sample[]> {
  const { load, templates, isQuick, rounds, subscribers, other, log } = plan;
  const targets: Target[] = [];
  try {
    targets.push(await startGatehouse(subscribers));
    if (other) targets.push(await startGatehouse(subscribers, () => {}, {}, other));
    const kinds = other ? [] : installedKinds();
    if (!other && kinds.length === 0)
      log("no FreeRADIUS is installed: only Gatehouse is measured (scripts/bench --peers)");
    for (const kind of kinds) targets.push(await startFreeRadius(kind, subscribers));
    return await runRounds({
      targets,
      rounds,
      templates,
      load,
      log,
      cases: isQuick ? quickCases : allCases,
      seconds: isQuick ? 1.2 : 1.5,
    });
  } finally {
    await Promise.all(targets.map((target) => target.stop()));
  }
}
