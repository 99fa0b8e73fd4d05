import { type Actor, may, seesWholeIsp, seeingArchived } from "../../../domain/core/actor/actor.ts";
import type { StaffVisit } from "../guard.ts";
import { type BulkName, bulkOperation } from "../../../domain/around/bulk/operations.ts";
import { permissions } from "../../../domain/core/actor/permissions.ts";

/** Whether somebody is led there: what is brought in is the whole ISP's. */
export const mayMoveIn = (by: Actor) => may(by, permissions.moveIn) && seesWholeIsp(by.scope);

/** Whether somebody may do it to one, and so to many. */
export const mayDo = ({ by }: Pick<StaffVisit, "by">, name: BulkName) =>
  may(by, permissions[bulkOperation(name).single]);

/** The visit of somebody who may see those who left too: this page is how they are brought back. */
export function withArchived(visit: StaffVisit): StaffVisit {
  return { ...visit, by: seeingArchived(visit.by, 1) };
}

/** Routers serve an ISP as a whole. */
export function seesRouters(by: Actor): boolean {
  return may(by, "session_view") && seesWholeIsp(by.scope);
}
