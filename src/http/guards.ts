import { Elysia } from "elysia";
import type { Db } from "../../db/open.ts";
import { tokenHolder } from "../domain/people/staff/signed-in.ts";
import { verifySubscriberToken } from "../domain/goods/subscribers/tokens.ts";
import type { Clock } from "../domain/core/time/time.ts";
import { bearerToken } from "./bearer.ts";
import { closeToOthers } from "./cors.ts";
import { clientAddress, type TrustedProxies } from "./client-address.ts";

interface TokenNeeds {
  db: Db;
  clock: Clock;
  trusted: TrustedProxies;
}

/** `token`: a staff token, `staffId`: its account, `source`: the client's address. */
export function staffTokenGuard({ db, clock, trusted }: TokenNeeds) {
  return new Elysia({ name: "staff-token" })
    .use(bearerToken)
    .resolve({ as: "scoped" }, ({ bearer: token = "", request, server }) => {
      const source = clientAddress(request, server, trusted);
      return { token, source, staffId: tokenHolder(db, { token, source, now: clock() }).staffId };
    });
}

/** `presented`: a subscriber token, `source`: the client's address. */
export function subscriberTokenGuard({ db, clock, trusted }: TokenNeeds) {
  return new Elysia({ name: "subscriber-token" })
    .use(bearerToken)
    .resolve({ as: "scoped" }, async ({ bearer = "", request, server, set }) => {
      const presented = await verifySubscriberToken(db, bearer, clock());
      closeToOthers(db, presented.subscriberId, set.headers);
      return { presented, source: clientAddress(request, server, trusted) };
    });
}
