import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import packed from "./makers.gz" with { type: "file" };

/** What stands in place of the maker of an address that the device made up. */
export const PRIVATE = "private address";
const LOCAL_BIT = 0x02;
const PREFIX = /^([0-9a-f]{2})[:-]?([0-9a-f]{2})[:-]?([0-9a-f]{2})/i;

/** Makers by prefix, unpacked on first use (scripts/makers.ts). */
class Makers {
  readonly #list: Buffer;
  readonly #count: number;
  readonly #names: number;

  constructor(list: Buffer) {
    this.#list = list;
    this.#count = list.readUInt32LE(0);
    this.#names = list.readUInt32LE(4);
  }

  /** Binary search: a map would be many times as large. */
  find(prefix: number): string | undefined {
    let low = 0;
    let high = this.#count - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = this.#list.readUIntLE(8 + middle * 3, 3);
      if (found === prefix) return this.#name(middle);
      if (found < prefix) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }

  #name(maker: number): string {
    const index = this.#list.readUInt16LE(8 + this.#count * 3 + maker * 2);
    const begins = 8 + this.#count * 5;
    const text = begins + (this.#names + 1) * 4;
    const from = this.#list.readUInt32LE(begins + index * 4);
    const to = this.#list.readUInt32LE(begins + index * 4 + 4);
    return this.#list.toString("utf8", text + from, text + to);
  }
}

let makers: Makers | undefined;

/** "Huawei", "private address", or null. */
export function findMaker(mac: string): string | null {
  const digits = PREFIX.exec(mac);
  if (!digits) return null;
  const prefix = Number.parseInt(digits.slice(1).join(""), 16);
  makers ??= new Makers(gunzipSync(readFileSync(packed)));
  // some makers have prefixes with that bit
  return makers.find(prefix) ?? ((prefix >> 16) & LOCAL_BIT ? PRIVATE : null);
}
