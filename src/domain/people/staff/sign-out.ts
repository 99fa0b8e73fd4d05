import type { Tx } from "../../../../db/open.ts";
import type { Seconds } from "../../core/time/time.ts";
import { endPush } from "../push/devices.ts";
import { revokeStaffTokens } from "./tokens.ts";

/** Tokens, sessions and notifications. */
export function signOutStaff(tx: Tx, staffId: number, now: Seconds): void {
  revokeStaffTokens(tx, staffId, now);
  tx.$client.query("DELETE FROM staff_sessions WHERE staff_id = ?").run(staffId);
  endPush(tx, { staffId });
}
