import type { Vault } from "../../db/vault.ts";

/**
 * Opens sealed values and keeps what was in them for as long as somebody keeps the very array, as AccessReader does: a login
 * is a third cheaper when it does not decrypt. They are in memory only, beside the key that opens them all.
 */
export class OpenedSeals {
  readonly #vault: Vault;
  readonly #opened = new WeakMap<Uint8Array, Buffer>();

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  /** The caller must not change what it gets. Throws as Vault.open does. */
  open(sealed: Uint8Array): Buffer {
    const known = this.#opened.get(sealed);
    if (known) return known;
    const open = this.#vault.open(sealed);
    this.#opened.set(sealed, open);
    return open;
  }
}
