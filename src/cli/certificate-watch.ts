import type { Logger } from "pino";
import type { TlsPair } from "../http/server.ts";
import { readPair, type TlsFiles } from "./certificate.ts";

interface Watched {
  readonly files: TlsFiles;
  /** The pair in use; null: the files could not be used so far. */
  readonly first: TlsPair | null;
  /** Gives the listeners another pair. If it throws, the old one stays in use. */
  readonly takeUp: (pair: TlsPair) => void;
  readonly log: Logger;
}

/**
 * Takes up a renewed certificate and refuses a broken pair: on SIGHUP, and from a job that also sees what inotify misses
 * (links, renames, network folders).
 */
export class CertificateWatch implements Disposable {
  readonly #watched: Watched;
  readonly #onSignal = () => this.look();
  #current: TlsPair | null;
  /** Why the files differ from the pair in use; empty: they do not. */
  #fault: string;

  constructor(watched: Watched) {
    this.#watched = watched;
    this.#current = watched.first;
    this.#fault = watched.first ? "" : "at the start";
    process.on("SIGHUP", this.#onSignal);
  }

  get isUsable(): boolean {
    return this.#fault === "";
  }

  look(): void {
    const { files, takeUp, log } = this.#watched;
    const file = files.certFile;
    try {
      const pair = readPair(files);
      const isNew = pair.cert !== this.#current?.cert || pair.key !== this.#current.key;
      if (isNew) takeUp(pair);
      this.#current = pair;
      this.#fault = "";
      if (isNew) log.info({ file }, "took up a renewed certificate");
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      // a pair that is being written looks broken for a moment; a fault is logged once
      if (reason !== this.#fault)
        log.error(
          { file, reason },
          this.#current ? "kept the old certificate" : "the certificate is not in use",
        );
      this.#fault = reason;
    }
  }

  [Symbol.dispose](): void {
    process.off("SIGHUP", this.#onSignal);
  }
}
