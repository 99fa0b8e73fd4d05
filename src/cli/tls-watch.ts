import type { Logger } from "pino";
import type { TlsPair } from "../http/server.ts";
import { readPair, type TlsFiles } from "./certificate.ts";

/** Milliseconds between two looks at the files. */
const LOOK_EVERY = 30_000;

interface Watched {
  readonly files: TlsFiles;
  /** What is in use; null: the files were of no use so far. */
  readonly first: TlsPair | null;
  /** Gives the listeners another pair. May throw: the old one goes on. */
  readonly takeUp: (pair: TlsPair) => void;
  readonly log: Logger;
}

/**
 * Takes a renewed certificate up, on SIGHUP and when the files change, and refuses a broken pair with the old one kept. A look
 * now and then sees what a watch for changes misses: links, renames, network folders.
 */
export class CertificateWatch implements Disposable {
  readonly #watched: Watched;
  readonly #timer: Timer;
  readonly #look = () => this.#compare();
  #current: TlsPair | null;
  /** Why the files are not what is in use; empty: they are. */
  #fault: string;

  constructor(watched: Watched) {
    this.#watched = watched;
    this.#current = watched.first;
    this.#fault = watched.first ? "" : "at the start";
    this.#timer = setInterval(this.#look, LOOK_EVERY);
    process.on("SIGHUP", this.#look);
  }

  /** Whether the files are the pair that is in use. */
  get isUsable(): boolean {
    return this.#fault === "";
  }

  #compare(): void {
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
      // a pair that is being written looks broken for a moment; it is said once
      if (reason !== this.#fault)
        log.error(
          { file, reason },
          this.#current ? "kept the old certificate" : "the certificate is not in use",
        );
      this.#fault = reason;
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    process.off("SIGHUP", this.#look);
  }
}
