/** A session's owner: a subscriber, a card, or neither. */
export interface Owner {
  readonly subscriberId: number | null;
  readonly cardId: number | null;
}

/** What an access box may report: its own subscribers, cards and routers. */
export interface Authority {
  readonly box: number;
  /** Whether the owner is in the box's scope; an unknown name always is. */
  owns(owner: Owner): boolean;
  /** Whether another box, or the primary, accepted that owner with this Class, whose random bytes only its router knows. */
  wasGranted(owner: Owner, sessionClass: Buffer | null): boolean;
}

/** Why a report of an access box is refused. */
export class NotOwn extends Error {
  override name = "NotOwn";
}
