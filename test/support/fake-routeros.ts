import { createHash, randomBytes } from "node:crypto";
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";

import type { FakeConfig } from "./fake-routeros-config.ts";

export type FakeRow = Record<string, string>;

export type Fault =
  | { kind: "trap" | "fatal"; message: string }
  | { kind: "silence" }
  /** Sends this many bytes of the reply, then FIN or RST. */
  | { kind: "close" | "reset"; after: number }
  /** A reply word that is in no manual. */
  | { kind: "unknown" }
  | { kind: "garbage"; bytes: Buffer }
  | { kind: "unended" }
  /** Sends `first` after the tag and `again` without end, as fast as it is read or every so many ms. */
  | { kind: "endless"; first?: Piece; again: Piece; every?: number };
type Piece = (tag: string) => Uint8Array;

export interface FakeRouterosOptions {
  username?: string;
  password?: string;
  /** `challenge`: before RouterOS 6.43. */
  login?: "plain" | "challenge";
  /** RouterOS 7.18 and later say `!empty` when nothing was found. */
  saysEmpty?: boolean;
  /** How the replies are cut into segments. */
  segments?: "whole" | "bytes" | number;
  /** Policies of the user's group. */
  policy?: readonly string[];
  /** Where it listens; by default on some port of loopback. */
  at?: { host: string; port: number };
  /** PEM, for api-ssl. */
  tls?: { key: string; cert: string };
  ppp?: FakeRow[];
  hotspot?: FakeRow[];
  leases?: FakeRow[];
  profiles?: FakeRow[];
  /** Answer of /system/clock. */
  clock?: FakeRow | (() => FakeRow);
  /** Menus and accounts; they replace the fields username, password and policy. */
  config?: FakeConfig;
  /** By command path, `/login` included; `connect` applies to a new connection. */
  faults?: Record<string, Fault>;
}

/** RouterOS' API as its manual describes it, on loopback. Fields may be changed while it runs. */
export class FakeRouteros implements AsyncDisposable {
  readonly options: FakeRouterosOptions;
  readonly ppp: FakeRow[];
  readonly hotspot: FakeRow[];
  readonly leases: FakeRow[];
  faults: Record<string, Fault>;
  /** Fetched files, by their destination. */
  readonly files = new Map<string, string>();
  /** Every sentence without its tag, passwords included. */
  readonly commands: string[][] = [];
  connections = 0;
  readonly #sockets = new Set<Socket>();
  /** The reply under way, so that two do not mix. */
  readonly #sending = new WeakMap<Socket, Promise<void>>();
  readonly #server: Server;

  private constructor(options: FakeRouterosOptions) {
    this.options = options;
    this.ppp = options.ppp ?? [];
    this.hotspot = options.hotspot ?? [];
    this.leases = options.leases ?? [];
    this.faults = options.faults ?? {};
    const serve = (socket: Socket) => this.#serve(socket);
    this.#server = options.tls ? createTlsServer(options.tls, serve) : createServer(serve);
    this.#server.on("tlsClientError", () => {});
  }

  static async start(options: FakeRouterosOptions = {}): Promise<FakeRouteros> {
    const fake = new FakeRouteros(options);
    const { host, port } = options.at ?? { host: "127.0.0.1", port: 0 };
    await new Promise<void>((resolve, reject) => {
      fake.#server.once("error", reject).listen(port, host, resolve);
    });
    return fake;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  }

  get open(): number {
    return this.#sockets.size;
  }

  count(path: string): number {
    return this.commands.filter(([name]) => name === path).length;
  }

  drop(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.drop();
    await closed;
  }

  #serve(socket: Socket): void {
    this.connections++;
    this.#sockets.add(socket);
    socket.on("close", () => this.#sockets.delete(socket));
    socket.on("error", () => {});
    const atOnce = this.faults["connect"];
    if (atOnce?.kind === "close") return void socket.end();
    if (atOnce?.kind === "garbage") return void socket.write(atOnce.bytes);
    const session: Session = { isSignedIn: false, policy: [], challenge: "" };
    let rest = Buffer.alloc(0);
    const words: string[] = [];
    socket.on("data", (segment: Buffer) => {
      rest = Buffer.concat([rest, segment]);
      for (let word = take(rest); word; word = take(rest)) {
        rest = rest.subarray(word.end);
        if (word.text !== "") words.push(word.text);
        else if (words.length > 0) {
          this.#answer(socket, session, words.splice(0));
        }
      }
    });
  }

