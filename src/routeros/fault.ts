import { type Phrase, phrase, verbatim } from "../domain/core/errors/phrase.ts";

/**
 * Why a router did not do what it was asked. `unreachable`: no connection; `silent`: no answer in time; `closed`: it hung up;
 * `trap`: it refused one command and the connection stays; `fatal`: it refused and hung up; `garbled`: not its protocol;
 * `flood`: its answer has no end.
 */
export type FaultCode =
  | "unreachable"
  | "silent"
  | "closed"
  | "tls"
  | "certificate"
  | "login"
  | "trap"
  | "fatal"
  | "garbled"
  | "flood";

/** Most characters of a message: a router could send megabytes, and its text goes into answers, log and audit. */
const MOST_WORDS = 500;

export class RouterosError extends Error {
  override name = "RouterosError";
  readonly code: FaultCode;
  /** The message, for a page to tell in its reader's language. */
  readonly phrase: Phrase;

  constructor(code: FaultCode, words: Phrase) {
    const text = words.toString();
    const isLong = text.length > MOST_WORDS;
    super(isLong ? `${text.slice(0, MOST_WORDS)}...` : text);
    this.code = code;
    this.phrase = isLong ? verbatim(this.message) : words;
  }
}

const refusals: Readonly<Record<string, Phrase>> = {
  ECONNREFUSED: phrase`the connection was refused`,
  ECONNRESET: phrase`the connection was reset`,
  EPIPE: phrase`the connection was closed`,
  EHOSTUNREACH: phrase`there is no route to it`,
  ENETUNREACH: phrase`there is no route to it`,
  ETIMEDOUT: phrase`it does not answer`,
  ENOTFOUND: phrase`its name cannot be resolved`,
  EAI_AGAIN: phrase`its name cannot be resolved at the moment`,
};

export function socketFault(error: Error & { code?: unknown }, isConnected: boolean): RouterosError {
  const code = typeof error.code === "string" ? error.code : "";
  const words = refusals[code];
  if (words) return new RouterosError(isConnected ? "closed" : "unreachable", words);
  if (code.includes("SSL") || code.includes("TLS") || error.message.includes("SSL"))
    return new RouterosError("tls", phrase`TLS failed: ${error.message}`);
  return new RouterosError(
    isConnected ? "closed" : "unreachable",
    verbatim(error.message || code || "it failed"),
  );
}
