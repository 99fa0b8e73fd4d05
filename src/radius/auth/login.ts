import type { Decision } from "../../domain/service/access/decide.ts";
import type { Granted, Lease } from "../../domain/service/sessions/session-class.ts";
import type { Seconds } from "../../domain/core/time/time.ts";
import type { Configuration } from "../server/configuration.ts";
import type { Request } from "../server/gate.ts";
import type { Credentials, Password } from "./credentials.ts";

/** An Access-Request as read, before the subscriber is looked up. */
export interface Login {
  readonly request: Request;
  readonly configuration: Configuration;
  readonly now: Seconds;
  /** User-Name; undefined for bytes that are not UTF-8. */
  readonly name: string | undefined;
  readonly mac: string | undefined;
  /** Identifies the device: its MAC address, else the Calling-Station-Id as sent. */
  readonly device: string | undefined;
  readonly credentials: Credentials | undefined;
  /** A Reject that needs no lookup. */
  readonly unread: Decision | undefined;
}

/** The decision, and who it is about. */
export interface Judged {
  readonly decision: Decision;
  /** The password it was checked against. */
  readonly password: Password;
  readonly isProven: boolean;
  /** The grant that the Class carries; undefined when rejected. */
  readonly granted: Granted | undefined;
  readonly subscriberId: number | null;
  readonly cardId: number | null;
  readonly lease?: Lease | undefined;
  /** For the login log: never a code. */
  readonly username: string;
  /** Whether main has to store the card's first use or its device. */
  readonly isCardUse: boolean;
  /** A notice for staff. */
  readonly tells: LoginNotice | undefined;
}

/** `many_guesses`: this wrong code is one too many within a minute at its router; `lost_batch`: a card's batch is missing from the store. */
export type LoginNotice =
  { readonly kind: "many_guesses" } | { readonly kind: "lost_batch"; readonly card: string };
