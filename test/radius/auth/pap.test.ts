import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import { decryptPassword, encryptPassword } from "../../../src/radius/auth/pap.ts";

const SECRET = Buffer.from("xyzzy5461");
const AUTHENTICATOR = Buffer.from("0f403f9473978057bd83d5cb98f4227a", "hex");

describe("PAP", () => {
  test("RFC 2865 section 7.1, both ways", () => {
    const hidden = Buffer.from("0dbe708d93d413ce3196e43f782a0aee", "hex");
    expect(encryptPassword(Buffer.from("arctangent"), SECRET, AUTHENTICATOR)).toEqual(hidden);
    expect(decryptPassword(hidden, SECRET, AUTHENTICATOR)).toEqual(Buffer.from("arctangent"));
  });

  test("any bytes up to 128 survive, but for NULs at the end", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 128 }), fc.uint8Array({ minLength: 1 }), (password, secret) => {
        const hidden = encryptPassword(password, secret, AUTHENTICATOR);
        const stripped = Buffer.from(password).toString("latin1").replace(/\0+$/, "");
        expect(hidden.length % 16).toBe(0);
        expect(decryptPassword(hidden, secret, AUTHENTICATOR)).toEqual(Buffer.from(stripped, "latin1"));
      }),
    );
  });

  test.each<[string, string | Uint8Array, number]>([
    ["empty", "", 16],
    ["16 bytes", "a".repeat(16), 16],
    ["17 bytes", "a".repeat(17), 32],
    ["128 bytes", "a".repeat(128), 128],
    ["spaces at both ends", "  a b  ", 16],
    ["a NUL inside, and a second block", `ab\0${"c".repeat(13)}SECOND`, 32],
    ["no UTF-8", Buffer.from("ff80c0", "hex"), 16],
  ])("%s", (_case, password, length) => {
    const hidden = encryptPassword(Buffer.from(password), SECRET, AUTHENTICATOR);
    expect(hidden).toHaveLength(length);
    expect(decryptPassword(hidden, SECRET, AUTHENTICATOR)).toEqual(Buffer.from(password));
  });

  test("129 bytes are refused", () => {
    expect(() => encryptPassword(Buffer.alloc(129, 1), SECRET, AUTHENTICATOR)).toThrow(RangeError);
  });

  test.each([0, 1, 15, 17, 127, 129, 144, 253])("an attribute of %d bytes holds no password", (length) => {
    expect(decryptPassword(Buffer.alloc(length), SECRET, AUTHENTICATOR)).toBeUndefined();
  });

  test("a wrong secret yields other bytes", () => {
    const hidden = encryptPassword(Buffer.from("arctangent"), SECRET, AUTHENTICATOR);
    expect(decryptPassword(hidden, Buffer.from("other"), AUTHENTICATOR)).not.toEqual(
      Buffer.from("arctangent"),
    );
  });
});
