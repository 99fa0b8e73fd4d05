import type { Db } from "../../../db/open.ts";
import { isUnheard } from "../../domain/machine/access-boxes/hearing.ts";
import type { Decision } from "../../domain/service/access/decide.ts";
import { decideCard } from "../../domain/service/access/decide-card.ts";
import { grantedBy } from "../../domain/service/access/granted.ts";
import { PendingAccepts } from "../../domain/service/access/pending.ts";
import { cardNumber } from "../../domain/goods/codes/codes.ts";
import { Guesses } from "../../domain/service/cards/guesses.ts";
import { CardReader, hiddenCode, type LoginCard, parseCode } from "../../domain/service/cards/reader.ts";
import type { CardBatch } from "../../domain/service/cards/standing.ts";
import { parseMac } from "../../domain/core/fields/text.ts";
import { Attribute } from "../packet/numbers.ts";
import { value } from "../packet/packet.ts";
import { printable } from "../server/gate.ts";
import type { AccessPlace } from "../server/access-memory.ts";
import { CardProofs, EMPTY } from "./card-proof.ts";
import type { Password } from "./credentials.ts";
import type { Judged, Login } from "./login.ts";

/** Decides logins whose name is no subscriber's: cards, or unknown names. */
export class CardLogins {
  readonly #db: Db;
  readonly #reader: CardReader;
  readonly #pending: PendingAccepts;
  readonly #guesses: Guesses;
  readonly #proofs = new CardProofs();
  #hasToldLost = false;

  constructor(db: Db, { memory, who }: AccessPlace) {
    this.#db = db;
    this.#reader = new CardReader(db);
    this.#pending = new PendingAccepts(memory.cardAccepts, who);
    this.#guesses = new Guesses(memory.guesses, who);
  }

  /** `dummy` is the password that an unknown name is checked against, so that it takes as long. */
  judge(login: Login, dummy: Password): Judged {
    const { name, request, now } = login;
    if (name === undefined) {
      const escaped = printable(request.packet, Attribute["User-Name"]);
      return nobody(login, dummy, this.#reader.hideInBytes(escaped));
    }
    const code = parseCode(name);
    if (
      this.#guesses.areAny &&
      this.#mayBeCode(login, code) &&
      this.#guesses.isHeld(identifyGuesser(login), now)
    )
      return refusedAs(login, dummy, { accept: false, reason: "too_many_guesses" }, hiddenCode(code));
    const card = this.#reader.card(code);
    if (card) return this.#card(login, card, code);
    if (isOwnAddress(login)) return nobody(login, dummy, name);
    const judged = nobody(login, dummy, this.#reader.shown(name, code));
    return this.#reader.hasForm(code) ? this.#counted(login, judged, code) : judged;
  }

  /** Remembers a card's Accept until its Start. */
  addPending(cardId: number, accept: Parameters<PendingAccepts["add"]>[1]): void {
    this.#pending.add(cardId, accept);
  }

  /** After a login, whatever came of it. */
  settle(): void {
    this.#pending.settle();
  }

  #mayBeCode(login: Login, code: string): boolean {
    return this.#reader.hasForm(code) && !isOwnAddress(login);
  }

  /** Counts a wrong code, and reports too many at one router. Logins that were not checked, and our own tests, do not count. */
  #counted(login: Login, judged: Judged, code: string): Judged {
    const { id: routerId } = login.request.client;
    if (login.unread || routerId === null) return judged;
    const isTooMany = this.#guesses.add(identifyGuesser(login), code, { routerId, now: login.now });
    return isTooMany ? { ...judged, tells: { kind: "many_guesses" } } : judged;
  }

  #card(login: Login, card: LoginCard, code: string): Judged {
    const { credentials, name = "", request } = login;
    const { ispId, id: nasId } = request.client;
    const kept = this.#reader.findBatch(card);
    const password =
      login.unread || !credentials
        ? undefined
        : this.#proofs.of(credentials, { cardId: card.id, code, name });
    const decision = login.unread ?? this.#decide(login, card, kept?.batch, password !== undefined);
    const isOwn = ispId === null || ispId === kept?.batch.ispId;
    const judged = {
      decision,
      password: password ?? EMPTY,
      isProven: password !== undefined,
      granted: decision.accept && kept ? (kept.granted ??= grantedBy(decision)) : undefined,
      subscriberId: null,
      // another ISP learns nothing of a card, not even its number
      cardId: isOwn ? card.id : null,
      username: isOwn ? cardNumber(card.id) : hiddenCode(code),
      // a test uses nothing up
      isCardUse:
        decision.accept && kept !== undefined && nasId !== null && isUse(card, kept.batch, login.mac),
      tells: kept ? undefined : this.#tellLost(card),
    };
    // a router of this ISP must not be usable to try codes of another ISP
    return isOwn || !kept ? judged : this.#counted(login, judged, code);
  }

  #decide(login: Login, card: LoginCard, batch: CardBatch | undefined, passwordIsRight: boolean): Decision {
    const { mac, device, now } = login;
    const { nasAddress, client } = login.request;
    if (!batch) return { accept: false, reason: passwordIsRight ? "card_void" : "wrong_password" };
    return decideCard(card, batch, {
      ispId: client.ispId,
      nasAddress,
      mac,
      now,
      passwordIsRight,
      isCutOff: () => isUnheard(this.#db, now),
      sessions: () => this.#reader.openSessions(card),
      pending: (open) =>
        this.#pending.others(this.#reader, card.id, open, { station: device, nasAddress, now }),
    });
  }

  /** Reports once, however many cards lack their batch. */
  #tellLost({ id }: LoginCard): Judged["tells"] {
    if (this.#hasToldLost) return undefined;
    this.#hasToldLost = true;
    return { kind: "lost_batch", card: cardNumber(id) };
  }
}

/** Whether an Accept has something to store. */
function isUse(card: LoginCard, { lockFirstDevice }: CardBatch, mac: string | undefined): boolean {
  return card.firstUsedAt === null || (lockFirstDevice === 1 && card.lockedMac === null && mac !== undefined);
}

/** The guesser: the device, else its address at its router, else the router; per ISP, as another's routers may lie. */
function identifyGuesser({ device, request: { packet, client, nasAddress } }: Login): string {
  const address = () => value(packet, Attribute["Framed-IP-Address"])?.join(".");
  return `${client.ispId} ${device || `${nasAddress} ${address() ?? ""}`}`;
}

/** A device that logs in with its own MAC address does not guess. */
function isOwnAddress({ name = "", mac }: Login): boolean {
  return mac !== undefined && parseMac(name) === mac;
}

function nobody(login: Login, dummy: Password, username: string): Judged {
  return refusedAs(login, dummy, { accept: false, reason: "unknown_user" }, username);
}

function refusedAs(
  { unread, credentials }: Login,
  dummy: Password,
  refused: Decision,
  username: string,
): Judged {
  if (!unread) credentials?.verify(dummy); // as long as it takes where there is somebody
  return {
    decision: unread ?? refused,
    password: dummy,
    isProven: false,
    granted: undefined,
    subscriberId: null,
    cardId: null,
    username,
    isCardUse: false,
    tells: undefined,
  };
}
