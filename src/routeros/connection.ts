import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { type AnswerBudget, countBytes, type AnswerSize } from "./answer-budget.ts";
import { phrase, verbatim } from "../domain/core/errors/phrase.ts";
import { RouterosError, socketFault } from "./fault.ts";
import { encodeSentence, SentenceReader } from "./framing.ts";

export interface Endpoint {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  /** SHA-256 of the only accepted certificate, as AA:BB:...; null accepts any. */
  readonly fingerprint: string | null;
}

type Receive = (packet: string[]) => void;

/** A pending command. */
interface Waiting {
  readonly receive: Receive;
  readonly size: AnswerSize;
}

/**
 * A connection to a router in place of node-routeros' Connector, Receiver and Transmitter, which lose replies that arrive in
 * pieces, garble UTF-8, and leave commands pending forever when the socket closes.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #reader = new SentenceReader();
  readonly #budget: AnswerBudget;
  readonly #waiting = new Map<string, Waiting>();
  /** Sentences of no command: a correct router sends none, so they are never given back. */
  readonly #stray: AnswerSize = { rows: 0, bytes: 0 };
  /** The incomplete sentence. */
  readonly #unfinished: AnswerSize = { rows: 0, bytes: 0 };
  #isConnected = false;
  #fault: RouterosError | undefined;
  #settle: ((fault?: RouterosError) => void) | undefined;

  private constructor(socket: Socket, budget: AnswerBudget) {
    this.#socket = socket;
    this.#budget = budget;
    socket.setNoDelay(true);
    socket.setKeepAlive(true, 10_000);
    socket.on("data", (segment: Buffer) => this.#receive(segment));
    socket.on("error", (error) => this.fail(socketFault(error, this.#isConnected)));
    socket.on("end", () => this.fail(new RouterosError("closed", phrase`it closed the connection`)));
    socket.on("close", () => this.fail(new RouterosError("closed", phrase`it closed the connection`)));
  }

  /** Connects within `within` ms and checks the certificate. Rejects with a RouterosError and cleans up. */
  static async open(endpoint: Endpoint, within: number, budget: AnswerBudget): Promise<Connection> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const connection = new Connection(
      endpoint.tls
        ? openTls(endpoint, () => connection.#secured(endpoint))
        : openTcp(endpoint, () => connection.#ready()),
      budget,
    );
    connection.#settle = (fault) => (fault ? reject(fault) : resolve());
    const timer = setTimeout(
      () =>
        connection.fail(new RouterosError("unreachable", phrase`no connection within ${inSeconds(within)}`)),
      within,
    );
    try {
      await promise;
      return connection;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Why the connection has ended; undefined while open. */
  get fault(): RouterosError | undefined {
    return this.#fault;
  }

  /** Ends the connection and all pending commands. */
  fail(fault: RouterosError): void {
    if (this.#fault) return;
    this.#fault = fault;
    this.#socket.destroy();
    this.#settle?.(fault);
    for (const [tag, { receive }] of [...this.#waiting]) {
      receive(["!trap", `=message=${fault.message}`]);
      receive(["!done"]);
      this.stopRead(tag);
    }
    this.#budget.giveBack(this.#stray);
    this.#budget.giveBack(this.#unfinished);
  }

  // --- node-routeros' connector interface ---

  read(tag: string, receive: Receive): void {
    this.#waiting.set(tag, { receive, size: { rows: 0, bytes: 0 } });
  }

  stopRead(tag: string): void {
    const waiting = this.#waiting.get(tag);
    if (!waiting) return;
    this.#waiting.delete(tag);
    this.#budget.giveBack(waiting.size);
  }

  write(words: readonly string[]): void {
    if (this.#fault) throw this.#fault;
    this.#socket.write(encodeSentence(words));
  }

  #secured({ fingerprint }: Endpoint): void {
    const certificate = readFingerprint(this.#socket);
    if (fingerprint === null || certificate === fingerprint) return this.#ready();
    this.fail(
      new RouterosError(
        "certificate",
        phrase`its certificate has the fingerprint ${certificate ?? "of none"}, not the one that is stored`,
      ),
    );
  }

  #ready(): void {
    this.#isConnected = true;
    this.#settle?.();
  }

  #receive(segment: Buffer): void {
    if (this.#fault) return;
    try {
      for (const sentence of this.#reader.push(segment)) {
        if (this.#fault) return; // what stands behind the end
        this.#dispatch(sentence);
      }
      if (this.#fault) return;
      this.#budget.giveBack(this.#unfinished);
      this.#budget.take(this.#unfinished, 0, this.#reader.held);
    } catch (error) {
      this.fail(
        error instanceof RouterosError ? error : new RouterosError("garbled", verbatim(String(error))),
      );
    }
  }

  /** Passes on only replies that node-routeros knows; `!empty` (RouterOS 7.18) adds nothing to the `!done` after it. */
  #dispatch([reply = "", ...words]: string[]): void {
    const tag = words.find((word) => word.startsWith(".tag="))?.slice(".tag=".length) ?? "";
    const waiting = this.#waiting.get(tag);
    this.#budget.take(waiting?.size ?? this.#stray, 1, countBytes(words));
    if (reply === "!empty") return;
    if (reply === "!fatal") {
      const reason = words.find((word) => !word.startsWith(".tag="))?.replace(/^=message=/, "");
      this.fail(
        new RouterosError(
          "fatal",
          reason ? verbatim(reason) : phrase`it ended the connection without a reason`,
        ),
      );
      return;
    }
    if (!waiting) return; // the rest of an answer that nobody waits for any more
    const values = words.filter((word) => !word.startsWith(".tag="));
    if (reply === "!re" || reply === "!done" || reply === "!trap") return waiting.receive([reply, ...values]);
    throw new RouterosError(
      "garbled",
      phrase`it answered ${reply.slice(0, 40)}, which is not a reply of the API`,
    );
  }
}

function openTcp({ host, port }: Endpoint, connected: () => void): Socket {
  return connectTcp({ host, port }, connected);
}

/** Accepts any certificate at first, because routers use self-signed ones; the fingerprint is checked before anything is sent. */
function openTls({ host, port }: Endpoint, secured: () => void): TLSSocket {
  const servername = isIP(host) === 0 ? { servername: host } : {};
  return connectTls({ host, port, rejectUnauthorized: false, ...servername }, secured);
}

function readFingerprint(socket: Socket): string | undefined {
  if (!("getPeerCertificate" in socket) || typeof socket.getPeerCertificate !== "function") return undefined;
  const certificate: unknown = socket.getPeerCertificate();
  if (typeof certificate !== "object" || certificate === null || !("fingerprint256" in certificate))
    return undefined;
  return typeof certificate.fingerprint256 === "string" ? certificate.fingerprint256 : undefined;
}

export function inSeconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 100) / 10} s`;
}
