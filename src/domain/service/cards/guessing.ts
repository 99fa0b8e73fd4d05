import { type Db, write } from "../../../../db/open.ts";
import { audit } from "../../core/audit/audit.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";

/** The action in the trail. */
export const GUESSING = "card.guess";

/** Who typed too many wrong codes within a minute, or the address that they came from. */
export interface Guessing {
  /** `subscriber 7`, `staff 3`, `address 192.0.2.7`. */
  readonly who: string;
  /** Of who typed the last of them. */
  readonly ispId: number | null;
}

/** Writes down that somebody may be guessing codes of cards where they are typed, so that a check tells it; never a code. */
export function recordGuessing(db: Db, by: Actor, { who, ispId }: Guessing, { now }: { now: Seconds }): void {
  permit(by, "recordGuessing");
  write(db, (tx) => {
    const after = { who };
    audit(tx, by, now, { action: GUESSING, entity: "card", entityId: "", ispId, after });
  });
}
