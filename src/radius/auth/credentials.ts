import { timingSafeEqual } from "node:crypto";
import type { NtKey } from "../../domain/service/access/nt-key.ts";
import { chapChallenge, verifyChap } from "./chap.ts";
import { encryptMppeKeys, type Mppe, mppeKeys, msChapMppeKeys, writeMppePolicy } from "./mppe.ts";
import {
  challengeHash,
  msChap2Success,
  type MsChap2Response,
  msChapError,
  MsChapFailure,
  type MsChapResponse,
  parseMsChap2Response,
  parseMsChapResponse,
  verifyMsChap,
  verifyMsChap2,
} from "./mschap.ts";
import { Attribute, Microsoft, Vendor } from "../packet/numbers.ts";
import { count, type Packet, utf8, value, vendorValues } from "../packet/packet.ts";
import { decryptPassword } from "./pap.ts";
import type { PacketWriter } from "../packet/writer.ts";

export type Method = "pap" | "chap" | "mschap" | "mschapv2";

/** A password in the two forms that proofs are checked against. */
export interface Password {
  readonly clear: Buffer;
  readonly ntKey: NtKey;
}

export interface Credentials {
  readonly method: Method;
  /** The clear password, where the method sends it. */
  readonly clear?: Buffer;
  /** Constant time in the password. */
  verify(password: Password): boolean;
  /** Adds the server's proof and the MPPE keys (RFC 2548). */
  accept(reply: PacketWriter, password: Password, mppe: Mppe): void;
  reject(reply: PacketWriter, failure: number, message: string): void;
  /** Whether a PAP password is not valid text: nearly always a wrong shared secret. */
  isGarbled(): boolean;
}

/** The credential of an Access-Request; undefined when there is none, more than one kind, or a broken one. */
export function readCredentials(packet: Packet, secret: Buffer): Credentials | undefined {
  const pap = count(packet, Attribute["User-Password"]);
  const chap = count(packet, Attribute["CHAP-Password"]);
  const mschap = vendorValues(packet, Vendor.Microsoft, Microsoft["MS-CHAP-Response"]);
  const mschap2 = vendorValues(packet, Vendor.Microsoft, Microsoft["MS-CHAP2-Response"]);
  const eap = count(packet, Attribute["EAP-Message"]);
  if (eap > 0 || pap + chap + mschap.length + mschap2.length !== 1) return undefined;
  if (pap) return papCredentials(packet, secret);
  if (chap) return chapCredentials(packet);
  const challenges = vendorValues(packet, Vendor.Microsoft, Microsoft["MS-CHAP-Challenge"]);
  const [challenge] = challenges;
  if (!challenge || challenges.length !== 1) return undefined;
  const [response] = mschap;
  if (response) return msChapCredentials(packet, secret, challenge, response);
  const [response2] = mschap2;
  return response2 && msChap2Credentials(packet, secret, challenge, response2);
}

// Classes, because closures would be created anew for each login.

function papCredentials(packet: Packet, secret: Buffer): Credentials | undefined {
  const hidden = value(packet, Attribute["User-Password"]);
  const sent = hidden && decryptPassword(hidden, secret, packet.authenticator);
  return sent && new Pap(sent);
}

class Pap implements Credentials {
  readonly method = "pap";
  readonly clear: Buffer;

  constructor(sent: Buffer) {
    this.clear = sent;
  }

  verify({ clear }: Password): boolean {
    return equalPasswords(this.clear, clear);
  }

  accept(): void {}

  reject(): void {}

  isGarbled(): boolean {
    const text = utf8(this.clear);
    return text === undefined || /\p{Cc}/u.test(text);
  }
}

function chapCredentials(packet: Packet): Credentials | undefined {
  const response = value(packet, Attribute["CHAP-Password"]);
  return response?.length === 17 ? new Chap(response, chapChallenge(packet)) : undefined;
}

class Chap implements Credentials {
  readonly method = "chap";
  readonly #response: Buffer;
  readonly #challenge: Buffer;

  constructor(response: Buffer, challenge: Buffer) {
    this.#response = response;
    this.#challenge = challenge;
  }

  verify({ clear }: Password): boolean {
    return verifyChap(this.#response, this.#challenge, clear);
  }

  accept(): void {}

  reject(): void {}

  isGarbled(): boolean {
    return false;
  }
}

function msChapCredentials(
  packet: Packet,
  secret: Buffer,
  challenge: Buffer,
  bytes: Buffer,
): Credentials | undefined {
  const response = parseMsChapResponse(bytes);
  if (!response || challenge.length !== 8) return undefined;
  return new MsChap(response, challenge, secret, packet.authenticator);
}

class MsChap implements Credentials {
  readonly method = "mschap";
  readonly #response: MsChapResponse;
  readonly #challenge: Buffer;
  readonly #secret: Buffer;
  readonly #authenticator: Buffer;

