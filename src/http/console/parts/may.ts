import { type Actor, may, seesWholeIsp, seeingArchived } from "../../../domain/core/actor/actor.ts";
import type { StaffVisit } from "../guard.ts";
import { type BulkName, bulkOperation } from "../../../domain/around/bulk/operations.ts";
import { permissions } from "../../../domain/core/actor/permissions.ts";

export const mayMoveIn = (by: Actor) => may(by, permissions.moveIn) && seesWholeIsp(by.scope);

export const mayDo = ({ by }: Pick<StaffVisit, "by">, name: BulkName) =>
  may(by, permissions[bulkOperation(name).single]);

/** Includes archived subscribers: this page brings them back. */
export function withArchived(visit: StaffVisit): StaffVisit {
  return { ...visit, by: seeingArchived(visit.by, 1) };
}

/** Whether an actor sees routers, which serve the whole ISP. */
export function seesRouters(by: Actor): boolean {
  return may(by, "session_view") && seesWholeIsp(by.scope);
}
