import { type Db, write } from "../../../../db/open.ts";
import { subscribers } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { audit } from "../../core/audit/audit.ts";
import type { LanguageTag } from "../../core/fields/languages.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permitSelf } from "../../core/actor/permissions.ts";
import { differences } from "../../goods/subscribers/differences.ts";
import { subscriberById } from "../../goods/subscribers/find.ts";
import type { Seconds } from "../../core/time/time.ts";

export interface OwnMessages {
  readonly subscriberId: number;
  /** null: the ISP's. */
  readonly language: LanguageTag | null;
  /** Of rules; staff may still write. */
  readonly off: boolean;
}

/** Throws `not_found`. */
export function changeOwnMessages(
  db: Db,
  by: Actor,
  { subscriberId, language, off }: OwnMessages,
  { now }: { now: Seconds },
): void {
  permitSelf(by, "changeOwnMessages", subscriberId);
  write(db, (tx) => {
    const before = subscriberById(tx, by.scope, subscriberId);
    const messagesOff = off ? 1 : 0;
    if (before.language === language && before.messagesOff === messagesOff) return;
    update(tx, subscribers, { language, messagesOff, updatedAt: now }, { id: subscriberId });
    audit(tx, by, now, {
      action: "subscriber.update",
      entity: "subscriber",
      entityId: subscriberId,
      ispId: before.ispId,
      ...differences(before, subscriberById(tx, by.scope, subscriberId)),
    });
  });
}
