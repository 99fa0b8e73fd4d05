import type { Db } from "../../../../db/open.ts";
import { recordDecisions } from "../../service/access/auth-log.ts";
import { recordFirstUses } from "../../service/cards/first-use.ts";
import { NotOwn } from "../../service/accounting/authority.ts";
import { latchMessageAuthenticator } from "../../goods/nas/sources.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { NodeAuthority } from "./box-authority.ts";
import type { Homecoming } from "./journal.ts";
import { type Decision, NoRow, readDropped, readSeen, unpackDecisions } from "./journal-rows.ts";

/** Decisions as a box puts them into its journal: bytes of the Class as base64. */
export function packDecisions(events: readonly Decision[]): unknown {
  return events.map((event) => ({
    ...event,
    class: event.class && Buffer.from(event.class).toString("base64"),
  }));
}

/**
 * Takes what a box tells beside accounting, within the transaction: decisions with first uses of cards, and first Message-Authenticators.
 * A decision that is not the box's to tell is left out, and goes to `refuse`. Throws NotOwn and NoRow where nothing of it is taken.
 */
export function takeOther(
  db: Db,
  row: Homecoming,
  { authority, refuse, now }: { authority: NodeAuthority; refuse: (error: Error) => void; now: Seconds },
): void {
  switch (row.kind) {
    case "decided": {
      const events = ownOf(unpackDecisions(row.body, { row, now }), authority, refuse);
      if (events.some(({ isCardUse }) => isCardUse)) recordFirstUses(db, events);
      recordDecisions(db, events);
      break;
    }
    case "seen": {
      const { nasId, address } = readSeen(row.body);
      // a box of a few would have the requests of others' routers dropped, which send none
      if (authority.speaksFor(nasId, address)) latchMessageAuthenticator(db, { nasId, address }, now);
      break;
    }
    case "dropped":
      readDropped(row.body);
      break;
    default:
      throw new NoRow(`is a ${row.kind.slice(0, 40)}, which these books do not know`);
  }
}

/** Decisions about who is the box's own, or nobody, by its own routers. */
function ownOf(
  events: readonly Decision[],
  authority: NodeAuthority,
  refuse: (error: Error) => void,
): Decision[] {
  return events.flatMap((event) => {
    const { subscriberId = null, cardId = null, nasId = null, nasAddress, accepted } = event;
    try {
      if (!authority.owns({ subscriberId, cardId: null }) || !authority.owns({ subscriberId: null, cardId }))
        throw new NotOwn("a login of others");
      if (accepted && subscriberId === null && cardId === null) throw new NotOwn("a login of nobody");
      return [Object.assign(event, { nasId: authority.routerOf(nasId, nasAddress) })];
    } catch (error) {
      if (!(error instanceof NotOwn)) throw error;
      refuse(error);
      return [];
    }
  });
}
