import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Vault } from "../../../db/vault.ts";

/**
 * Browsers accept this prefix over TLS only, from this host and for all of it, so that no neighbour can plant one. Under TLS no
 * other cookie counts.
 */
const PREFIX = "__Host-";

export class IdCookie {
  readonly #name: string;
  readonly #sameSite: "lax" | "strict";
  /** Seconds; undefined: a session cookie. */
  readonly #maxAge: number | undefined;

  constructor(name: string, { sameSite, maxAge }: { sameSite: "lax" | "strict"; maxAge?: number }) {
    this.#name = name;
    this.#sameSite = sameSite;
    this.#maxAge = maxAge;
  }

  /** Empty without one. */
  read(request: Request, secure: boolean): string {
    return new Bun.CookieMap(request.headers.get("cookie") ?? "").get(this.#fullName(secure)) ?? "";
  }

  write(id: string, secure: boolean): string {
    return this.#text(id, secure, this.#maxAge);
  }

  end(secure: boolean): string {
    return this.#text("", secure, 0);
  }

  #text(id: string, secure: boolean, maxAge: number | undefined): string {
    const fixed = { httpOnly: true, sameSite: this.#sameSite, path: "/", secure } as const;
    const age = maxAge === undefined ? {} : { maxAge };
    return new Bun.Cookie(this.#fullName(secure), id, { ...fixed, ...age }).toString();
  }

  #fullName(secure: boolean): string {
    return secure ? PREFIX + this.#name : this.#name;
  }
}

/** The cookie of a visit before sign-in, which binds its form. */
export const visitCookie = new IdCookie("gatehouse_visit", { sameSite: "lax" });

export function newVisitId(): string {
  return randomBytes(32).toString("base64url");
}

/** Proves that a form is from a page of this session or visit. */
export function formToken(vault: Vault, id: string): string {
  return createHmac("sha256", vault.deriveKey("portal form")).update(id).digest("base64url");
}

export function isFormToken(vault: Vault, id: string, token: unknown): boolean {
  if (id === "" || typeof token !== "string") return false;
  const expected = Buffer.from(formToken(vault, id));
  const actual = Buffer.from(token);
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