  constructor(response: MsChapResponse, challenge: Buffer, secret: Buffer, authenticator: Buffer) {
    this.#response = response;
    this.#challenge = challenge;
    this.#secret = secret;
    this.#authenticator = authenticator;
  }

  verify({ ntKey }: Password): boolean {
    return verifyMsChap(this.#response, this.#challenge, ntKey);
  }

  accept(reply: PacketWriter, { ntKey }: Password, mppe: Mppe): void {
    const keys = msChapMppeKeys(ntKey.hashHash, this.#secret, this.#authenticator);
    reply.vendor(Vendor.Microsoft, Microsoft["MS-CHAP-MPPE-Keys"], keys);
    writeMppePolicy(reply, mppe);
  }

  reject(reply: PacketWriter, failure: number, message: string): void {
    rejectMsChap(reply, failure, { version: 1, identifier: this.#response.identifier, message });
  }

  isGarbled(): boolean {
    return false;
  }
}

function msChap2Credentials(
  packet: Packet,
  secret: Buffer,
  challenge: Buffer,
  bytes: Buffer,
): Credentials | undefined {
  const response = parseMsChap2Response(bytes);
  const userName = value(packet, Attribute["User-Name"]);
  if (!response || !userName || challenge.length !== 16) return undefined;
  const hashed = challengeHash(response.peerChallenge, challenge, userName);
  return new MsChap2(response, hashed, secret, packet.authenticator);
}

class MsChap2 implements Credentials {
  readonly method = "mschapv2";
  readonly #response: MsChap2Response;
  /** As of `challengeHash`. */
  readonly #hashed: Buffer;
  readonly #secret: Buffer;
  readonly #authenticator: Buffer;

  constructor(response: MsChap2Response, hashed: Buffer, secret: Buffer, authenticator: Buffer) {
    this.#response = response;
    this.#hashed = hashed;
    this.#secret = secret;
    this.#authenticator = authenticator;
  }

  verify({ ntKey }: Password): boolean {
    return verifyMsChap2(this.#response, this.#hashed, ntKey);
  }

  accept(reply: PacketWriter, { ntKey: { hashHash } }: Password, mppe: Mppe): void {
    const master = mppeKeys(hashHash, this.#response.ntResponse);
    const keys = encryptMppeKeys(master, this.#secret, this.#authenticator);
    const success = msChap2Success(this.#response, this.#hashed, hashHash);
    reply
      .vendor(Vendor.Microsoft, Microsoft["MS-CHAP2-Success"], success)
      .vendor(Vendor.Microsoft, Microsoft["MS-MPPE-Recv-Key"], keys.recv)
      .vendor(Vendor.Microsoft, Microsoft["MS-MPPE-Send-Key"], keys.send);
    writeMppePolicy(reply, mppe);
  }

  reject(reply: PacketWriter, failure: number, message: string): void {
    rejectMsChap(reply, failure, { version: 2, identifier: this.#response.identifier, message });
  }

  isGarbled(): boolean {
    return false;
  }
}

/** A broken MS-CHAP response, or an LM-only one, gets an MS-CHAP-Error too (RFC 2548 section 2.1.5). */
export function rejectUnreadMsChap(packet: Packet, reply: PacketWriter, message: string): void {
  const [response] = vendorValues(packet, Vendor.Microsoft, Microsoft["MS-CHAP-Response"]);
  const [response2] = vendorValues(packet, Vendor.Microsoft, Microsoft["MS-CHAP2-Response"]);
  const identifier = (response ?? response2)?.[0];
  if (identifier === undefined) return;
  rejectMsChap(reply, MsChapFailure.noDialin, { version: response ? 1 : 2, identifier, message });
}

function rejectMsChap(
  reply: PacketWriter,
  failure: number,
  details: { version: 1 | 2; identifier: number; message: string },
): void {
  reply.vendor(Vendor.Microsoft, Microsoft["MS-CHAP-Error"], msChapError(failure, details));
}

/** Compares in constant time: both are padded to the 128 bytes of a User-Password, and their lengths are compared too. */
function equalPasswords(sent: Buffer, clear: Buffer): boolean {
  return timingSafeEqual(left.pad(sent), right.pad(clear));
}

const MAX_PASSWORD = 128;

class Padded {
  readonly #bytes = Buffer.alloc(MAX_PASSWORD + 4);
  /** Length of the password; the rest is zero. */
  #length = 0;

  /** Returns the same array each time. Copies byte by byte: most passwords have ten, and a call of copy or fill costs more. */
  pad(password: Buffer): Buffer {
    const length = Math.min(password.length, MAX_PASSWORD);
    for (let i = 0; i < length; i++) this.#bytes[i] = password[i] ?? 0;
    for (let i = length; i < this.#length; i++) this.#bytes[i] = 0;
    this.#length = length;
    this.#bytes.writeUInt32BE(password.length, MAX_PASSWORD);
    return this.#bytes;
  }
}

const left = new Padded();
const right = new Padded();
