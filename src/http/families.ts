import type { RefusalCode } from "../domain/core/errors/codes.ts";
import type { FieldErrors } from "../domain/core/errors/errors.ts";

/** What a body says of a refusal, in whatever form its family has. */
export interface Said {
  readonly message: string;
  readonly code: RefusalCode;
  /** The field, or the permission, that is at fault. */
  readonly param?: string | undefined;
  /** What a program of staff does next. */
  readonly next?: string | undefined;
  readonly fields?: FieldErrors | undefined;
}

export interface Family {
  /** What its errors are called in the document. */
  readonly errors: string;
  /** The status of a validation failure. */
  readonly faultStatus: 400 | 422;
  /** That of what the state forbids, where it is another one. */
  readonly refusedStatus?: 422;
  /** WWW-Authenticate of a 401 (RFC 9110 15.5.2). */
  readonly challenge: string;
  body(status: number, said: Said): object;
}

/** What every family has beside its sentence. */
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
  // the interface says that it has the message only
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
/** Calls of providers of payments, each of which proves itself in its own way. */
const provider: Family = { ...management, challenge: 'Provider realm="gatehouse"' };
const metrics: Family = { ...management, challenge: BEARER };
const activation: Family = { ...management, faultStatus: 422 };

/** Calls that came after the first ones: what the state forbids is no validation failure. */
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

export function familyOf(path: string): Family {
  if (path === "/api/v1/users/login" || path === "/api/auth-login") return staffLogin;
  if (path.startsWith("/api/v1/users/")) return staffBearer;
  if (subscriberPaths.has(path) || path === "/api/v1/me" || path.startsWith("/api/v1/me/")) return subscriber;
  if (officePaths.has(path) || moneyPaths.test(path)) return office;
  if (path === "/metrics") return metrics;
  if (path.startsWith("/pay/")) return provider;
  return path.startsWith("/api/v1/activation/") ? activation : management;
}
