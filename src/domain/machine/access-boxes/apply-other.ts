import type { Db } from "../../../../db/open.ts";
import { recordDecisions } from "../../service/access/auth-log.ts";
import { recordFirstUses } from "../../service/cards/first-use.ts";
import { NotOwn } from "../../service/accounting/authority.ts";
import { latchMessageAuthenticator } from "../../goods/nas/sources.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { NodeAuthority } from "./box-authority.ts";
import type { Homecoming } from "./journal.ts";
import { type Decision, NoRow, readDropped, readSeen, unpackDecisions } from "./journal-rows.ts";

/** Decisions as a journal row; bytes of a Class are base64. */
export function packDecisions(events: readonly Decision[]): unknown {
  return events.map((event) => ({
    ...event,
    class: event.class && Buffer.from(event.class).toString("base64"),
  }));
}

/**
 * Stores what a box reports beside accounting: decisions, first uses of cards, first Message-Authenticators. Foreign decisions
 * go to `refuse`. Throws NotOwn and NoRow.
 */
export function takeOther(
  db: Db,
  row: Homecoming,
  { authority, refuse, now }: { authority: NodeAuthority; refuse: (error: Error) => void; now: Seconds },
): void {
  switch (row.kind) {
    case "decided": {
      const events = pickOwn(unpackDecisions(row.body, { row, now }), authority, refuse);
      if (events.some(({ isCardUse }) => isCardUse)) recordFirstUses(db, events);
      recordDecisions(db, events);
      break;
    }
    case "seen": {
      const { nasId, address } = readSeen(row.body);
      // a box of limited scope could have requests of others' routers dropped, which send none
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

/** Decisions about the box's own subscribers, or unknown names, at its own routers. */
function pickOwn(
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
      return [Object.assign(event, { nasId: authority.requireRouter(nasId, nasAddress) })];
    } catch (error) {
      if (!(error instanceof NotOwn)) throw error;
      refuse(error);
      return [];
    }
  });
}
