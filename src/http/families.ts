import type { RefusalCode } from "../domain/core/errors/codes.ts";
import type { FieldErrors } from "../domain/core/errors/errors.ts";

/** A refusal, before its family's form. */
export interface Said {
  readonly message: string;
  readonly code: RefusalCode;
  /** The field or permission at fault. */
  readonly param?: string | undefined;
  /** What a program can do next. */
  readonly next?: string | undefined;
  readonly fields?: FieldErrors | undefined;
}

export interface Family {
  readonly errors: string;
  /** Of validation failures. */
  readonly faultStatus: 400 | 422;
  /** Of `refused`, if different. */
  readonly refusedStatus?: 422;
  /** WWW-Authenticate (RFC 9110 15.5.2). */
  readonly challenge: string;
  body(status: number, said: Said): object;
}

/** What each family has beside the message. */
const beside = ({ code, param, fields }: Omit<Said, "message">) => ({
  code,
  ...(param !== undefined && { param }),
  ...(fields && { errors: fields }),
});

const BASIC = 'Basic realm="gatehouse", charset="UTF-8"';
const BEARER = 'Bearer realm="gatehouse"';

const staffLogin: Family = {
  errors: "StaffSignInError",
  faultStatus: 422,
  challenge: BEARER,
  body: (_status, { message, ...said }) => ({ status: "error", message, ...beside(said) }),
};
const staffBearer: Family = {
  ...staffLogin,
  errors: "StaffError",
  // the interface has a message only
  body: (status, said) => (status === 401 ? { message: said.message } : staffLogin.body(status, said)),
};
const subscriber: Family = {
  errors: "SubscriberError",
  faultStatus: 422,
  challenge: BEARER,
  body: (_status, { message, ...said }) => ({ success: false, message, ...beside(said) }),
};
const management: Family = {
  errors: "Error",
  faultStatus: 400,
  challenge: BASIC,
  body: (_status, { message, next, ...said }) => ({
    error: message,
    ...beside(said),
    ...(next !== undefined && { next }),
  }),
};
/** Providers authenticate in their own ways. */
const provider: Family = { ...management, challenge: 'Provider realm="gatehouse"' };
const metrics: Family = { ...management, challenge: BEARER };
const activation: Family = { ...management, faultStatus: 422 };

/** The family of later calls: `refused` is no validation failure. */
const office: Family = { ...management, refusedStatus: 422 };

const officePaths = new Set([
  "/api/v1/activation/renewals",
  "/api/v1/subscriber/archive",
  "/api/v1/subscriber/freeze",
  "/api/v1/subscriber/take_device",
  "/api/v1/subscriber/thaw",
]);

const subscriberPaths = new Set([
  "/api/v1/subscriber/card/preview",
  "/api/v1/subscriber/card/redeem",
  "/api/v1/subscriber/login",
  "/api/v1/subscriber/logout",
  "/api/v1/subscriber/logout-all",
  "/api/v1/subscriber/refresh-token",
  "/mobile-auto-login",
]);

const moneyPaths =
  /^\/api\/v1\/(payment|wallet|closing|invoice|card|card_batch|incoming_payment|payment_source)\//;

/** Whether a subscriber asks by its token, or for one. */
export function isSubscriberPath(path: string): boolean {
  return subscriberPaths.has(path) || path === "/api/v1/me" || path.startsWith("/api/v1/me/");
}

export function findFamily(path: string): Family {
  if (path === "/api/v1/users/login" || path === "/api/auth-login") return staffLogin;
  if (path.startsWith("/api/v1/users/")) return staffBearer;
  if (isSubscriberPath(path)) return subscriber;
  if (officePaths.has(path) || moneyPaths.test(path)) return office;
  if (path === "/metrics") return metrics;
  if (path.startsWith("/pay/")) return provider;
  return path.startsWith("/api/v1/activation/") ? activation : management;
}
