import { describe, expect, test } from "bun:test";

import { NtKey } from "../../../src/domain/service/access/nt-key.ts";
import { ntPasswordHash } from "../../../src/domain/goods/subscribers/password.ts";
import {
  challengeHash,
  challengeResponse,
  msChap2Success,
  msChapError,
  MsChapFailure,
  parseMsChap2Response,
  parseMsChapResponse,
  verifyMsChap,
  verifyMsChap2,
  withoutDomain,
} from "../../../src/radius/auth/mschap.ts";

const hex = (text: string) => Buffer.from(text, "hex");

// RFC 2759 section 9.2
const USER = Buffer.from("User");
const keyOf = (password: string) => new NtKey(ntPasswordHash(password));
const KEY = keyOf("clientPass");
const CHALLENGE = hex("5B5D7C7D7B3F2F3E3C2C602132262628");
const PEER = hex("21402324255E262A28295F2B3A337C7E");
const NT_RESPONSE = hex("82309ECD8D708B5EA08FAA3981CD83544233114A3D85D6DF");
const PROOF = "S=407A5589115FD0D6209F510FE9C04566932CDA56";
const V2 = { identifier: 7, peerChallenge: PEER, ntResponse: NT_RESPONSE };
const HASHED = hex("D02E4386BCE91226");
const HASH_HASH = hex("41C00C584BD2D91C4017A2A12FA59F3F");

describe("MS-CHAPv2", () => {
  test("RFC 2759 section 9.2", () => {
    expect(ntPasswordHash("clientPass")).toEqual(hex("44EBBA8D5312B8D611474411F56989AE"));
    expect(KEY.hashHash).toEqual(HASH_HASH);
    expect(challengeHash(PEER, CHALLENGE, USER)).toEqual(HASHED);
    expect(challengeResponse(HASHED, KEY)).toEqual(NT_RESPONSE);
    expect(verifyMsChap2(V2, HASHED, KEY)).toBe(true);
    expect(msChap2Success(V2, HASHED, HASH_HASH)).toEqual(Buffer.from(`\x07${PROOF}`));
  });

  test("the domain before a backslash is no part of the name", () => {
    const user = Buffer.from("BIGCO\\User");
    expect(withoutDomain(user)).toEqual(USER);
    expect(withoutDomain(Buffer.from("a\\b\\c"))).toEqual(Buffer.from("b\\c"));
    expect(challengeHash(PEER, CHALLENGE, user)).toEqual(HASHED);
  });

  test("another password, name or challenge proves nothing", () => {
    expect(verifyMsChap2(V2, HASHED, keyOf("ClientPass"))).toBe(false);
    expect(verifyMsChap2(V2, challengeHash(PEER, CHALLENGE, Buffer.from("user")), KEY)).toBe(false);
    expect(verifyMsChap2(V2, challengeHash(PEER, PEER, USER), KEY)).toBe(false);
  });

  test("the response is read at its offsets, with any flags, and of 50 bytes only", () => {
    const value = Buffer.concat([Buffer.of(7, 0), PEER, Buffer.alloc(8), NT_RESPONSE]);
    expect(parseMsChap2Response(value)).toEqual(V2);
    expect(parseMsChap2Response(value.subarray(1))).toBeUndefined();
    expect(parseMsChap2Response(Buffer.concat([value, Buffer.of(0)]))).toBeUndefined();
  });

  test("MS-CHAP2-Success copies the identifier, one of 128 and above too", () => {
    const success = msChap2Success({ ...V2, identifier: 0xfe }, HASHED, HASH_HASH);
    expect(success).toEqual(Buffer.concat([Buffer.of(0xfe), Buffer.from(PROOF)]));
  });

  test("MS-CHAP-Error has 32 hex digits of new challenge, V=3 and a message", () => {
    const error = () =>
      msChapError(MsChapFailure.failed, { version: 2, identifier: 0xfe, message: "wrong password" });
    expect(error()[0]).toBe(0xfe);
    expect(error().toString("utf8", 1)).toMatch(/^E=691 R=0 C=[0-9A-F]{32} V=3 M=wrong password$/);
    expect(error()).not.toEqual(error());
  });
});

describe("MS-CHAP", () => {
  const challenge = hex("b9634adc358b2ab3");
  const ntResponse = hex("7a42408782f745ef90a86fd21b0d9294132750f4af66a419");

  test("bob with the password bob", () => {
    expect(challengeResponse(challenge, keyOf("bob"))).toEqual(ntResponse);
    expect(verifyMsChap({ identifier: 1, ntResponse }, challenge, keyOf("bob"))).toBe(true);
    expect(verifyMsChap({ identifier: 1, ntResponse }, challenge, keyOf("Bob"))).toBe(false);
    expect(verifyMsChap({ identifier: 1, ntResponse }, Buffer.alloc(16), keyOf("bob"))).toBe(false);
  });

  test("the response is read at its offsets; LM alone and other sizes are none", () => {
    const value = (flags: number) => Buffer.concat([Buffer.of(9, flags), Buffer.alloc(24), ntResponse]);
    expect(parseMsChapResponse(value(1))).toEqual({ identifier: 9, ntResponse });
    expect(parseMsChapResponse(value(0))).toBeUndefined();
    expect(parseMsChapResponse(value(1).subarray(1))).toBeUndefined();
    expect(parseMsChapResponse(Buffer.concat([value(1), Buffer.of(0)]))).toBeUndefined();
  });

  test("MS-CHAP-Error has 16 hex digits of new challenge, V=2 and no message", () => {
    const error = msChapError(MsChapFailure.disabled, { version: 1, identifier: 3, message: "disabled" });
    expect(error[0]).toBe(3);
    expect(error.toString("utf8", 1)).toMatch(/^E=647 R=0 C=[0-9A-F]{16} V=2$/);
  });
});

test("a password beyond ASCII is hashed in UTF-16", () => {
  // Written out: "ñ€😀" is F1 00, AC 20, 3D D8 00 DE in UTF-16LE.
  const hash = new Bun.CryptoHasher("md4").update(hex("f100ac203dd800de")).digest("hex");
  expect(ntPasswordHash("ñ€😀").toString("hex")).toBe(hash);
});
