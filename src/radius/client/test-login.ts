import { randomBytes, randomInt } from "node:crypto";
import type { LoginMethod } from "../../domain/service/access/try-login.ts";
import { NtKey } from "../../domain/service/access/nt-key.ts";
import { ntPasswordHash } from "../../domain/goods/subscribers/password.ts";
import { verifyResponse } from "../packet/authenticator.ts";
import { chapResponse } from "../auth/chap.ts";
import { decodeAttributes, encodeAttribute, type NamedAttribute } from "../packet/codec.ts";
import { challengeHash, challengeResponse, msChap2Success, parseMsChap2Response } from "../auth/mschap.ts";
import { Attribute, Code, codeName, Microsoft, Vendor } from "../packet/numbers.ts";
import { type Packet, parsePacket, vendorValue } from "../packet/packet.ts";
import { encryptPassword } from "../auth/pap.ts";
import { type Endpoint, openSocket } from "../../os/client-socket.ts";
import { PacketWriter } from "../packet/writer.ts";

export interface TestLogin {
  readonly server: Endpoint;
  readonly secret: Buffer;
  readonly username: string;
  readonly password: string;
  readonly method: LoginMethod;
  readonly attributes: readonly NamedAttribute[];
}

export interface TestAnswer {
  readonly code: string;
  readonly attributes: readonly NamedAttribute[];
  /** MS-CHAPv2: whether the server proved that it knows the password too. Other methods prove nothing. */
  readonly isProven: boolean;
}

const TRIES = 3;
const PATIENCE = 1000;

/**
 * Sends a login to the RADIUS server of this machine as a router does, three times a second apart. Undefined when nothing
 * answers; a reply not signed with the secret does not count.
 */
export async function testLogin(login: TestLogin): Promise<TestAnswer | undefined> {
  const { server, secret } = login;
  const { datagram, isProof } = request(login);
  const { promise, resolve } = Promise.withResolvers<Packet | undefined>();
  const socket = await openSocket(
    { host: server.host.includes(":") ? "::1" : "127.0.0.1", port: 0 },
    {
      failed: () => {},
      receive: (bytes) => {
        const reply = parsePacket(bytes);
        if (typeof reply === "string") return;
        const verdict = verifyResponse(reply, datagram, secret, { requireMessageAuthenticator: true });
        if (verdict === "ok") resolve(reply);
      },
    },
  );
  const to = { address: server.host, port: server.port };
  try {
    for (let tries = 0; tries < TRIES; tries++) {
      socket.send(datagram, to);
      const reply = await Promise.race([promise, Bun.sleep(PATIENCE)]);
      if (reply)
        return { code: codeName(reply.code), attributes: decodeAttributes(reply), isProven: isProof(reply) };
    }
    return undefined;
  } finally {
    socket.close();
  }
}

function request({ username, password, method, attributes, secret }: TestLogin) {
  const writer = PacketWriter.request(Code["Access-Request"], randomInt(256), { messageAuthenticator: true });
  writer.text(Attribute["User-Name"], username);
  const isProof = addCredentials(writer, { username, password, method, secret });
  writer.raw(attributes.map(([name, value]) => encodeAttribute(name, value)));
  return { datagram: writer.sign(secret), isProof };
}

/** Adds the credentials; returns what an Access-Accept has to prove in turn. */
function addCredentials(
  writer: PacketWriter,
  { username, password, method, secret }: Pick<TestLogin, "username" | "password" | "method" | "secret">,
): (reply: Packet) => boolean {
  const clear = Buffer.from(password);
  const identifier = randomInt(256);
  const challenge = randomBytes(16);
  if (method === "pap") {
    writer.attribute(Attribute["User-Password"], encryptPassword(clear, secret, writer.authenticator));
    return () => true;
  }
  if (method === "chap") {
    const response = Buffer.concat([Buffer.of(identifier), chapResponse(identifier, clear, challenge)]);
    writer.attribute(Attribute["CHAP-Password"], response).attribute(Attribute["CHAP-Challenge"], challenge);
    return () => true;
  }
  const name = Buffer.from(username);
  const key = new NtKey(ntPasswordHash(password));
  const peerChallenge = randomBytes(16);
  const hashed = challengeHash(peerChallenge, challenge, name);
  const nt = challengeResponse(hashed, key);
  const value = Buffer.concat([Buffer.of(identifier, 0), peerChallenge, Buffer.alloc(8), nt]);
  writer.vendor(Vendor.Microsoft, Microsoft["MS-CHAP-Challenge"], challenge);
  writer.vendor(Vendor.Microsoft, Microsoft["MS-CHAP2-Response"], value);
  const response = parseMsChap2Response(value);
  // a copy: the reply comes later, and the next login would overwrite it
  const expected = response && Buffer.from(msChap2Success(response, hashed, key.hashHash));
  return (reply) => {
    if (reply.code !== Code["Access-Accept"]) return true;
    const success = vendorValue(reply, Vendor.Microsoft, Microsoft["MS-CHAP2-Success"]);
    return expected !== undefined && success?.equals(expected) === true;
  };
}
