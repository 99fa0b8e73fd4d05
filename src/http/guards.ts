import { Elysia } from "elysia";
import type { Db } from "../../db/open.ts";
import { verifyStaffToken } from "../domain/staff/tokens.ts";
import { verifySubscriberToken } from "../domain/subscribers/tokens.ts";
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

interface TokenNeeds {
  db: Db;
  clock: Clock;
  trusted: TrustedProxies;
}

/** `token`: a valid staff token, `staffId`: whose it is, `source`: the client's address. */
export function staffTokenGuard({ db, clock, trusted }: TokenNeeds) {
  return new Elysia({ name: "staff-token" })
    .use(bearerToken)
    .resolve({ as: "scoped" }, ({ bearer = "", request, server }) => ({
      token: bearer,
      staffId: verifyStaffToken(db, bearer, clock()).staffId,
      source: clientAddress(request, server, trusted),
    }));
}

/** `presented`: a valid subscriber token, `source`: the client's address. */
export function subscriberTokenGuard({ db, clock, trusted }: TokenNeeds) {
  return new Elysia({ name: "subscriber-token" })
    .use(bearerToken)
    .resolve({ as: "scoped" }, async ({ bearer = "", request, server }) => ({
      presented: await verifySubscriberToken(db, bearer, clock()),
      source: clientAddress(request, server, trusted),
    }));
}
