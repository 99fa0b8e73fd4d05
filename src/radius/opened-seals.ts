import type { Vault } from "../../db/vault.ts";

/** Opened values that are kept at the most, of each kind; then all are forgotten at once. */
const MAX_KEPT = 50_000;

type Kind = "password" | "ntHash";
type Opened = { sealed: Uint8Array; open: Buffer };

/**
 * Opens sealed values of subscribers and keeps them, each for as long as it is asked with the very array that it was opened
 * from, which AccessReader keeps as well: a login is a third cheaper when it does not decrypt. They are in memory only, beside the key that opens them all.
 */
export class OpenedSeals {
  readonly #vault: Vault;
  readonly #kept: Record<Kind, Map<number, Opened>> = { password: new Map(), ntHash: new Map() };

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  /** The caller must not change what it gets. Throws as Vault.open does. */
  open(kind: Kind, subscriberId: number, sealed: Uint8Array): Buffer {
    const kept = this.#kept[kind];
    const known = kept.get(subscriberId);
    if (known?.sealed === sealed) return known.open;
    const open = this.#vault.open(sealed);
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(subscriberId, { sealed, open });
    return open;
  }
}
