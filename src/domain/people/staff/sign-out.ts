import type { Tx } from "../../../../db/open.ts";
import type { Seconds } from "../../core/time/time.ts";
import { revokeStaffTokens } from "./tokens.ts";

/** Ends all that an account is signed in with, tokens and sessions of the console: a changed password, a disabled account. */
export function signOutStaff(tx: Tx, staffId: number, now: Seconds): void {
  revokeStaffTokens(tx, staffId, now);
  tx.$client.query("DELETE FROM staff_sessions WHERE staff_id = ?").run(staffId);
}
