import { type Db, write } from "../../../../db/open.ts";
import { announceOther, timestamp } from "../../core/events/announce.ts";
import { customerAddress } from "../../core/networks/networks.ts";
import { fold } from "../../core/fields/text.ts";
import type { Seconds } from "../../core/time/time.ts";
import { findStaffBySignIn } from "./accounts.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";

/** Seconds. */
const PAUSE = 600;

/** A locked login by typed name, or account id. */
export interface LockedLogin {
  readonly of: "staff" | "subscriber";
  readonly who: string | number;
  readonly source: string;
  readonly wait: number;
}

interface Known {
  readonly username: string;
  readonly ispId: number | null;
}

/** Announces a lockout in its own transaction, once in ten minutes. Unknown names may be passwords, and are not announced. Returns whether it did. */
export function tellLockedLogin(
  db: Db,
  by: Actor,
  { of, who, source, wait }: LockedLogin,
  { now }: { now: Seconds },
): boolean {
  permit(by, "tellLockedLogin");
  const known = of === "staff" ? knownStaff(db, who) : knownSubscriber(db, who);
  const key = `${known ? `${of} ${fold(known.username)}` : of}|${customerAddress(source)}|`;
  return write(db, (tx) => {
    const lately = tx.$client
      .query(
        "SELECT 1 FROM events WHERE type = 'login.locked' AND due_key IS NOT NULL AND due_key > ? AND due_key <= ?",
      )
      .get(`${key}${now - PAUSE}`, `${key}${now}`);
    if (lately !== null) return false;
    const data = {
      account: known?.username ?? "an unknown name",
      source,
      until: timestamp(now + wait),
    };
    announceOther(tx, now, {
      type: "login.locked",
      ispId: known?.ispId ?? null,
      dueKey: `${key}${now}`,
      data,
    });
    return true;
  });
}

function knownStaff(db: Db, who: string | number): Known | undefined {
  if (typeof who === "string") return findStaffBySignIn(db, who);
  const account = db.$client
    .query<Known, [number]>("SELECT username, isp_id AS ispId FROM staff WHERE id = ?")
    .get(who);
  return account ?? undefined;
}

function knownSubscriber({ $client }: Db, who: string | number): Known | undefined {
  const found = $client
    .query<Known, [string]>("SELECT username, isp_id AS ispId FROM subscribers WHERE username_key = ?")
    .get(fold(String(who).trim()));
  return found ?? undefined;
}
