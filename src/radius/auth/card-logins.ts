import type { Db } from "../../../db/open.ts";
import type { Decision } from "../../domain/access/decide.ts";
import { decideCard } from "../../domain/access/decide-card.ts";
import { grantedBy } from "../../domain/access/granted.ts";
import { PendingAccepts } from "../../domain/access/pending.ts";
import { cardNumber } from "../../domain/cards/codes.ts";
import { Guesses } from "../../domain/cards/guesses.ts";
import { CardReader, codeOfName, hiddenCode, type LoginCard } from "../../domain/cards/reader.ts";
import type { CardBatch } from "../../domain/cards/standing.ts";
import { parseMac } from "../../domain/text.ts";
import { Attribute } from "../packet/numbers.ts";
import { value } from "../packet/packet.ts";
import { shownText } from "../server/gate.ts";
import { CardProofs, EMPTY } from "./card-proof.ts";
import type { Password } from "./credentials.ts";
import type { Judged, Login } from "./login.ts";

/** Decides logins whose name is no subscriber's: by a card, or by nobody. */
export class CardLogins {
  readonly #reader: CardReader;
  readonly #pending = new PendingAccepts();
  readonly #guesses = new Guesses();
  readonly #proofs = new CardProofs();

  constructor(db: Db) {
    this.#reader = new CardReader(db);
  }

  /** `dummy` stands in for the password of a name that is nobody's. */
  judge(login: Login, dummy: Password): Judged {
    const { name, request, now } = login;
    if (name === undefined) return nobody(login, dummy, shownText(request.packet, Attribute["User-Name"]));
    const code = codeOfName(name);
    if (this.#guesses.areAny && this.#mayBeCode(login, code) && this.#guesses.isHeld(guesserOf(login), now))
      return held(login, dummy, code);
    const card = this.#reader.card(code);
    if (card) return this.#card(login, card, code);
    if (!this.#mayBeCode(login, code)) return nobody(login, dummy, name);
    const judged = nobody(login, dummy, hiddenCode(code));
    return { ...judged, isManyGuesses: this.#count(login, judged.decision) };
  }

  /** Remembers an Accept of a card that no Start has followed yet. */
  addPending(cardId: number, accept: Parameters<PendingAccepts["add"]>[1]): void {
    this.#pending.add(cardId, accept);
  }

  /** A device that logs in by its own MAC address guesses nothing. */
  #mayBeCode({ name = "", mac }: Login, code: string): boolean {
    return this.#reader.hasForm(code) && (mac === undefined || parseMac(name) !== mac);
  }

  /** True for the guess that makes too many at its router. A test of ours is no guess. */
  #count(login: Login, { reason }: Decision): boolean {
    const { id } = login.request.client;
    return reason === "unknown_user" && id !== null && this.#guesses.add(guesserOf(login), id, login.now);
  }

  #card(login: Login, card: LoginCard, code: string): Judged {
    const { unread, credentials, name = "", mac, device, now } = login;
    const { nasAddress, client } = login.request;
    const kept = this.#reader.batchOf(card);
    const password =
      unread || !credentials ? undefined : this.#proofs.of(credentials, { cardId: card.id, code, name });
    const decision =
      unread ??
      decideCard(card, kept.batch, {
        ...{ ispId: client.ispId, nasAddress, mac, now },
        passwordIsRight: password !== undefined,
        sessions: () => this.#reader.openSessions(card),
        pending: (open) =>
          this.#pending.others(this.#reader, card.id, open, { station: device, nasAddress, now }),
      });
    return {
      ...{ decision, password: password ?? EMPTY, isProven: password !== undefined },
      granted: decision.accept ? (kept.granted ??= grantedBy(decision)) : undefined,
      subscriberId: null,
      // another ISP learns nothing of a card, not even its number
      ...(client.ispId === null || client.ispId === kept.batch.ispId
        ? { cardId: card.id, username: cardNumber(card.id) }
        : { cardId: null, username: hiddenCode(code) }),
      // a test uses nothing up
      isCardUse: decision.accept && client.id !== null && isUse(card, kept.batch, mac),
      isManyGuesses: false,
    };
  }
}

/** Whether there is something to be written of an Accept. */
function isUse(card: LoginCard, { lockFirstDevice }: CardBatch, mac: string | undefined): boolean {
  return card.firstUsedAt === null || (lockFirstDevice === 1 && card.lockedMac === null && mac !== undefined);
}

/** Who guesses: the device, else its address at its router, else the router; of one ISP, whose routers may lie. */
function guesserOf({ device, request: { packet, client, nasAddress } }: Login): string {
  const address = () => value(packet, Attribute["Framed-IP-Address"])?.join(".");
  return `${client.ispId} ${device || `${nasAddress} ${address() ?? ""}`}`;
}

function held(login: Login, dummy: Password, code: string): Judged {
  const refused: Decision = login.unread ?? { accept: false, reason: "too_many_guesses" };
  return refusedAs(login, dummy, refused, hiddenCode(code));
}

function nobody(login: Login, dummy: Password, username: string): Judged {
  return refusedAs(login, dummy, login.unread ?? { accept: false, reason: "unknown_user" }, username);
}

function refusedAs(
  { unread, credentials }: Login,
  dummy: Password,
  decision: Decision,
  username: string,
): Judged {
  if (!unread) credentials?.verify(dummy); // as long as it takes where there is somebody
  const nobodys = { granted: undefined, subscriberId: null, cardId: null };
  return {
    ...nobodys,
    decision,
    password: dummy,
    isProven: false,
    username,
    isCardUse: false,
    isManyGuesses: false,
  };
}
