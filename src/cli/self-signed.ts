import { createSign, generateKeyPairSync, randomBytes } from "node:crypto";
import ipaddr from "ipaddr.js";

/** Tags of DER (X.690 section 8). */
const Tag = {
  boolean: 0x01,
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  sequence: 0x30,
  set: 0x31,
  generalizedTime: 0x18,
} as const;
const explicit = (number: number) => 0xa0 + number;
const implicit = (number: number) => 0x80 + number;

/** Object identifiers, encoded (RFC 5280, RFC 5480, RFC 5758). */
const Oid = {
  commonName: "550403",
  subjectAltName: "551d11",
  basicConstraints: "551d13",
  keyUsage: "551d0f",
  extendedKeyUsage: "551d25",
  serverAuth: "2b06010505070301",
  ecdsaWithSha256: "2a8648ce3d040302",
} as const;

/** A certificate for a host name or an IP address that its own key has signed (RFC 5280): PEM. Times in UTC seconds. */
export function selfSigned(
  host: string,
  { from, to }: { from: number; to: number },
): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const algorithm = sequence(oid(Oid.ecdsaWithSha256));
  const name = sequence(der(Tag.set, sequence(oid(Oid.commonName), der(Tag.utf8, Buffer.from(host)))));
  const serial = randomBytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40; // positive, and not shortened
  const toBeSigned = sequence(
    der(explicit(0), der(Tag.integer, Buffer.of(2))), // version 3
    der(Tag.integer, serial),
    algorithm,
    name,
    sequence(time(from), time(to)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(explicit(3), sequence(...extensions(host))),
  );
  const signature = createSign("sha256").update(toBeSigned).sign(privateKey);
  const certificate = sequence(toBeSigned, algorithm, bits(signature));
  return {
    cert: pem("CERTIFICATE", certificate),
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

function extensions(host: string): Buffer[] {
  const alternative = ipaddr.isValid(host)
    ? der(implicit(7), Buffer.from(ipaddr.parse(host).toByteArray()))
    : der(implicit(2), Buffer.from(host));
  return [
    extension(Oid.subjectAltName, sequence(alternative)),
    extension(Oid.basicConstraints, sequence(), true),
    extension(Oid.keyUsage, der(Tag.bits, Buffer.of(7, 0x80)), true), // digitalSignature
    extension(Oid.extendedKeyUsage, sequence(oid(Oid.serverAuth))),
  ];
}

function extension(id: string, value: Buffer, isCritical = false): Buffer {
  const critical = isCritical ? [der(Tag.boolean, Buffer.of(0xff))] : [];
  return sequence(oid(id), ...critical, der(Tag.octets, value));
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const head =
    length < 0x80
      ? [tag, length]
      : length < 0x100
        ? [tag, 0x81, length]
        : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), content]);
}

const sequence = (...parts: Buffer[]) => der(Tag.sequence, Buffer.concat(parts));
const oid = (hex: string) => der(Tag.oid, Buffer.from(hex, "hex"));
const bits = (content: Buffer) => der(Tag.bits, Buffer.concat([Buffer.of(0), content]));

/** YYYYMMDDHHMMSSZ; RFC 5280 wants the shorter form before 2050. */
function time(seconds: number): Buffer {
  const text = `${new Date(seconds * 1000).toISOString().slice(0, 19).replaceAll(/[-T:]/g, "")}Z`;
  return text < "2050" ? der(0x17, Buffer.from(text.slice(2))) : der(Tag.generalizedTime, Buffer.from(text));
}

function pem(label: string, content: Buffer): string {
  const lines = content.toString("base64").replace(/.{64}(?=.)/g, "$&\n");
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}
