import { Elysia } from "elysia";
import type { Db } from "../../db/open.ts";
import { tokenHolder } from "../domain/staff/signed-in.ts";
import { verifySubscriberToken } from "../domain/subscribers/tokens.ts";
import type { Clock } from "../domain/time.ts";
import type { BasicCredentials } from "./basic.ts";
import { bearerToken } from "./bearer.ts";
import { readInput } from "./body.ts";
import { clientAddress, type TrustedProxies } from "./client-address.ts";
import { refuseOtherSites } from "./cross-site.ts";
import { HttpRefusal } from "./errors.ts";

/** `staff`: the actor behind the Basic credentials; `input`: what the request carries, read after the credentials. */
export function basicGuard(credentials: BasicCredentials, trusted: TrustedProxies) {
  return new Elysia({ name: "basic" }).resolve({ as: "scoped" }, async ({ request, server }) => {
    refuseOtherSites(request, server, trusted);
    const address = clientAddress(request, server, trusted);
    const staff = await credentials.actor(request.headers.get("authorization"), address);
    const input = await readInput(request);
    // as when it sent another request meanwhile: then Bun ends the connection, and nobody would get the answer to what was done
    if (request.signal.aborted) throw new HttpRefusal(400, "the client went away before its request began");
    return { staff, input };
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
    .resolve({ as: "scoped" }, ({ bearer: token = "", request, server }) => {
      const source = clientAddress(request, server, trusted);
      return { token, source, staffId: tokenHolder(db, { token, source, now: clock() }).staffId };
    });
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
