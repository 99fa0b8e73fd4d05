import { type Db, write } from "../../../../db/open.ts";
import { audit } from "../../core/audit/audit.ts";
import { type Actor, requireWholeIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { type Faults, rejectFaults } from "../../core/errors/errors.ts";
import { type Input, readFields, text } from "../../core/fields/fields.ts";
import type { Seconds } from "../../core/time/time.ts";
import { nasById } from "../../goods/nas/find.ts";
import { findingsById, type RouterFinding } from "./findings.ts";

const reasonFields = { reason: text(300) };

/** Hides a finding as intended until it changes. Throws `not_found`, `invalid`. */
export function hideFinding(
  db: Db,
  by: Actor,
  { nasId, id, input }: { nasId: number; id: number; input: Input },
  { now }: { now: Seconds },
): RouterFinding {
  permit(by, "hideFinding");
  requireWholeIsp(by, "routers");
  const faults: Faults = {};
  const { reason } = readFields(reasonFields, input, faults, { required: ["reason"] });
  rejectFaults(faults);
  return write(db, (tx) => {
    const { router, finding } = findingAt(tx, by, { nasId, id });
    tx.$client
      .query<unknown, [Seconds, string, string, number]>(
        "UPDATE router_findings SET hidden_at = ?, hidden_by = ?, hidden_reason = ? WHERE id = ?",
      )
      .run(now, by.name, reason ?? "", id);
    const after = { kind: finding.kind, finding: finding.key, reason };
    audit(tx, by, now, {
      action: "nas.finding_hide",
      entity: "nas",
      entityId: nasId,
      ispId: router.ispId,
      after,
    });
    return { ...finding, hidden: { at: now, by: by.name, reason: reason ?? "" } };
  });
}

export function showFinding(
  db: Db,
  by: Actor,
  { nasId, id }: { nasId: number; id: number },
  { now }: { now: Seconds },
): RouterFinding {
  permit(by, "showFinding");
  requireWholeIsp(by, "routers");
  return write(db, (tx) => {
    const { router, finding } = findingAt(tx, by, { nasId, id });
    tx.$client
      .query<unknown, [number]>(
        "UPDATE router_findings SET hidden_at = NULL, hidden_by = NULL, hidden_reason = NULL WHERE id = ?",
      )
      .run(id);
    const after = { kind: finding.kind, finding: finding.key };
    audit(tx, by, now, {
      action: "nas.finding_show",
      entity: "nas",
      entityId: nasId,
      ispId: router.ispId,
      after,
    });
    return { ...finding, hidden: null };
  });
}

function findingAt(tx: Db, by: Actor, { nasId, id }: { nasId: number; id: number }) {
  const router = nasById(tx, by.scope, nasId);
  const [finding] = findingsById(tx, { nasId, ids: [id] });
  if (!finding) throw new Error(`the finding ${id} was not looked for`);
  return { router, finding };
}
