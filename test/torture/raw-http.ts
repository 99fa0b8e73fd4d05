import { connect, type Socket } from "node:net";

export interface Answer {
  readonly status: number;
  /** Names in lower case; of several with one name, all of them, one a line. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

export interface Wire {
  readonly port: number;
  /** The address to come from. */
  readonly from: string;
}

export interface Sent {
  readonly method?: string;
  /** Exactly as it stands on the request line. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Milliseconds that an answer may take; far more than any does. */
const PATIENCE = 30_000;

/** One connection from an address of one's choice, on which anything may be written, one request after the other. */
export class RawConnection implements Disposable {
  readonly socket: Socket;
  #received = Buffer.alloc(0);
  #heard: () => void = () => {};

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on("data", (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#heard();
    });
    // whoever waits learns it from `destroyed`
    socket.on("error", () => {});
    socket.on("close", () => this.#heard());
  }

  static open({ port, from }: Wire): Promise<RawConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: "127.0.0.1", port, localAddress: from });
      socket.setNoDelay(true);
      socket.once("error", reject);
      socket.once("connect", () => resolve(new RawConnection(socket)));
    });
  }

  /** The answer to a request; null when the connection ends, or nothing comes in time. */
  ask(sent: Sent): Promise<Answer | null> {
    this.socket.write(textOf(sent));
    return this.answer(sent.method);
  }

  /** The next answer to what was written. */
  async answer(method = "GET", patience = PATIENCE): Promise<Answer | null> {
    const until = performance.now() + patience;
    for (;;) {
      const found = readAnswer(this.#received, method);
      if (found) {
        this.#received = this.#received.subarray(found.end);
        return found.answer;
      }
      const left = until - performance.now();
      if (this.socket.destroyed || left <= 0) return null;
      await this.#news(left);
    }
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }

  async #news(patience: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, patience);
    this.#heard = resolve;
    await promise;
    clearTimeout(timer);
  }
}

/** One request on a connection of its own. */
export async function askOnce(wire: Wire, sent: Sent): Promise<Answer | null> {
  using connection = await RawConnection.open(wire);
  return await connection.ask(sent);
}

export function basic(username: string, password: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };
}

/** A POST of JSON. */
export function json(target: string, value: unknown): Sent {
  const headers = { "content-type": "application/json" };
  return { method: "POST", target, headers, body: JSON.stringify(value) };
}

/** A POST of a form. */
export function form(target: string, fields: Record<string, string>, cookie: string): Sent {
  const headers = { "content-type": "application/x-www-form-urlencoded", cookie };
  return { method: "POST", target, headers, body: new URLSearchParams(fields).toString() };
}

function textOf({ method = "GET", target, headers = {}, body = "" }: Sent): string {
  const all = Object.entries({ host: "isp.example", ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `${method} ${target} HTTP/1.1\r\n${all.join("")}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** The answer at the beginning of the bytes, once it is all there; nothing here answers in chunks. */
function readAnswer(bytes: Buffer, method: string): { answer: Answer; end: number } | undefined {
  const head = bytes.indexOf("\r\n\r\n");
  if (head < 0) return undefined;
  const [first = "", ...lines] = bytes.toString("latin1", 0, head).split("\r\n");
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name = "", value = ""] = /^([^:]*): *(.*)$/.exec(line) ?? [];
    const before = headers.get(name.toLowerCase());
    headers.set(name.toLowerCase(), before === undefined ? value : `${before}\n${value}`);
  }
  const length = method === "HEAD" ? 0 : Number(headers.get("content-length") ?? 0);
  const end = head + 4 + length;
  if (bytes.length < end) return undefined;
  const status = Number(first.split(" ")[1]);
  return { answer: { status, headers, body: bytes.toString("utf8", head + 4, end) }, end };
}
