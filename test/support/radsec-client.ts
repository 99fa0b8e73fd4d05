import { connect, type TLSSocket } from "node:tls";
import { join } from "node:path";
import type { Db } from "../../db/open.ts";
import { radsecCertificates } from "../../db/schema.ts";
import { issueRadsec } from "../../src/domain/goods/radsec/certificate.ts";
import { operator } from "../../src/domain/core/actor/operator.ts";
import { PacketStream } from "../../src/radius/server/radsec-stream.ts";
import { type Prepared, RadiusClient, type Reply } from "./radius-client.ts";

export interface RouterFiles {
  readonly certificate: string;
  readonly key: string;
  readonly authority: string;
  readonly id: number;
}

/** A certified router, its files read from the PKCS#12 by OpenSSL. */
export async function certifiedRouter(
  db: Db,
  nasId: number,
  { now = Math.floor(Date.now() / 1000), server = "127.0.0.1" } = {},
): Promise<RouterFiles> {
  const { certificate, bundle, password } = await issueRadsec(
    db,
    operator("root", "cli"),
    { nasId, server },
    { now },
  );
  return { id: certificate.id, ...(await openedBundle(bundle, password)) };
}

/** What is in a PKCS#12, by OpenSSL. */
export async function openedBundle(bundle: Buffer, password: string): Promise<Omit<RouterFiles, "id">> {
  const read = async (...options: string[]) => {
    const child = Bun.spawn(
      ["openssl", "pkcs12", "-in", "/dev/stdin", "-passin", "env:P12", "-nodes", ...options],
      {
        stdin: new Blob([new Uint8Array(bundle)]),
        stdout: "pipe",
        stderr: "pipe",
        env: { ...process.env, P12: password },
      },
    );
    const [text, problem] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    const found = /-----BEGIN[^]+-----END [A-Z ]+-----\n/.exec(text)?.[0];
    if (found === undefined) throw new Error(`openssl reads nothing: ${problem}`);
    return found;
  };
  const [certificate, authority, key] = await Promise.all([
    read("-clcerts", "-nokeys"),
    read("-cacerts", "-nokeys"),
    read("-nocerts"),
  ]);
  return { certificate, authority, key };
}

export async function writeFiles(folder: string, files: RouterFiles) {
  const paths = {
    certificate: join(folder, "router.pem"),
    key: join(folder, "router.key"),
    authority: join(folder, "authority.pem"),
  };
  await Bun.write(paths.certificate, files.certificate);
  await Bun.write(paths.key, files.key);
  await Bun.write(paths.authority, files.authority);
  return paths;
}

type Waiter = (reply: Buffer) => void;

/** A small RadSec router on one TLS connection: as many requests at once as there are identifiers. */
export class RadsecClient {
  readonly #socket: TLSSocket;
  readonly #stream = new PacketStream();
  readonly #waiting = new Map<number, Waiter>();
  readonly #radius = new RadiusClient({ host: "127.0.0.1", port: 1, acctPort: 2, secret: "radsec" });
  #isClosed = false;
  readonly closed: Promise<void>;

  private constructor(socket: TLSSocket) {
    this.#socket = socket;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    socket.on("data", (bytes: Buffer) => {
      for (const reply of this.#stream.add(bytes) ?? []) this.#waiting.get(reply[1] ?? 0)?.(reply);
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      this.#isClosed = true;
      resolve();
    });
  }

  /** Rejects where the server's identity is wrong. */
  static async open(
    port: number,
    files: Partial<RouterFiles>,
    more: { version?: "TLSv1.2" | "TLSv1.3"; host?: string } = {},
  ): Promise<RadsecClient> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const socket = connect(
      {
        host: more.host ?? "127.0.0.1",
        port,
        ca: files.authority,
        cert: files.certificate,
        key: files.key,
        ...(more.version && { minVersion: more.version, maxVersion: more.version }),
      },
      resolve,
    );
    socket.on("error", reject);
    await promise;
    return new RadsecClient(socket);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get protocol(): string | null {
    return this.#socket.getProtocol();
  }

  /** Makes requests with the secret of RadSec. */
  get radius(): RadiusClient {
    return this.#radius;
  }

  write(bytes: Uint8Array): void {
    this.#socket.write(bytes);
  }

  stall(): void {
    this.#socket.pause();
  }

  async exchange(prepared: Prepared, timeout = 30_000): Promise<Reply | null> {
    const identifier = prepared.datagram[1] ?? 0;
    // of a busy server one of 256 before it may still be unanswered, and its answer would be taken for this one's
    while (this.#waiting.has(identifier)) await Bun.sleep(1);
    const { promise, resolve } = Promise.withResolvers<Buffer | null>();
    const giveUp = setTimeout(() => resolve(null), timeout);
    this.#waiting.set(identifier, resolve);
    this.#socket.write(prepared.datagram);
    const raw = await promise;
    clearTimeout(giveUp);
    this.#waiting.delete(identifier);
    return raw && this.#radius.judge(raw, prepared);
  }

  async close(): Promise<void> {
    await this.#radius.close();
    this.#socket.destroy();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** A certificate row of router 1 without a usable certificate. */
export function insertCertificate(db: Db, now: number, id: number): void {
  db.insert(radsecCertificates)
    .values({
      id,
      nasId: 1,
      fingerprint: `f${id}`,
      address: "127.0.0.1",
      notAfter: now + 1000,
      madeAt: now,
      madeBy: "ada",
    })
    .run();
}
