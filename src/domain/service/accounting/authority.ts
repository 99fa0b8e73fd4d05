/** Whose a session is: a subscriber's, a card's, or of a name that we do not know. */
export interface Owner {
  readonly subscriberId: number | null;
  readonly cardId: number | null;
}

/** What an access box may tell of: it has its own subscribers, cards and routers, and everything else is somebody else's. */
export interface Authority {
  readonly box: number;
  /** Whether whoever this is, a subscriber or a card, is one that the box was told of; nobody is anybody's. */
  owns(owner: Owner): boolean;
  /** Whether another box, or the books, let that owner in with this Class: only who was there, and its router, knows its random bytes. */
  wasGranted(owner: Owner, sessionClass: Buffer | null): boolean;
}

/** Why what an access box tells is not booked. */
export class NotOwn extends Error {
  override name = "NotOwn";
}