  #answer(socket: Socket, session: Session, words: string[]): void {
    const tag = words.filter((word) => word.startsWith(".tag="));
    const command = words.filter((word) => !word.startsWith(".tag="));
    this.commands.push(command);
    const [path = ""] = command;
    const fault = this.faults[path];
    if (path === "/tool/fetch" && session.isSignedIn && !fault) return void this.#fetch(socket, command, tag);
    const replies = this.#replies(session, path, command, fault);
    const bytes = Buffer.concat(replies.map(([reply = "", ...rest]) => sentence([reply, ...tag, ...rest])));
    switch (fault?.kind) {
      case "silence":
        return;
      case "garbage":
        return void this.#send(socket, fault.bytes);
      case "unended":
        return void this.#send(socket, bytes.subarray(0, -sentence(["!done", ...tag]).length));
      case "endless":
        socket.write(fault.first?.(tag[0] ?? "") ?? "");
        return sendForEver(socket, fault.again(tag[0] ?? ""), fault.every);
      case "close":
        this.#send(socket, bytes.subarray(0, fault.after));
        return void socket.end();
      case "reset":
        this.#send(socket, bytes.subarray(0, fault.after));
        return void setTimeout(() => socket.resetAndDestroy(), 5);
      case "fatal":
        this.#send(socket, sentence(["!fatal", fault.message]));
        return void socket.end();
      default:
        this.#send(socket, bytes);
    }
  }

  #replies(session: Session, path: string, command: string[], fault: Fault | undefined): string[][] {
    const trap = (message: string) => [["!trap", `=message=${message}`], ["!done"]];
    if (fault?.kind === "trap") return trap(fault.message);
    if (fault?.kind === "unknown") return [["!surprise", "=what=this"], ["!done"]];
    if (path === "/login") return this.#logIn(session, command) ?? trap(this.#refusal());
    if (!session.isSignedIn) return [["!fatal", "not logged in"]];
    const { config } = this.options;
    if (config && !listed.test(path)) return config.answer(command, session.policy);
    const policy = this.options.policy ?? ["api", "read", "write"];
    if (path === "/ip/hotspot/profile/print") return found(this.options.profiles ?? [], command, true);
    const needed = path.endsWith("/remove") ? "write" : "read";
    if (!policy.includes(needed)) return trap("not enough permissions (9)");

    const list = {
      "/ppp/active": this.ppp,
      "/ip/hotspot/active": this.hotspot,
      "/ip/dhcp-server/lease": this.leases,
    }[path.replace(/\/\w+$/, "")];
    const { clock = {} } = this.options;
    if (path === "/system/clock/print")
      return found([typeof clock === "function" ? clock() : clock], command, true);
    if (!list) return trap("no such command prefix");
    if (path.endsWith("/print")) return found(list, command, this.options.saysEmpty === false);
    const at = list.findIndex((row) => row[".id"] === valueOf(command, "=.id="));
    if (at < 0) return trap("no such item (4)");
    list.splice(at, 1);
    return [["!done"]];
  }

  /** fetch needs the policies ftp and test (manual, User). */
  async #fetch(socket: Socket, command: string[], tag: string[]): Promise<void> {
    const policy = this.options.policy ?? [];
    const answer = (...replies: string[][]) =>
      this.#send(
        socket,
        Buffer.concat(replies.map(([reply = "", ...rest]) => sentence([reply, ...tag, ...rest]))),
      );
    const trap = (message: string) => answer(["!trap", `=message=${message}`], ["!done"]);
    if (!policy.includes("ftp") || !policy.includes("test")) return trap("not enough permissions (9)");
    const response = await fetch(valueOf(command, "=url=") ?? "");
    if (!response.ok) return trap(`failure: fetch failed, ${response.status}`);
    this.files.set(valueOf(command, "=dst-path=") ?? "", await response.text());
    answer(["!re", "=status=finished"], ["!done"]);
  }

  #refusal(): string {
    return this.options.login === "challenge" ? "cannot log in" : "invalid user name or password (6)";
  }

  #logIn(session: Session, command: string[]): string[][] | undefined {
    const { username = "api", password = "secret", policy, config } = this.options;
    if (config) {
      const name = valueOf(command, "=name=") ?? "";
      const allowed = config.signIn(name, valueOf(command, "=password=") ?? "", policy);
      session.isSignedIn = allowed !== undefined;
      session.policy = allowed ?? [];
      return allowed ? [["!done"]] : undefined;
    }
    if (this.options.login === "challenge") {
      const response = valueOf(command, "=response=");
      if (response === undefined) {
        session.challenge = randomBytes(16).toString("hex");
        return [["!done", `=ret=${session.challenge}`]];
      }
      const digest = createHash("md5")
        .update(Buffer.concat([Buffer.of(0), Buffer.from(password), Buffer.from(session.challenge, "hex")]))
        .digest("hex");
      session.isSignedIn = response === `00${digest}`;
    } else {
      session.isSignedIn = valueOf(command, "=password=") === password;
    }
    session.isSignedIn &&= valueOf(command, "=name=") === username && policy?.includes("api") !== false;
    return session.isSignedIn ? [["!done"]] : undefined;
  }

  #send(socket: Socket, bytes: Uint8Array): void {
    const { segments = "whole" } = this.options;
    if (segments === "whole") return void socket.write(bytes);
    socket.setNoDelay(true);
    const cuts = segments === "bytes" ? Array.from(bytes, (_, at) => at) : [0, segments];
    const before = this.#sending.get(socket);
    this.#sending.set(socket, sendCut(socket, bytes, cuts, before));
  }
}

