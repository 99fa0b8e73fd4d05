import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import {
  decryptKey,
  encryptKey,
  encryptMppeKeys,
  masterKey,
  mppeKeys,
  msChapMppeKeys,
} from "../../../src/radius/auth/mppe.ts";
import { NtKey } from "../../../src/domain/service/access/nt-key.ts";
import { ntPasswordHash } from "../../../src/domain/goods/subscribers/password.ts";
import { decryptPassword } from "../../../src/radius/auth/pap.ts";

const hex = (text: string) => Buffer.from(text, "hex");
const SECRET = Buffer.from("secret");
const AUTHENTICATOR = hex("0f403f9473978057bd83d5cb98f4227a");

describe("MPPE keys", () => {
  // RFC 3079 section 3.5.3
  const ntResponse = hex("82309ECD8D708B5EA08FAA3981CD83544233114A3D85D6DF");
  const hashHash = new NtKey(ntPasswordHash("clientPass")).hashHash;
  const keys = mppeKeys(hashHash, ntResponse);

  test("RFC 3079 section 3.5.3", () => {
    expect(masterKey(hashHash, ntResponse)).toEqual(hex("FDECE3717A8C838CB388E527AE3CDD31"));
    expect(keys.send).toEqual(hex("8B7CDC149B993A1BA118CB153F56DCCB"));
    expect(keys.recv).toEqual(hex("D5F0E9521E3EA9589645E86051C82226"));
  });

  test("travel under two salts with the top bit set", () => {
    const salts = new Set<string>();
    for (let i = 0; i < 200; i++) {
      const { send, recv } = encryptMppeKeys(keys, SECRET, AUTHENTICATOR);
      expect(send).toHaveLength(34);
      expect(decryptKey(send, SECRET, AUTHENTICATOR)).toEqual(keys.send);
      expect(decryptKey(recv, SECRET, AUTHENTICATOR)).toEqual(keys.recv);
      expect(send.readUInt16BE(0)).not.toBe(recv.readUInt16BE(0));
      expect(Math.min(send.readUInt8(0), recv.readUInt8(0))).toBeGreaterThanOrEqual(0x80);
      salts.add(send.toString("hex", 0, 2));
    }
    expect(salts.size).toBeGreaterThan(100);
  });

  test("of MS-CHAP: 8 bytes of zero, the hash of the NT hash, padded to 32 and hidden like User-Password", () => {
    const value = msChapMppeKeys(hashHash, SECRET, AUTHENTICATOR);
    expect(value).toHaveLength(32);
    expect(decryptPassword(value, SECRET, AUTHENTICATOR)).toEqual(Buffer.concat([Buffer.alloc(8), hashHash]));
  });
});

describe("salt encryption", () => {
  test("any key up to 239 bytes survives", () => {
    const salt = fc.uint8Array({ minLength: 2, maxLength: 2 });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 239 }), salt, (key, salt) => {
        const value = encryptKey(key, SECRET, AUTHENTICATOR, salt);
        expect(decryptKey(value, SECRET, AUTHENTICATOR)).toEqual(Buffer.from(key));
      }),
    );
  });

  test.each([0, 2, 17, 19, 33])("a value of %d bytes is none", (length) => {
    expect(decryptKey(Buffer.alloc(length, 0xff), SECRET, AUTHENTICATOR)).toBeUndefined();
  });

  test("a salt without its top bit, and a length above the rest, are none", () => {
    const value = encryptKey(Buffer.alloc(15), SECRET, AUTHENTICATOR, Buffer.of(0x80, 1));
    const unmarked = Buffer.from(value);
    unmarked[0] = 0;
    expect(decryptKey(unmarked, SECRET, AUTHENTICATOR)).toBeUndefined();
    const longer = Buffer.from(value);
    longer[2] = (longer[2] ?? 0) ^ 15 ^ 16;
    expect(decryptKey(longer, SECRET, AUTHENTICATOR)).toBeUndefined();
  });
});
