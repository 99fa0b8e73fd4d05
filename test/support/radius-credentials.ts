import { randomBytes, randomInt } from "node:crypto";

import type { AttributeValue, NamedAttribute } from "../../src/radius/packet/codec.ts";
import {
  chapPassword,
  mppeKey,
  msChap,
  msChap2,
  type MsChap2Peer,
  papPassword,
  reveal,
} from "./radius-proofs.ts";

export interface AccessRequest {
  name: string | Uint8Array;
  password?: string | Uint8Array;
  /** "pap" by default; "none" sends no credentials at all. */
  method?: "pap" | "chap" | "mschap" | "mschapv2" | "none";
  /** CHAP with the Request Authenticator as its challenge, in place of a CHAP-Challenge attribute. */
  chapByAuthenticator?: boolean;
  attributes?: readonly NamedAttribute[];
  /** A Message-Authenticator as the last attribute, as RouterOS has it; true by default. */
  messageAuthenticator?: boolean;
}

export interface Proof {
  code: string;
  find: (name: string) => AttributeValue | undefined;
}

export function credentials(
  { name, password = "", method = "pap", chapByAuthenticator = false }: AccessRequest,
  authenticator: Buffer,
  secret: Buffer,
): { attributes: Buffer[]; check: (reply: Proof) => string[] } {
  const bytes = Buffer.from(password);
  const identifier = randomInt(256);
  switch (method) {
    case "none":
      return { attributes: [], check: () => [] };
    case "pap":
      return { attributes: [attribute(2, papPassword(bytes, secret, authenticator))], check: () => [] };
    case "chap": {
      const challenge = chapByAuthenticator ? authenticator : randomBytes(16);
      const response = attribute(3, chapPassword(identifier, bytes, challenge));
      return {
        attributes: chapByAuthenticator ? [response] : [response, attribute(60, challenge)],
        check: () => [],
      };
    }
    case "mschap": {
      const challenge = randomBytes(8);
      const { response, keys } = msChap(identifier, bytes.toString(), challenge);
      return {
        attributes: [microsoft(11, challenge), microsoft(1, response)],
        check: (reply) => checkMsChap(reply, keys, authenticator, secret),
      };
    }
    case "mschapv2": {
      const challenge = randomBytes(16);
      const peer = msChap2(identifier, Buffer.from(name), bytes.toString(), challenge, randomBytes(16));
      return {
        attributes: [microsoft(11, challenge), microsoft(25, peer.response)],
        check: (reply) => checkMsChap2(reply, peer, authenticator, secret),
      };
    }
  }
}

function checkMsChap({ code, find }: Proof, keys: Buffer, authenticator: Buffer, secret: Buffer): string[] {
  if (code !== "Access-Accept") return [];
  const hidden = find("MS-CHAP-MPPE-Keys");
  if (!Buffer.isBuffer(hidden)) return ["MS-CHAP-MPPE-Keys absent"];
  const clear = Buffer.concat([keys, Buffer.alloc(8)]);
  return reveal(hidden, secret, authenticator).equals(clear) ? [] : ["MS-CHAP-MPPE-Keys"];
}

function checkMsChap2(
  { code, find }: Proof,
  peer: MsChap2Peer,
  authenticator: Buffer,
  secret: Buffer,
): string[] {
  if (code !== "Access-Accept") return [];
  const success = find("MS-CHAP2-Success");
  const send = find("MS-MPPE-Send-Key");
  const recv = find("MS-MPPE-Recv-Key");
  const faults: string[] = [];
  if (!Buffer.isBuffer(success) || !success.equals(peer.success)) faults.push("MS-CHAP2-Success");
  if (!Buffer.isBuffer(send) || !Buffer.isBuffer(recv)) return [...faults, "MPPE keys absent"];
  // The server names the keys from its side.
  if (!mppeKey(send, secret, authenticator).equals(peer.recv)) faults.push("MS-MPPE-Send-Key");
  if (!mppeKey(recv, secret, authenticator).equals(peer.send)) faults.push("MS-MPPE-Recv-Key");
  if (send.readUInt8(0) < 0x80 || recv.readUInt8(0) < 0x80) faults.push("salt without its top bit");
  if (send.readUInt16BE(0) === recv.readUInt16BE(0)) faults.push("salt used twice");
  return faults;
}

export function attribute(type: number, value: Buffer): Buffer {
  return Buffer.concat([Buffer.of(type, 2 + value.length), value]);
}

export function mac(): Buffer {
  return attribute(80, Buffer.alloc(16));
}

function microsoft(type: number, value: Buffer): Buffer {
  return attribute(26, Buffer.concat([Buffer.of(0, 0, 1, 55), attribute(type, value)]));
}
