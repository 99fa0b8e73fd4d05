import { SignJWT } from "jose";
import { openStore } from "../../../db/open.ts";
import { ADMIN, loginOf, type Target } from "../target.ts";
import type { Notes } from "../notes.ts";
import { json } from "../raw-http.ts";

const REFRESH = "/api/v1/subscriber/refresh-token";

/** Tokens that nobody issued, of staff and of subscribers, against every door that takes one. */
export async function attackTokens(target: Target, notes: Notes): Promise<void> {
  const mine = await subscriberToken(target, 1);
  const theirs = await subscriberToken(target, 2);
  const staff = await staffToken(target);
  const forged = { ...forgedJwts(mine, theirs), ...(await signedButFalse(target, mine, theirs)), staff };
  let refused = 0;
  const refuse = async (name: string, path: string, method: string, token: string, from: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const { status } = await target.ask(from, "lan", { method, target: path, headers });
    if (status === 401) refused += 1;
    else notes.fault(`a token that is false (${name}) got ${status} at ${method} ${path}`);
  };
  for (const [name, token] of Object.entries(forged))
    for (const [method, path] of [
      ["POST", REFRESH],
      ["POST", "/api/v1/subscriber/logout-all"],
      ["GET", "/mobile-auto-login"],
    ] as const)
      await refuse(name, path, method, token, "127.3.0.1");
  for (const [name, token] of Object.entries(forgedStaff(staff, mine)))
    for (const [method, path] of [
      ["GET", "/api/v1/users/profile"],
      ["POST", "/api/v1/users/refresh-token"],
    ] as const)
      await refuse(name, path, method, token, "127.3.0.2");
  await outsideTheHeader(target, notes, { mine, staff });
  await genuine(target, notes, { mine, staff });
  notes.figure(
    "tokens that nobody issued (JWT with alg none, other keys, swapped jti and sub; staff tokens), let in",
    `0 of ${refused}`,
  );
}

async function subscriberToken(target: Target, id: number): Promise<string> {
  const { body } = await target.ask("127.3.0.9", "public", json("/api/v1/subscriber/login", loginOf(id)));
  return /"token":"([^"]+)"/.exec(body)?.[1] ?? "";
}

async function staffToken(target: Target): Promise<string> {
  const credentials = { email: ADMIN.username, password: ADMIN.password };
  const { body } = await target.ask("127.3.0.9", "lan", json("/api/v1/users/login", credentials));
  return /"token":"([^"]+)"/.exec(body)?.[1] ?? "";
}

type Claims = Record<string, unknown>;
const encode = (value: Claims) => Buffer.from(JSON.stringify(value)).toString("base64url");
const claimsOf = (token: string): Claims =>
  JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());

function hmac(header: Claims, claims: Claims, key: string): string {
  const text = `${encode(header)}.${encode(claims)}`;
  return `${text}.${new Bun.CryptoHasher("sha256", key).update(text).digest("base64url")}`;
}

/** What somebody makes of a token of their own without the key. */
function forgedJwts(mine: string, theirs: string): Record<string, string> {
  const [header = "", payload = "", signature = ""] = mine.split(".");
  const claims = claimsOf(mine);
  const asOther = { ...claims, sub: claimsOf(theirs)["sub"] };
  const HS256 = { alg: "HS256", typ: "JWT" };
  const none = ["none", "None", "NONE", "nOnE", ""].map((alg) => [
    `alg ${alg}`,
    `${encode({ alg, typ: "JWT" })}.${encode(asOther)}.`,
  ]);
  const keys = ["secret", "gatehouse", "subscriber token", "\0".repeat(32)].map((key) => [
    `key ${key}`,
    hmac(HS256, asOther, key),
  ]);
  return {
    ...Object.fromEntries([...none, ...keys]),
    "another sub under the same signature": `${header}.${encode(asOther)}.${signature}`,
    "another jti under the same signature": `${header}.${encode({ ...claims, jti: claimsOf(theirs)["jti"] })}.${signature}`,
    "the signature of another": `${header}.${payload}.${theirs.split(".")[2]}`,
    "no signature": `${header}.${payload}.`,
    "a signature of one bit less": `${header}.${payload}.${signature.slice(0, -2)}`,
    RS256: `${encode({ alg: "RS256", typ: "JWT" })}.${payload}.${signature}`,
    HS512: `${encode({ alg: "HS512", typ: "JWT" })}.${payload}.${signature}`,
    "a key of its own": hmac({ ...HS256, jwk: { kty: "oct", k: "c2VjcmV0" } }, asOther, "secret"),
    "a key elsewhere": hmac({ ...HS256, kid: "../../../../../dev/null" }, asOther, "\0"),
    crit: hmac({ ...HS256, crit: ["exp"] }, asOther, "secret"),
    "a thousand dots": ".".repeat(1000),
    "eight kilobytes": `${header}.${"A".repeat(8000)}.${signature}`,
    empty: "",
  };
}

