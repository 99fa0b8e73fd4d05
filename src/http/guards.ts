import { Elysia } from "elysia";
import type { Db } from "../../db/open.ts";
import { verifyStaffToken } from "../domain/staff/tokens.ts";
import type { Clock } from "../domain/time.ts";
import type { BasicCredentials } from "./basic.ts";
import { bearerToken } from "./bearer.ts";
import { readInput } from "./body.ts";
import { clientAddress, type TrustedProxies } from "./client-address.ts";

/** `staff`: the actor behind the Basic credentials; `input`: what the request carries, read after the credentials. */
export function basicGuard(credentials: BasicCredentials, trusted: TrustedProxies) {
  return new Elysia({ name: "basic" }).resolve({ as: "scoped" }, async ({ request, server }) => {
    const address = clientAddress(request, server, trusted);
    const staff = await credentials.actor(request.headers.get("authorization"), address);
    return { staff, input: await readInput(request) };
  });
}

/** `token`: a valid staff token, `staffId`: whose it is. */
export function staffTokenGuard(db: Db, clock: Clock) {
  return new Elysia({ name: "staff-token" })
    .use(bearerToken)
    .resolve({ as: "scoped" }, ({ bearer = "" }) => ({
      token: bearer,
      staffId: verifyStaffToken(db, bearer, clock()).staffId,
    }));
}
