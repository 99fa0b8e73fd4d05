import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Vault } from "../../../db/vault.ts";
import { PORTAL_SESSION_LIFE } from "../../domain/subscribers/portal-session.ts";

/**
 * Browsers take a cookie of this prefix over TLS only, from this very host and for all of it: no neighbour under the same domain, and
 * nobody on a plain connection, can plant one. So under TLS no cookie without it counts.
 */
const PREFIX = "__Host-";
const SESSION = "gatehouse_portal";
/** Of somebody who has not signed in: what the form to do so is bound to. */
const VISIT = "gatehouse_visit";

/** The id of the web session that a request shows; empty without one. */
export function sessionIdOf(request: Request, secure: boolean): string {
  return read(request, SESSION, secure);
}

/** What the form of somebody who has not signed in is bound to; empty on the first visit. */
export function visitIdOf(request: Request, secure: boolean): string {
  return read(request, VISIT, secure);
}

export function newVisitId(): string {
  return randomBytes(32).toString("base64url");
}

export function sessionCookie(id: string, secure: boolean): string {
  return write(SESSION, id, { secure, maxAge: PORTAL_SESSION_LIFE });
}

export function visitCookie(id: string, secure: boolean): string {
  return write(VISIT, id, { secure });
}

/** Makes the browser forget its session. */
export function endedSessionCookie(secure: boolean): string {
  return write(SESSION, "", { secure, maxAge: 0 });
}

/** What a form carries to prove that it is from a page of this session or visit. */
export function formToken(vault: Vault, id: string): string {
  return createHmac("sha256", vault.deriveKey("portal form")).update(id).digest("base64url");
}

export function isFormToken(vault: Vault, id: string, given: unknown): boolean {
  if (id === "" || typeof given !== "string") return false;
  const expected = Buffer.from(formToken(vault, id));
  const actual = Buffer.from(given);
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

function read(request: Request, name: string, secure: boolean): string {
  return new Bun.CookieMap(request.headers.get("cookie") ?? "").get(fullName(name, secure)) ?? "";
}

function write(name: string, value: string, options: { secure: boolean; maxAge?: number }): string {
  const fixed = { httpOnly: true, sameSite: "lax", path: "/" } as const;
  return new Bun.Cookie(fullName(name, options.secure), value, { ...fixed, ...options }).toString();
}

function fullName(name: string, secure: boolean): string {
  return secure ? PREFIX + name : name;
}
