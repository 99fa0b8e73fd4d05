import { createHash, timingSafeEqual } from "node:crypto";
import { type Db, type Tx, writePatiently } from "../../../../db/open.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { verifyPassword } from "../../people/staff/passwords.ts";
import { wrongCredentials } from "../../people/staff/sign-in.ts";
import { fold } from "../../core/fields/text.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type Subscriber, subscribersWhere } from "./find.ts";
import { endAsThawed } from "./frozen.ts";
import { profileStatus } from "./record.ts";
import { auditSignIn, type SignedToken, signToken, storeToken } from "./tokens.ts";

export interface SubscriberSignedIn extends SignedToken {
  readonly subscriber: Subscriber;
}

/** A token of `days` days. Throws `unauthenticated`, `forbidden` for a disabled account, `overloaded`. */
export async function signInSubscriber(
  db: Db,
  { now, days, ...credentials }: Credentials & { now: Seconds; days: number },
): Promise<SubscriberSignedIn> {
  const proven = await proveSubscriber(db, credentials);
  const signed = await signToken(db, { subscriberId: proven.id, now, days });
  return writePatiently(db, (tx) => {
    const subscriber = admitSubscriber(tx, proven);
    storeToken(tx, { ...signed, subscriberId: subscriber.id, now });
    auditSignIn(tx, "subscriber.sign_in", { subscriberId: subscriber.id, source: credentials.source, now });
    return { subscriber, ...signed };
  });
}

export interface Credentials {
  readonly username: string;
  readonly password: string;
  readonly source: string;
}

/** Throws `unauthenticated`, `overloaded`. */
export async function proveSubscriber(db: Db, { username, ...value }: Credentials): Promise<Subscriber> {
  const found = withUsername(db, username);
  if (!(await opensPortal(db, found, value)) || !found) throw wrongCredentials();
  return found;
}

/** The subscriber, read again because verifying took time. Throws `unauthenticated`, `forbidden` when disabled. */
export function admitSubscriber(tx: Tx, proven: Subscriber): Subscriber {
  const [subscriber] = subscribersWhere(tx, { text: "s.id = ?", values: [proven.id] });
  if (!subscriber || !hasSamePassword(subscriber, proven)) throw wrongCredentials();
  if (subscriber.status !== 1)
    throw new DomainError("forbidden", phrase`the account is disabled; ask your provider`, {
      code: "account_disabled",
    });
  return subscriber;
}

/** All text but the id and the end. */
export function loginProfile(
  db: Db,
  { id, username, name, email, mobileNumber, packageId, status }: Subscriber,
  now: Seconds,
) {
  const bought = db.$client
    .query<{ packageName: string; expiresAt: Seconds | null; frozenAt: Seconds | null }, [number, number]>(
      `SELECT p.name AS packageName, v.expires_at AS expiresAt, v.frozen_at AS frozenAt
       FROM packages p LEFT JOIN services v ON v.subscriber_id = ? WHERE p.id = ?`,
    )
    .get(id, packageId);
  const frozenAt = bought?.frozenAt ?? null;
  const end = bought?.expiresAt ?? null;
  const expiresAt = end === null ? null : endAsThawed(end, frozenAt, now);
  return {
    id,
    username,
    fullname: name,
    email: email ?? "",
    phone: mobileNumber ?? "",
    package_name: bought?.packageName ?? "",
    expiresAt,
    status: profileStatus(status, expiresAt, now, frozenAt),
  };
}

/** The portal's password, else the line's. Always one argon2 and one comparison, so that unknown names take as long. */
function opensPortal(
  db: Db,
  found: Subscriber | undefined,
  { password, source }: Omit<Credentials, "username">,
): Promise<boolean> {
  const matchesLine = isSame(found ? db.vault.openText(found.passwordSealed) : "", password);
  const withoutHash = found !== undefined && matchesLine;
  return verifyPassword(password, found?.portalPass ?? undefined, { source, withoutHash });
}

function isSame(known: string, value: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text.normalize("NFC")).digest();
  return timingSafeEqual(digest(known), digest(value));
}

function withUsername(db: Db, username: string): Subscriber | undefined {
  const [found] = subscribersWhere(db, { text: "s.username_key = ?", values: [fold(username.trim())] });
  return found;
}

function hasSamePassword(one: Subscriber, other: Subscriber): boolean {
  return (
    one.id === other.id &&
    one.portalPass === other.portalPass &&
    one.passwordSealed.equals(other.passwordSealed)
  );
}
