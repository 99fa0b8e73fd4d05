import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { chapResponse } from "../../src/radius/auth/chap.ts";
import { NtKey } from "../../src/domain/service/access/nt-key.ts";
import { ntPasswordHash } from "../../src/domain/goods/subscribers/password.ts";
import { challengeHash, challengeResponse } from "../../src/radius/auth/mschap.ts";
import { Attribute, Code, Microsoft, Vendor } from "../../src/radius/packet/numbers.ts";
import { PacketWriter } from "../../src/radius/packet/writer.ts";
import { makeLogin, SECRET } from "./data-set.ts";

/** What the load generator asks for. */
export type Work = "pap" | "chap" | "mschapv2" | "accounting";

const FRAMED = 2;
const PPP = 1;
const ETHERNET = 15;

/** Writes the packets that the load generator makes its requests of, one per subscriber; returns the file of each work. */
export async function writeTemplates(folder: string, subscribers: number): Promise<Record<Work, string>> {
  const [pap, chap, mschapv2, accounting] = await Promise.all([
    writeTemplate(folder, "pap", subscribers),
    writeTemplate(folder, "chap", subscribers),
    writeTemplate(folder, "mschapv2", subscribers),
    writeTemplate(folder, "accounting", subscribers),
  ]);
  return { pap, chap, mschapv2, accounting };
}

/** Those of one work. */
export async function writeTemplate(folder: string, work: Work, subscribers: number): Promise<string> {
  const packets = Array.from({ length: subscribers }, (_, index) =>
    makePacket[work](index + 1).sign(Buffer.from(SECRET)),
  );
  const file = join(folder, `${work}.packets`);
  await Bun.write(file, Buffer.concat(packets));
  return file;
}

const makePacket: Record<Work, (id: number) => PacketWriter> = {
  pap: (id) => {
    // in clear text, padded: the generator hides it under each request's own authenticator
    const password = Buffer.alloc(16);
    password.write(makeLogin(id).password);
    return login(id).attribute(Attribute["User-Password"], password);
  },
  chap: (id) => {
    const challenge = randomBytes(16);
    const response = chapResponse(id & 255, Buffer.from(makeLogin(id).password), challenge);
    return login(id)
      .attribute(Attribute["CHAP-Challenge"], challenge)
      .attribute(Attribute["CHAP-Password"], Buffer.concat([Buffer.from([id & 255]), response]));
  },
  mschapv2: msChap2,
  accounting: record,
};

function msChap2(id: number): PacketWriter {
  const { username, password } = makeLogin(id);
  const challenge = randomBytes(16);
  const response = Buffer.alloc(50);
  response.set(randomBytes(16), 2);
  const hash = challengeHash(response.subarray(2, 18), challenge, Buffer.from(username));
  response.set(challengeResponse(hash, new NtKey(ntPasswordHash(password))), 26);
  return login(id)
    .vendor(Vendor.Microsoft, Microsoft["MS-CHAP-Challenge"], challenge)
    .vendor(Vendor.Microsoft, Microsoft["MS-CHAP2-Response"], response);
}

/** What RouterOS sends for a PPPoE login, without its proof. */
function login(id: number): PacketWriter {
  const request = PacketWriter.request(Code["Access-Request"], 0, { messageAuthenticator: true });
  return aboutLine(request, id);
}

/** Counters last, then the cause: the generator cuts off what a Start or an Interim-Update does not have. */
function record(id: number): PacketWriter {
  const request = PacketWriter.request(Code["Accounting-Request"], 0, { messageAuthenticator: false });
  return aboutLine(request, id)
    .integer(Attribute["Acct-Status-Type"], 1)
    .text(Attribute["Acct-Session-Id"], "8100000000")
    .attribute(Attribute.Class, randomBytes(16))
    .ipv4(Attribute["Framed-IP-Address"], `10.${(id >> 16) & 255}.${(id >> 8) & 255}.${id & 255}`)
    .integer(Attribute["Acct-Delay-Time"], 0)
    .integer(Attribute["Acct-Session-Time"], 0)
    .integer(Attribute["Acct-Input-Octets"], 0)
    .integer(Attribute["Acct-Output-Octets"], 0)
    .integer(Attribute["Acct-Terminate-Cause"], 1);
}

function aboutLine(request: PacketWriter, id: number): PacketWriter {
  const hex = id.toString(16).padStart(6, "0").toUpperCase();
  return request
    .integer(Attribute["Service-Type"], FRAMED)
    .integer(Attribute["Framed-Protocol"], PPP)
    .integer(Attribute["NAS-Port"], 15_728_640 + id)
    .integer(Attribute["NAS-Port-Type"], ETHERNET)
    .text(Attribute["User-Name"], makeLogin(id).username)
    .text(Attribute["Calling-Station-Id"], `02:00:00:${hex.replace(/..(?=.)/g, "$&:")}`)
    .text(Attribute["Called-Station-Id"], "service1")
    .text(Attribute["NAS-Port-Id"], "bridge1")
    .text(Attribute["NAS-Identifier"], "MikroTik")
    .ipv4(Attribute["NAS-IP-Address"], "127.0.0.1");
}
