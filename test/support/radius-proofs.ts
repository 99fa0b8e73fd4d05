import { createCipheriv, createHash, createHmac } from "node:crypto";

// What a NAS and its subscriber compute, written from the RFCs apart from src/radius, so that a mistake there shows.

function digest(algorithm: "md4" | "md5" | "sha1", ...parts: readonly Uint8Array[]): Buffer {
  return createHash(algorithm).update(Buffer.concat(parts)).digest();
}

/** User-Password (RFC 2865 section 5.2). */
export function papPassword(password: Uint8Array, secret: Buffer, authenticator: Buffer): Buffer {
  const blocks: Buffer[] = [];
  for (let at = 0; at === 0 || at < password.length; at += 16) {
    const pad = digest("md5", secret, blocks.at(-1) ?? authenticator);
    blocks.push(Buffer.from(pad.map((byte, i) => byte ^ (password[at + i] ?? 0))));
  }
  return Buffer.concat(blocks);
}

/** CHAP-Password (RFC 2865 section 5.3). */
export function chapPassword(identifier: number, password: Uint8Array, challenge: Buffer): Buffer {
  return Buffer.concat([Buffer.of(identifier), digest("md5", Buffer.of(identifier), password, challenge)]);
}

/** MS-CHAP-Response with the NT response alone (RFC 2548 section 2.1.3), and the key material that follows from it. */
export function msChap(
  identifier: number,
  password: string,
  challenge: Buffer,
): { response: Buffer; keys: Buffer } {
  const hash = digest("md4", Buffer.from(password, "utf16le"));
  const response = Buffer.concat([Buffer.of(identifier, 1), Buffer.alloc(24), encrypt(challenge, hash)]);
  return { response, keys: Buffer.concat([Buffer.alloc(8), digest("md4", hash)]) };
}

export interface MsChap2Peer {
  readonly response: Buffer;
  /** The MS-CHAP2-Success that proves the server. */
  readonly success: Buffer;
  readonly send: Buffer;
  readonly recv: Buffer;
}

/** MS-CHAP2-Response (RFC 2548 section 2.3.2, RFC 2759 section 8), and what the server has to answer. */
export function msChap2(
  identifier: number,
  userName: Buffer,
  password: string,
  challenge: Buffer,
  peerChallenge: Buffer,
): MsChap2Peer {
  const [domain, ...rest] = userName.toString("latin1").split("\\");
  const name = Buffer.from(rest.length > 0 ? rest.join("\\") : (domain ?? ""), "latin1");
  const hash = digest("md4", Buffer.from(password, "utf16le"));
  const hashHash = digest("md4", hash);
  const short = digest("sha1", peerChallenge, challenge, name).subarray(0, 8);
  const nt = encrypt(short, hash);

  const signing = digest("sha1", hashHash, nt, Buffer.from("Magic server to client signing constant"));
  const proof = digest("sha1", signing, short, Buffer.from("Pad to make it do more than one iteration"));
  const master = digest("sha1", hashHash, nt, Buffer.from("This is the MPPE Master Key")).subarray(0, 16);
  const start = (client: "send" | "receive") => {
    const server = client === "send" ? "receive" : "send";
    const magic = `On the client side, this is the ${client} key; on the server side, it is the ${server} key.`;
    const pads = [Buffer.alloc(40, 0x00), Buffer.alloc(40, 0xf2)] as const;
    return digest("sha1", master, pads[0], Buffer.from(magic), pads[1]).subarray(0, 16);
  };
  return {
    response: Buffer.concat([Buffer.of(identifier, 0), peerChallenge, Buffer.alloc(8), nt]),
    success: Buffer.concat([Buffer.of(identifier), Buffer.from(`S=${proof.toString("hex").toUpperCase()}`)]),
    send: start("send"),
    recv: start("receive"),
  };
}

/** The clear bytes of an attribute hidden like User-Password (RFC 2548 section 2.4.1). */
export function reveal(hidden: Buffer, secret: Buffer, initial: Buffer): Buffer {
  const chain = Buffer.concat([initial, hidden]);
  const start = initial.length;
  const pads: Buffer[] = [];
  for (let at = 0; at < hidden.length; at += 16) {
    pads.push(digest("md5", secret, at === 0 ? initial : chain.subarray(start + at - 16, start + at)));
  }
  const pad = Buffer.concat(pads);
  return Buffer.from(hidden.map((byte, i) => byte ^ (pad[i] ?? 0)));
}

/** The key in an MS-MPPE-Send-Key or -Recv-Key (RFC 2548 section 2.4.2). */
export function mppeKey(value: Buffer, secret: Buffer, authenticator: Buffer): Buffer {
  const clear = reveal(value.subarray(2), secret, Buffer.concat([authenticator, value.subarray(0, 2)]));
  return clear.subarray(1, 1 + (clear[0] ?? 0));
}

/** MD5 over a packet, whose field holds what the RFC puts there for its code, and the secret (RFC 2865 section 3). */
export function packetDigest(packet: Uint8Array, authenticator: Uint8Array, secret: Buffer): Buffer {
  const copy = Buffer.from(packet);
  copy.set(authenticator, 4);
  return digest("md5", copy, secret);
}

/** HMAC-MD5 with the value at `at` zeroed (RFC 3579 section 3.2). */
export function packetMac(packet: Uint8Array, authenticator: Uint8Array, at: number, secret: Buffer): Buffer {
  const copy = Buffer.from(packet);
  copy.set(authenticator, 4);
  copy.fill(0, at, at + 16);
  return createHmac("md5", secret).update(copy).digest();
}

/** DES under the three 56-bit parts of a hash, padded with zeros (RFC 2759 section 8.5). */
function encrypt(block: Buffer, hash: Buffer): Buffer {
  const bits = [...hash]
    .map((byte) => byte.toString(2).padStart(8, "0"))
    .join("")
    .padEnd(168, "0");
  const keys = bits.match(/.{56}/g) ?? [];
  const encrypted = keys.map((key) => {
    const bytes = (key.match(/.{7}/g) ?? []).map((seven) => Number.parseInt(`${seven}0`, 2));
    const cipher = createCipheriv("des-ecb", Buffer.from(bytes), null).setAutoPadding(false);
    return Buffer.concat([cipher.update(block), cipher.final()]);
  });
  return Buffer.concat(encrypted);
}
