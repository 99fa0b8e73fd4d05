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

  constructor(code: FaultCode, message: string) {
    super(message.length > MOST_WORDS ? `${message.slice(0, MOST_WORDS)}...` : message);
    this.code = code;
  }
}

const refusals: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was reset",
  EPIPE: "the connection was closed",
  EHOSTUNREACH: "there is no route to it",
  ENETUNREACH: "there is no route to it",
  ETIMEDOUT: "it does not answer",
  ENOTFOUND: "its name cannot be resolved",
  EAI_AGAIN: "its name cannot be resolved at the moment",
};

export function socketFault(error: Error & { code?: unknown }, isConnected: boolean): RouterosError {
  const code = typeof error.code === "string" ? error.code : "";
  const words = refusals[code];
  if (words) return new RouterosError(isConnected ? "closed" : "unreachable", words);
  if (code.includes("SSL") || code.includes("TLS") || error.message.includes("SSL"))
    return new RouterosError("tls", `TLS failed: ${error.message}`);
  return new RouterosError(isConnected ? "closed" : "unreachable", error.message || code || "it failed");
}
