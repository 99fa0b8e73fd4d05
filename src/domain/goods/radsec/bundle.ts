import { createHmac, randomBytes } from "node:crypto";
import forge from "node-forge";
import type { Pair } from "./certificates.ts";

/*
 * PKCS#12 (RFC 7292) with PBE-SHA1-3DES and a SHA-1 MAC: the only form that every RouterOS imports, many refusing AES and
 * SHA-256, and that OpenSSL 3 reads without its legacy provider. The 120-bit password carries the security.
 */

const { asn1, md, pki, pkcs12 } = forge;
const ROUNDS = 2048;

/** Unambiguous letters. */
export function bundlePassword(): string {
  const letters = "abcdefghjkmnpqrstuvwxyz23456789";
  return Array.from(randomBytes(25), (byte) => letters[byte % letters.length]).join("");
}

/** `name` is shown by programs. */
export function makeBundle(
  { key, certificate }: Pair,
  authority: string,
  name: string,
  password: string,
): Buffer {
  const own = asn1.toDer(pki.certificateToAsn1(pki.certificateFromPem(certificate)));
  const id = md.sha1.create().update(own.getBytes()).digest().getBytes();
  const certificates = sequence(
    certificateBag(certificate, [localKey(id), friendly(name)]),
    certificateBag(authority, [friendly("gatehouse authority")]),
  );
  const keys = sequence(keyBag(key, password, [localKey(id), friendly(name)]));
  const safe = asn1.toDer(sequence(encrypted(certificates, password), data(keys))).getBytes();
  const pfx = sequence(integer(3), sequence(oid("data"), explicit(octets(safe))), makeMac(safe, password));
  return Buffer.from(asn1.toDer(pfx).getBytes(), "latin1");
}

const { UNIVERSAL, CONTEXT_SPECIFIC } = asn1.Class;
type Asn1 = forge.asn1.Asn1;

function sequence(...parts: Asn1[]): Asn1 {
  return asn1.create(UNIVERSAL, asn1.Type.SEQUENCE, true, parts);
}

function octets(bytes: string): Asn1 {
  return asn1.create(UNIVERSAL, asn1.Type.OCTETSTRING, false, bytes);
}

function integer(value: number): Asn1 {
  return asn1.create(UNIVERSAL, asn1.Type.INTEGER, false, asn1.integerToDer(value).getBytes());
}

function explicit(part: Asn1): Asn1 {
  return asn1.create(CONTEXT_SPECIFIC, asn1.Type.NONE, true, [part]);
}

function oid(name: keyof typeof oids): Asn1 {
  return asn1.create(UNIVERSAL, asn1.Type.OID, false, asn1.oidToDer(oids[name]).getBytes());
}

const oids = {
  data: "1.2.840.113549.1.7.1",
  encryptedData: "1.2.840.113549.1.7.6",
  keyBag: "1.2.840.113549.1.12.10.1.2",
  certificateBag: "1.2.840.113549.1.12.10.1.3",
  x509: "1.2.840.113549.1.9.22.1",
  friendlyName: "1.2.840.113549.1.9.20",
  localKeyId: "1.2.840.113549.1.9.21",
  sha1: "1.3.14.3.2.26",
} as const;

function attribute(name: "friendlyName" | "localKeyId", value: Asn1): Asn1 {
  return sequence(oid(name), asn1.create(UNIVERSAL, asn1.Type.SET, true, [value]));
}

function localKey(id: string): Asn1 {
  return attribute("localKeyId", octets(id));
}

function friendly(name: string): Asn1 {
  return attribute("friendlyName", asn1.create(UNIVERSAL, asn1.Type.BMPSTRING, false, name));
}

function bag(name: "keyBag" | "certificateBag", content: Asn1, attributes: Asn1[]): Asn1 {
  return sequence(oid(name), explicit(content), asn1.create(UNIVERSAL, asn1.Type.SET, true, attributes));
}

function certificateBag(pem: string, attributes: Asn1[]): Asn1 {
  const der = asn1.toDer(pki.certificateToAsn1(pki.certificateFromPem(pem))).getBytes();
  return bag("certificateBag", sequence(oid("x509"), explicit(octets(der))), attributes);
}

function keyBag(pem: string, password: string, attributes: Asn1[]): Asn1 {
  const info = pki.wrapRsaPrivateKey(pki.privateKeyToAsn1(pki.privateKeyFromPem(pem)));
  return bag("keyBag", sealed(info, password), attributes);
}

/** The value sealed as in EncryptedPrivateKeyInfo. */
function sealed(value: Asn1, password: string): Asn1 {
  return pki.encryptPrivateKeyInfo(value, password, { algorithm: "3des", count: ROUNDS, saltSize: 8 });
}

function data(content: Asn1): Asn1 {
  return sequence(oid("data"), explicit(octets(asn1.toDer(content).getBytes())));
}

/** The content encrypted as in EncryptedContentInfo. */
function encrypted(content: Asn1, password: string): Asn1 {
  const [algorithm, bytes] = sealed(content, password).value;
  if (typeof algorithm !== "object" || typeof bytes !== "object" || typeof bytes.value !== "string")
    throw new Error("the package does not encrypt as it did");
  const body = asn1.create(CONTEXT_SPECIFIC, asn1.Type.NONE, false, bytes.value);
  const info = sequence(oid("data"), algorithm, body);
  return sequence(oid("encryptedData"), explicit(sequence(integer(0), info)));
}

const MAC_KEY = 3;

function makeMac(safe: string, password: string): Asn1 {
  const salt = randomBytes(8).toString("latin1");
  const key = pkcs12.generateKey(password, forge.util.createBuffer(salt), MAC_KEY, ROUNDS, 20);
  const mac = createHmac("sha1", Buffer.from(key.getBytes(), "latin1")).update(Buffer.from(safe, "latin1"));
  const algorithm = sequence(oid("sha1"), asn1.create(UNIVERSAL, asn1.Type.NULL, false, ""));
  const digest = sequence(algorithm, octets(mac.digest("latin1")));
  return sequence(digest, octets(salt), integer(ROUNDS));
}
