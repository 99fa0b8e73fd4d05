import type { RefusalCode } from "../../core/errors/codes.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { type Phrase, phrase } from "../../core/errors/phrase.ts";
import { formatTime, type Seconds } from "../../core/time/time.ts";

/** Why a card is not redeemed. `unknown`: no such code, or another ISP's, which is not revealed. */
export type WhyNot = "unknown" | "void" | "used" | "expired" | "unsold" | "access" | "branch";

interface About {
  /** Absent for an unknown code. */
  readonly cardId?: number;
  /** When it was used or ended. */
  readonly at?: Seconds | null;
  /** Redeemed before by the same subscriber. */
  readonly isOwn?: boolean;
}

/** A refusal because of the card, whoever redeems it; its text never contains the code. */
export class CardRefusal extends DomainError {
  readonly why: WhyNot;
  readonly about: About;

  constructor(why: WhyNot, about: About = {}) {
    super(why === "unknown" ? "not_found" : "refused", refusalWords(why, about), { code: codes[why] });
    this.why = why;
    this.about = about;
  }
}

const codes: Readonly<Record<WhyNot, RefusalCode>> = {
  unknown: "card_unknown",
  void: "card_void",
  used: "card_used",
  expired: "card_expired",
  unsold: "card_unsold",
  access: "card_for_hotspot",
  branch: "other_branch",
};

function refusalWords(why: WhyNot, { at, isOwn }: About): Phrase {
  const when = at ? phrase` on ${formatTime(at)}` : "";
  switch (why) {
    case "unknown":
      return phrase`there is no card with this code; compare it with the card, symbol by symbol`;
    case "void":
      return phrase`the card is void; take it back, and give another one`;
    case "used":
      return phrase`the card was used before${when}${isOwn ? phrase`, by this subscriber` : ""}; nothing was booked again`;
    case "expired":
      return phrase`the card ended${when}; it cannot be used any more, give another one`;
    case "unsold":
      return phrase`the card is not sold yet; sell it first`;
    case "access":
      return phrase`the card is for the hotspot; its code is typed on the hotspot's login page, or used as username and password`;
    case "branch":
      return phrase`the card is of another branch than the subscriber; it is redeemed by subscribers of its own branch`;
  }
}
