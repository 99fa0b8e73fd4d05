import type { Logger } from "pino";
import type { Db } from "../../db/open.ts";
import { recordDecisions } from "../domain/service/access/auth-log.ts";
import { recordFirstUses } from "../domain/service/cards/first-use.ts";
import { cardNumber } from "../domain/goods/codes/codes.ts";
import type { Enforcer } from "../domain/service/enforcement/enforce.ts";
import { latchMessageAuthenticator, recordUnauthenticated } from "../domain/goods/nas/sources.ts";
import type { Arrivals, Arrived } from "../domain/goods/nas/arrivals.ts";
import type { LiveFeed } from "../domain/service/live/feed.ts";
import type { QuotaCrossed } from "../domain/service/accounting/accounting.ts";
import type { Carried, CarriedTally } from "../domain/money/sums/carried.ts";
import { systemClock } from "../domain/core/time/time.ts";
import { logEnforced } from "../jobs/jobs.ts";
import type { AccessEvent } from "../radius/auth/access.ts";
import type { DeferredWrites } from "./deferred-writes.ts";

type Source = Parameters<typeof latchMessageAuthenticator>[1];

interface Needs {
  readonly db: Db;
  readonly log: Logger;
  readonly enforcer: Enforcer;
  readonly deferred: DeferredWrites;
  readonly carried: CarriedTally;
  readonly live: LiveFeed;
  readonly arrivals: Arrivals;
}

/** Writes on main for the RADIUS threads, which never wait for the store. */
export function radiusRecorders({ db, log, enforcer, deferred, carried, live, arrivals }: Needs) {
  return {
    decided: (events: readonly AccessEvent[]) => {
      if (events.some(({ isCardUse }) => isCardUse))
        deferred.add("first uses of cards", () => recordFirstUses(db, events));
      deferred.add("login decisions", () => recordDecisions(db, events));
      live.decided(events); // told within a second, when they are stored
    },
    authenticatorSeen: (source: Source) =>
      deferred.add("a router's first Message-Authenticator", () =>
        latchMessageAuthenticator(db, source, systemClock()),
      ),
    unauthenticated: (source: Source) =>
      deferred.add("requests without Message-Authenticator", () =>
        recordUnauthenticated(db, source, systemClock()),
      ),
    carried: (sums: readonly Carried[]) => {
      for (const sum of sums) carried.add(sum);
    },
    reported: (packed: Float64Array) => live.reported(packed),
    arrived: (arrived: readonly Arrived[]) => {
      arrivals.add(arrived);
      live.arrived(arrived);
    },
    quotaCrossed: (crossed: QuotaCrossed) => {
      if ("cardId" in crossed) log.info({ card: cardNumber(crossed.cardId) }, "a card is used up");
      else
        log.info(
          { subscriber: crossed.subscriberId },
          "a subscriber has used up its data volume, or reached a tier of it",
        );
      enforcer.enforceOne(crossed).then(
        (enforced) => logEnforced(log, enforced),
        (error: unknown) => log.error({ err: error }, "could not act on a used-up data volume"),
      );
    },
  };
}
