import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from "node:crypto";
import { certificate } from "./certificate.ts";

/** What encrypts for a browser (RFC 8291, 2): its pair of keys and a secret. */
export interface BrowserKeys {
  readonly pair: ECDH;
  readonly auth: Buffer;
}

export function browserKeys(privateKey?: string, auth = randomBytes(16)): BrowserKeys {
  const pair = createECDH("prime256v1");
  if (privateKey === undefined) pair.generateKeys();
  else pair.setPrivateKey(privateKey, "base64url");
  return { pair, auth };
}

/** As `PushSubscription.toJSON()` has them. */
export const subscriptionKeys = ({ pair, auth }: BrowserKeys) => ({
  p256dh: pair.getPublicKey("base64url"),
  auth: auth.toString("base64url"),
});

/** What a browser asks with, at an address of a push service. */
export const aBrowser = (endpoint = "https://push.example/1", keys = browserKeys()) => ({
  input: { endpoint, ...subscriptionKeys(keys) },
  site: "https://my.isp.example",
  userAgent: null,
  tokenId: "t",
});

/** The one record of a push message (RFC 8188, RFC 8291), by hand. Throws for another key. */
export function decrypted(body: Buffer, { pair, auth }: BrowserKeys): string {
  const [salt, idLength] = [body.subarray(0, 16), body.readUInt8(20)];
  const sender = body.subarray(21, 21 + idLength);
  const record = body.subarray(21 + idLength);
  if (record.length > body.readUInt32BE(16)) throw new Error("more than one record");
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), pair.getPublicKey(), sender]);
  const ikm = hkdfSync("sha256", pair.computeSecret(sender), auth, info, 32);
  const derive = (what: string, length: number) =>
    Buffer.from(hkdfSync("sha256", Buffer.from(ikm), salt, `Content-Encoding: ${what}\0`, length));
  const cipher = createDecipheriv("aes-128-gcm", derive("aes128gcm", 16), derive("nonce", 12));
  cipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([cipher.update(record.subarray(0, -16)), cipher.final()]);
  const end = padded.lastIndexOf(2);
  if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error("no last record");
  return padded.subarray(0, end).toString();
}

/** What `vapid t=TOKEN, k=KEY` claims (RFC 8292). Throws unless the key signed it. */
export function vapidClaims(authorization: string): {
  claims: { aud: string; sub: string; exp: number };
  key: string;
} {
  const [, head = "", body = "", signature = "", key = ""] =
    /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const point = Buffer.from(key, "base64url");
  const [x, y] = [point.subarray(1, 33).toString("base64url"), point.subarray(33).toString("base64url")];
  const publicKey = createPublicKey({ format: "jwk", key: { kty: "EC", crv: "P-256", x, y } });
  const signed = Buffer.from(`${head}.${body}`);
  const options = { key: publicKey, dsaEncoding: "ieee-p1363" as const };
  if (!verify("sha256", signed, options, Buffer.from(signature, "base64url")))
    throw new Error("not signed by k");
  return { claims: JSON.parse(Buffer.from(body, "base64url").toString()), key };
}

export interface Pushed {
  readonly path: string;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** A push service on this machine with a certificate of its own, which answers as `answer` says. */
export async function pushService(answer: (path: string) => number) {
  const got: Pushed[] = [];
  const { cert, key } = await certificate("push.example");
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: { cert, key },
    fetch: async (request) => {
      const path = new URL(request.url).pathname;
      got.push({ path, headers: request.headers, body: Buffer.from(await request.arrayBuffer()) });
      return new Response(null, { status: answer(path) });
    },
  });
  return {
    got,
    endpoint: (path: string) => `https://push.example:${server.port}${path}`,
    /** Its name leads to an address of the internet, for which it answers. */
    world: {
      resolve: async () => ["8.8.4.4"],
      milliseconds: 10_000,
      ca: cert,
      via: () => "127.0.0.1",
    },
    [Symbol.dispose]: () => void server.stop(true),
  };
}
