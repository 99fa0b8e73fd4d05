import { HEADER, MAX_PACKET } from "../packet/packet.ts";

/** Splits a byte stream into RADIUS packets by their length field (RFC 6613 section 2.6.4). */
export class PacketStream {
  #rest: Buffer = Buffer.alloc(0);

  /** The packets completed by these bytes; undefined for an invalid length: the stream cannot be read further. */
  add(bytes: Buffer): Buffer[] | undefined {
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const packets: Buffer[] = [];
    let at = 0;
    while (all.length - at >= 4) {
      const length = all.readUInt16BE(at + 2);
      if (length < HEADER || length > MAX_PACKET) return undefined;
      if (all.length - at < length) break;
      packets.push(all.subarray(at, at + length));
      at += length;
    }
    this.#rest = at === all.length ? Buffer.alloc(0) : Buffer.from(all.subarray(at));
    return packets;
  }
}
