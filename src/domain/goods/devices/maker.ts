import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import packed from "./makers.gz" with { type: "file" };

/** Of an address that a device gave itself, as telephones do against being recognised. */
const PRIVATE = "private address";
const LOCAL_BIT = 0x02;
const PREFIX = /^([0-9a-f]{2})[:-]?([0-9a-f]{2})[:-]?([0-9a-f]{2})/i;

/** As scripts/makers.ts lays it out, unpacked when it is first asked: half a megabyte. */
class Makers {
  readonly #list: Buffer;
  readonly #count: number;
  readonly #names: number;

  constructor(list: Buffer) {
    this.#list = list;
    this.#count = list.readUInt32LE(0);
    this.#names = list.readUInt32LE(4);
  }

  /** By halving: a map of forty thousand would be many times as large. */
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

/** Who made the device of a MAC address ("Huawei"), "private address" of one that it gave itself, null where nobody knows. */
export function makerOf(mac: string): string | null {
  const digits = PREFIX.exec(mac);
  if (!digits) return null;
  const prefix = Number.parseInt(digits.slice(1).join(""), 16);
  makers ??= new Makers(gunzipSync(readFileSync(packed)));
  // a few makers were given a prefix with that bit before it had its meaning
  return makers.find(prefix) ?? ((prefix >> 16) & LOCAL_BIT ? PRIVATE : null);
}