/** Commands that fields of this class answer. */
const listed = /^\/(?:ppp\/active|ip\/hotspot\/active\/(?!login)|system\/clock)/;

interface Session {
  isSignedIn: boolean;
  policy: readonly string[];
  challenge: string;
}

function sendForEver(socket: Socket, piece: Uint8Array, every: number | undefined): void {
  if (every !== undefined) {
    const timer = setInterval(() => socket.write(piece), every);
    return void socket.on("close", () => clearInterval(timer));
  }
  const some = Buffer.concat(Array.from({ length: Math.ceil(32_768 / piece.length) }, () => piece));
  const fill = () => {
    let isTaken = true;
    while (isTaken && !socket.destroyed) isTaken = socket.write(some);
  };
  socket.on("drain", fill);
  fill();
}

async function sendCut(
  socket: Socket,
  bytes: Uint8Array,
  cuts: readonly number[],
  before: Promise<void> | undefined,
): Promise<void> {
  await before;
  for (const [index, from] of cuts.entries()) {
    const part = bytes.subarray(from, cuts[index + 1] ?? bytes.length);
    if (part.length > 0) socket.write(part);
    await new Promise(setImmediate);
  }
}

/** Rows that match every `?key=value`, with the properties of `=.proplist=`. */
function found(rows: readonly FakeRow[], command: string[], silently: boolean): string[][] {
  const queries = command.flatMap((word) => /^\?=?([^=]+)=(.*)$/s.exec(word)?.slice(1, 3) ?? []);
  const properties = valueOf(command, "=.proplist=")?.split(",");
  const matches = rows.filter((row) => {
    for (let at = 0; at < queries.length; at += 2)
      if (row[queries[at] ?? ""] !== queries[at + 1]) return false;
    return true;
  });
  const visible = matches.map((row) => {
    const values = Object.entries(row).filter(([key]) => properties?.includes(key) ?? true);
    return ["!re"].concat(values.map(([key, value]) => `=${key}=${value}`));
  });
  return [...visible, ...(visible.length === 0 && !silently ? [["!empty"]] : []), ["!done"]];
}

function valueOf(command: readonly string[], prefix: string): string | undefined {
  return command.find((word) => word.startsWith(prefix))?.slice(prefix.length);
}

function sentence(words: readonly string[]): Buffer {
  const parts = words.map((word) => {
    const { length } = Buffer.from(word);
    const head =
      length < 0x80
        ? [length]
        : length < 0x4000
          ? [0x80 + (length >> 8), length & 0xff]
          : [0xc0 + (length >> 16), (length >> 8) & 0xff, length & 0xff];
    return Buffer.concat([Buffer.from(head), Buffer.from(word)]);
  });
  return Buffer.concat([...parts, Buffer.of(0)]);
}

/** The first complete word of the bytes, and where it ends. */
function take(bytes: Buffer): { text: string; end: number } | undefined {
  const first = bytes[0];
  if (first === undefined || (first >= 0x80 && bytes.length < 4)) return undefined;
  const [size, length] =
    first < 0x80
      ? [1, first]
      : first < 0xc0
        ? [2, bytes.readUInt16BE(0) - 0x8000]
        : [3, bytes.readUIntBE(0, 3) - 0xc00000];
  const end = size + length;
  return bytes.length < end ? undefined : { text: bytes.subarray(size, end).toString(), end };
}

/** A certificate such as a router makes for itself, with its SHA-256 fingerprint. */
export async function selfSigned(): Promise<{ key: string; cert: string; fingerprint: string }> {
  const { stdout } =
    await Bun.$`openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout - -days 2 -subj /CN=router`.quiet();
  const pem = stdout.toString();
  const part = (name: RegExp) => name.exec(pem)?.[0] ?? "";
  const key = part(/-----BEGIN PRIVATE KEY-----[^]+?-----END PRIVATE KEY-----/);
  const cert = part(/-----BEGIN CERTIFICATE-----[^]+?-----END CERTIFICATE-----/);
  const der = Buffer.from(cert.replace(/-----[A-Z ]+-----|\s/g, ""), "base64");
  const digest = createHash("sha256").update(der).digest("hex").toUpperCase();
  return { key, cert, fingerprint: digest.replace(/..(?=.)/g, "$&:") };
}
