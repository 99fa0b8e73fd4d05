/** A listener that could not be opened: where, why, and what to do. */
export class ListenError extends Error {
  override name = "ListenError";
  /** Which listener; several may share one address. */
  readonly listener: "http" | "auth" | "acct";
  readonly host: string;
  readonly port: number;
  readonly reason: string;

  constructor(
    listener: ListenError["listener"],
    { host, port }: { host: string; port: number },
    { code, message }: { code: unknown; message: string },
  ) {
    const reason = reasons.get(String(code)) ?? message;
    const name = listener === "http" ? "HTTP" : `RADIUS ${listener}`;
    super(`${name} cannot listen on ${host.includes(":") ? `[${host}]` : host}:${port}: ${reason}`);
    this.listener = listener;
    this.host = host;
    this.port = port;
    this.reason = reason;
  }
}

const reasons = new Map([
  [
    "EADDRNOTAVAIL",
    "this machine does not have that address; take one that `ip address` shows, or 0.0.0.0 for all",
  ],
  ["EADDRINUSE", "is taken by another program (ss -lnp shows which); stop that or choose another port"],
  [
    "EACCES",
    "ports below 1024 are for privileged programs; choose a higher one, or let the unit have them: systemctl cat gatehouse says how",
  ],
]);

export function errorCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
