import { hostname } from "node:os";
import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import type { Listen } from "../config/listen.ts";
import { error, type Finding } from "../domain/machine/check/finding.ts";
import type { Seconds } from "../domain/core/time/time.ts";
import type { Apps } from "../http/app.ts";
import { type Listener, listen, type TlsPair } from "../http/server.ts";
import { CertificateError, readPair } from "./certificate.ts";
import { selfSigned } from "./self-signed.ts";

const DAY = 86_400;
/** Ten years: nobody renews it by hand. */
const STAND_IN_DAYS = 3650;

interface Needs {
  readonly config: Config;
  readonly apps: Apps;
  readonly log: Logger;
  readonly now: Seconds;
}

/**
 * The HTTP listeners. Where the TLS files cannot be used, the public one stays closed and a TLS LAN one gets a self-signed
 * certificate: neither falls back to clear text.
 */
export class Listeners {
  readonly #config: Config;
  readonly #apps: Apps;
  readonly #log: Logger;
  /** The certificate of the LAN listener; null: it speaks clear text. */
  #lanPair: TlsPair | null;
  /** The pair of the files; null: none configured, or unusable. */
  readonly pair: TlsPair | null;
  readonly #lan: Listener;
  readonly #walled: Listener | null;
  #public: Listener | null = null;
  #hasStandIn: boolean;

  constructor({ config, apps, log, now }: Needs) {
    const { tls, httpListen, publicListen, walledListen } = config;
    this.#config = config;
    this.#apps = apps;
    this.#log = log;
    this.pair = tls && usablePair(tls);
    this.#hasStandIn = tls !== null && tls.lan && this.pair === null;
    this.#lanPair = tls?.lan ? (this.pair ?? standIn(now)) : null;
    const opened: Listener[] = [];
    const open = (...of: Parameters<typeof openListener>) => {
      const listener = openListener(...of);
      opened.push(listener);
      return listener;
    };
    try {
      this.#lan = open(apps.lan, httpListen, this.#lanPair);
      if (publicListen && (!tls || this.pair)) this.#public = open(apps.public, publicListen, this.pair);
      this.#walled = walledListen && open(apps.walled, walledListen, null);
    } catch (cause) {
      for (const listener of opened) void listener.stop(0);
      throw cause;
    }
  }

  get addresses(): { http: string; public: string | null; walled?: string } {
    return {
      http: this.#lan.address,
      public: this.#public?.address ?? null,
      ...(this.#walled && { walled: this.#walled.address }),
    };
  }

  /** Gives TLS listeners another pair, and opens a public one that waited for it. Throws ListenError. */
  takeUp(pair: TlsPair): void {
    // another try, after the public listener could not be opened, finds it done
    if (this.#lanPair && this.#lanPair.cert + this.#lanPair.key !== pair.cert + pair.key) {
      this.#lan.renew(pair);
      this.#lanPair = pair;
      this.#hasStandIn = false;
    }
    const { publicListen } = this.#config;
    if (this.#public) return this.#public.renew(pair);
    if (!publicListen) return;
    this.#public = openListener(this.#apps.public, publicListen, pair);
    this.#log.info({ address: this.#public.address }, "opened the public listener");
  }

  findings(): Finding[] {
    const found: Finding[] = [];
    if (this.#config.publicListen && !this.#public)
      found.push(
        error(
          "public listener",
          "the public listener is shut, because the certificate cannot be used; it opens by itself when the files are good",
          "public_shut",
          {},
        ),
      );
    if (this.#hasStandIn)
      found.push(
        error(
          "LAN listener",
          "the LAN listener has a certificate that it made itself, which browsers warn about and programs refuse; it takes the files when they are good",
          "lan_stand_in",
          {},
        ),
      );
    return found;
  }

  async stop(timeout: number): Promise<void> {
    await Promise.all([this.#lan, this.#public, this.#walled].map((listener) => listener?.stop(timeout)));
  }
}

function openListener(app: Apps["lan"], { host, port }: Listen, tls: TlsPair | null): Listener {
  return listen(app, { hostname: host, port, ...(tls && { tls }) });
}

function usablePair(files: NonNullable<Config["tls"]>): TlsPair | null {
  try {
    return readPair(files);
  } catch (cause) {
    if (cause instanceof CertificateError) return null;
    throw cause;
  }
}

function standIn(now: Seconds): TlsPair {
  return selfSigned(hostname(), { from: now - DAY, to: now + STAND_IN_DAYS * DAY });
}
