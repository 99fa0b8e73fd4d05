import { insert } from "../../../../db/insert.ts";
import { type Db, write } from "../../../../db/open.ts";
import { setupSteps } from "../../../../db/schema.ts";
import { audit } from "../../core/audit/audit.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";

/** Steps in their order; each may be skipped. */
export const setupStepNames = [
  "password",
  "isp",
  "package",
  "router",
  "subscriber",
  "backup_place",
  "backup_passphrase",
] as const;
export type SetupStep = (typeof setupStepNames)[number];

export interface SetupState {
  readonly step: SetupStep;
  readonly state: "done" | "skipped" | "open";
}

export function setupState(db: Db, by: Actor): SetupState[] {
  permit(by, "setupState");
  const stored = storedSteps(db);
  return setupStepNames.map((step) => ({ step, state: stored.get(step) ?? "open" }));
}

/** A done step stays done when it is skipped later. */
export function settleSetupStep(
  db: Db,
  by: Actor,
  { step, state }: { step: SetupStep; state: "done" | "skipped" },
  { now }: { now: Seconds },
): void {
  permit(by, "settleSetupStep");
  write(db, (tx) => {
    const before = storedSteps(tx).get(step);
    if (before === "done" || before === state) return;
    insert(tx, setupSteps, { step, state, at: now }, { replacing: ["step"] });
    audit(tx, by, now, {
      action: "setup.step",
      entity: "setup",
      entityId: step,
      ispId: null,
      after: { state },
    });
  });
}

/** Whether a sign-in leads to the first start: for the operator without an ISP, or with an unfinished one. */
export function isSetupOpen(db: Db, by: Actor): boolean {
  const { admin, scope } = by;
  if (!admin || scope.ispId !== null || scope.branchId !== null) return false;
  const { size } = storedSteps(db);
  if (size >= setupStepNames.length) return false;
  return size > 0 || db.$client.query("SELECT 1 FROM isps LIMIT 1").get() === null;
}

function storedSteps({ $client }: Db): ReadonlyMap<string, "done" | "skipped"> {
  const rows = $client.query<{ step: string; state: "done" | "skipped" }, []>(
    "SELECT step, state FROM setup_steps",
  );
  return new Map(rows.all().map(({ step, state }) => [step, state]));
}