/** Signed with the product's own key, but saying what was never issued: the store has the last word. */
async function signedButFalse(target: Target, mine: string, theirs: string): Promise<Record<string, string>> {
  const db = openStore(target.dataFolder, { now: Math.floor(Date.now() / 1000) });
  const key = db.vault.deriveKey("subscriber token");
  db.$client.close();
  const sign = (claims: Claims, { typ = "JWT" } = {}) =>
    new SignJWT(claims).setProtectedHeader({ alg: "HS256", typ }).sign(key);
  const claims = claimsOf(mine);
  const { exp: _, ...endless } = claims;
  return {
    "signed, with the jti of another": await sign({ ...claims, jti: claimsOf(theirs)["jti"] }),
    "signed, with the sub of another": await sign({ ...claims, sub: claimsOf(theirs)["sub"] }),
    "signed, with a jti of nobody": await sign({ ...claims, jti: crypto.randomUUID() }),
    "signed, that has expired": await sign({ ...claims, exp: Number(claims["iat"]) - 1 }),
    "signed, without an end": await sign(endless),
  };
}

function forgedStaff(staff: string, jwt: string): Record<string, string> {
  const [id = "", secret = ""] = staff.split("|");
  return {
    "another id": `${Number(id) + 1}|${secret}`,
    "another secret": `${id}|${"A".repeat(secret.length)}`,
    "no secret": `${id}|`,
    "a part of the secret": `${id}|${secret.slice(0, -1)}`,
    "a letter more": `${id}|${secret}A`,
    "the id in another writing": `0${id}|${secret}`,
    "SQL for an id": `1 OR 1=1|${secret}`,
    "a subscriber's token": jwt,
  };
}

/** A token counts in the Authorization header and nowhere else, where it would end in logs and histories. */
async function outsideTheHeader(
  target: Target,
  notes: Notes,
  { mine, staff }: { mine: string; staff: string },
) {
  const query = `?access_token=${encodeURIComponent(staff)}&token=${encodeURIComponent(staff)}`;
  const requests = [
    { target: `/api/v1/users/profile${query}` },
    { target: "/api/v1/users/profile", headers: { cookie: `token=${staff}; gatehouse_portal=${staff}` } },
    { ...json(REFRESH, { access_token: mine, token: mine }) },
    { target: `/mobile-auto-login?access_token=${mine}` },
  ];
  for (const sent of requests) {
    const { status } = await target.ask("127.3.0.3", "lan", sent);
    notes.expect(
      status === 401,
      `a token outside the Authorization header got ${status} at ${sent.target.split("?")[0]}`,
    );
  }
}

/** The real ones still work, until they are given back. */
async function genuine(target: Target, notes: Notes, { mine, staff }: { mine: string; staff: string }) {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const call = async (sent: { method?: string; target: string; token: string }) =>
    (await target.ask("127.3.0.4", "lan", { ...sent, headers: bearer(sent.token) })).status;
  const profile = { target: "/api/v1/users/profile", token: staff };
  notes.expect((await call(profile)) === 200, "a genuine staff token was refused after false ones");
  const refreshed = await call({ method: "POST", target: REFRESH, token: mine });
  notes.expect(refreshed === 200, "a genuine subscriber token was refused after false ones");
  const again = await call({ method: "POST", target: REFRESH, token: mine });
  notes.expect(again === 401, "a subscriber token worked after it was exchanged");
  await call({ method: "POST", target: "/api/v1/users/logout", token: staff });
  notes.expect((await call(profile)) === 401, "a staff token worked after the logout");
}
