import { type Db, writePatiently } from "../../../../db/open.ts";
import { audit } from "../../core/audit/audit.ts";
import { radiusKind } from "../../goods/subscribers/connection-types.ts";
import { subscriberById } from "../../goods/subscribers/find.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";

export const loginMethods = ["pap", "chap", "mschapv2"] as const;
export type LoginMethod = (typeof loginMethods)[number];

export interface LoginRequest {
  readonly username: string;
  readonly password: string;
  readonly method: LoginMethod;
  readonly kind: "ppp" | "hotspot" | "other";
  /** Of the device; undefined: none sent. */
  readonly mac: string | undefined;
}

export interface LoginAnswer {
  readonly accepted: boolean;
  readonly isProven: boolean;
  /** The true reason, of `outcomes.ts`; null: not recorded in time. */
  readonly reason: string | null;
  /** The reply's attributes in text. */
  readonly attributes: readonly { readonly name: string; readonly value: string }[];
}

/** Asks the running server over RADIUS; undefined without an answer. */
export type AskLogin = (login: LoginRequest) => Promise<LoginAnswer | undefined>;

/**
 * A test login of a subscriber as a router does it, from the device it is locked to, with the stored password or a given one,
 * which is recorded in the audit trail. Opens no session. Undefined when the server does not answer. Throws `not_found`.
 */
export async function tryLogin(
  db: Db,
  by: Actor,
  { subscriberId, method, password }: { subscriberId: number; method: LoginMethod; password?: string },
  { ask, now }: { ask: AskLogin; now: Seconds },
): Promise<{ readonly username: string; readonly answer: LoginAnswer | undefined }> {
  permit(by, "tryLogin");
  const subscriber = subscriberById(db, by.scope, subscriberId);
  const { username, passwordSealed, connectionTypeId, macAddress, ispId } = subscriber;
  const answer = await ask({
    username,
    method,
    mac: macAddress ?? undefined,
    password: password ?? db.vault.openText(passwordSealed),
    kind: radiusKind(connectionTypeId) ?? "other",
  });
  // a given password may be a guess
  if (password !== undefined)
    await writePatiently(db, (tx) =>
      audit(tx, by, now, {
        action: "subscriber.password_test",
        entity: "subscriber",
        entityId: subscriberId,
        ispId,
        after: { accepted: answer?.accepted ? 1 : 0 },
      }),
    );
  return { username, answer };
}
