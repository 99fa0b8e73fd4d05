import { type Db, write } from "../../../../db/open.ts";
import { audit } from "../../core/audit/audit.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";

export const GUESSING = "card.guess";

export interface Guessing {
  /** `subscriber 7`, `staff 3`, `address 192.0.2.7`. */
  readonly who: string;
  /** Of the last one who guessed. */
  readonly ispId: number | null;
}

/** Records suspected guessing of codes for check; never a code. */
export function recordGuessing(db: Db, by: Actor, { who, ispId }: Guessing, { now }: { now: Seconds }): void {
  permit(by, "recordGuessing");
  write(db, (tx) => {
    const after = { who };
    audit(tx, by, now, { action: GUESSING, entity: "card", entityId: "", ispId, after });
  });
}
