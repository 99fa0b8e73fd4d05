import type { Db } from "../../../db/open.ts";
import { radiusKindOf } from "../subscribers/connection-types.ts";
import { subscriberById } from "../subscribers/find.ts";
import type { Actor } from "../staff/actor.ts";
import { permit } from "../staff/permissions.ts";

/** How a password is proven. */
export const loginMethods = ["pap", "chap", "mschapv2"] as const;
export type LoginMethod = (typeof loginMethods)[number];

/** A login as a router would ask for it. */
export interface LoginRequest {
  readonly username: string;
  readonly password: string;
  readonly method: LoginMethod;
  readonly kind: "ppp" | "hotspot" | "other";
  /** Of the device; undefined: it says none. */
  readonly mac: string | undefined;
}

export interface LoginAnswer {
  readonly accepted: boolean;
  /** MS-CHAPv2: whether the server proved that it knows the password too. */
  readonly isProven: boolean;
  /** The true reason, of `outcomes.ts`; null: it was not recorded in time. */
  readonly reason: string | null;
  /** What a router would be told, as it is written. */
  readonly attributes: readonly { readonly name: string; readonly value: string }[];
}

/** Asks the running server over RADIUS; undefined when it does not answer. */
export type AskLogin = (login: LoginRequest) => Promise<LoginAnswer | undefined>;

/**
 * Has a subscriber logged in as a router does it, from the device that its line is locked to; by the stored password, which nobody sees,
 * or a given one. No session follows. undefined when the server does not answer. Throws `not_found`.
 */
export async function tryLogin(
  db: Db,
  by: Actor,
  { subscriberId, method, password }: { subscriberId: number; method: LoginMethod; password?: string },
  { ask }: { ask: AskLogin },
): Promise<{ readonly username: string; readonly answer: LoginAnswer | undefined }> {
  permit(by, "tryLogin");
  const { username, passwordSealed, connectionTypeId, macAddress } = subscriberById(
    db,
    by.scope,
    subscriberId,
  );
  const answer = await ask({
    ...{ username, method, mac: macAddress ?? undefined },
    password: password ?? db.vault.openText(passwordSealed),
    kind: radiusKindOf(connectionTypeId) ?? "other",
  });
  return { username, answer };
}
