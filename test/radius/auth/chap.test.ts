import { describe, expect, test } from "bun:test";

import { chapChallenge, chapResponse, verifyChap } from "../../../src/radius/auth/chap.ts";
import { parsePacket } from "../../../src/radius/packet/packet.ts";

const CHALLENGE = Buffer.from("2aee86f08d0d55969ca5978e0d3367a2", "hex");
const PASSWORD = Buffer.from("arctangent");

describe("CHAP", () => {
  const response = Buffer.from("16e97557c316185895f293ff6344077275", "hex");

  test("RFC 2865 section 7.2", () => {
    expect(chapResponse(0x16, PASSWORD, CHALLENGE)).toEqual(response.subarray(1));
    expect(verifyChap(response, CHALLENGE, PASSWORD)).toBe(true);
  });

  test("another password, challenge or identifier proves nothing", () => {
    expect(verifyChap(response, CHALLENGE, Buffer.from("Arctangent"))).toBe(false);
    expect(verifyChap(response, Buffer.alloc(16), PASSWORD)).toBe(false);
    expect(verifyChap(Buffer.concat([Buffer.of(0x17), response.subarray(1)]), CHALLENGE, PASSWORD)).toBe(
      false,
    );
  });

  test.each([0, 1, 16, 18])("a CHAP-Password of %d bytes proves nothing", (length) => {
    expect(verifyChap(Buffer.alloc(length), CHALLENGE, PASSWORD)).toBe(false);
  });

  test("the challenge is attribute 60, of any size, else the Request Authenticator", () => {
    const packet = (body: Buffer) => {
      const parsed = parsePacket(Buffer.concat([Buffer.of(1, 1, 0, 20 + body.length), CHALLENGE, body]));
      if (typeof parsed === "string") throw new Error(parsed);
      return parsed;
    };
    expect(chapChallenge(packet(Buffer.alloc(0)))).toEqual(CHALLENGE);
    expect(chapChallenge(packet(Buffer.from("3c0701020304ff", "hex")))).toEqual(
      Buffer.from("01020304ff", "hex"),
    );
  });
});
