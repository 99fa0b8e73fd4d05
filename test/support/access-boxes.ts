import type { Db } from "../../db/open.ts";
import { addAccessBox, joinPrimary } from "../../src/domain/machine/access-boxes/boxes.ts";
import type { BoxReport } from "../../src/domain/machine/access-boxes/report.ts";
import { keepReport } from "../../src/domain/service/box-standing/standing.ts";
import { makeNkey } from "../../src/nats/nkeys.ts";
import type { Actor } from "../../src/domain/core/actor/actor.ts";
import { NOW } from "./store.ts";

export function aBoxReport(values: Partial<BoxReport> = {}): BoxReport {
  return {
    version: "0.2.0",
    at: NOW,
    uptime: 86_400,
    waiting: 0,
    waitingFor: 0,
    sessions: 12,
    disk: { free: 50e9, total: 100e9 },
    loginAgo: 4,
    accountingAgo: 2,
    isKeyInFile: true,
    isComplete: true,
    isWalled: true,
    ...values,
  };
}

/** `heardAt`: when its last report came; null: never. */
export function addBox(
  db: Db,
  by: Actor,
  name: string,
  { heardAt = NOW, report = {} }: { heardAt?: number | null; report?: Partial<BoxReport> } = {},
) {
  const joining = addAccessBox(db, by, { name, scope: null }, { now: NOW - 86_400, makeNkey });
  if (heardAt !== null)
    keepReport(db, { box: name, report: aBoxReport({ at: heardAt, ...report }) }, heardAt);
  return joining;
}

/** Turns an empty store into that of an added box. */
export function joinBox(db: Db, joining: ReturnType<typeof addBox>): void {
  joinPrimary(db, joining, { now: NOW });
}
