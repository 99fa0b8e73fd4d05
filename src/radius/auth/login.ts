import type { Decision } from "../../domain/service/access/decide.ts";
import type { Granted, Lease } from "../../domain/service/sessions/session-class.ts";
import type { Seconds } from "../../domain/core/time/time.ts";
import type { Configuration } from "../server/configuration.ts";
import type { Request } from "../server/gate.ts";
import type { Credentials, Password } from "./credentials.ts";

/** An Access-Request as it was read, before it is known whose it is. */
export interface Login {
  readonly request: Request;
  readonly configuration: Configuration;
  readonly now: Seconds;
  /** User-Name; undefined for bytes that are not UTF-8. */
  readonly name: string | undefined;
  readonly mac: string | undefined;
  /** What tells devices apart: the MAC address, else the Calling-Station-Id as sent. */
  readonly device: string | undefined;
  readonly credentials: Credentials | undefined;
  /** A refusal for which nobody has to be known. */
  readonly unread: Decision | undefined;
}

/** What came of it, and about whom it is. */
export interface Judged {
  readonly decision: Decision;
  /** By which it proved itself, or might have. */
  readonly password: Password;
  readonly isProven: boolean;
  /** What the Class says that the session was granted; undefined where it is refused. */
  readonly granted: Granted | undefined;
  readonly subscriberId: number | null;
  readonly cardId: number | null;
  readonly lease?: Lease | undefined;
  /** For the books: never a code. */
  readonly username: string;
  /** Whether main has to write that the card is in use, or which device it is locked to. */
  readonly isCardUse: boolean;
  /** What somebody has to be told beside it. */
  readonly tells: LoginNotice | undefined;
}

/** `many_guesses`: it is the wrong code that makes too many in a minute at its router; `lost_batch`: the store has no batch of a card. */
export type LoginNotice =
  { readonly kind: "many_guesses" } | { readonly kind: "lost_batch"; readonly card: string };
