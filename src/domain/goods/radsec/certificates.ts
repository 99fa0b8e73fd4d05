import { createHash, generateKeyPair, randomBytes, sign } from "node:crypto";
import { isIP } from "node:net";
import { promisify } from "node:util";
import forge from "node-forge";
import type { Seconds } from "../../core/time/time.ts";

/*
 * X.509 for RadSec. RSA, because every RouterOS takes it. Only this file and bundle.ts import the package; keys and signatures
 * use the system's library, in a tenth of the time.
 */

const { asn1, md, pki } = forge;
const DAY = 86_400;
const BITS = 2048;

export interface Pair {
  readonly certificate: string;
  readonly key: string;
}

interface CertificateInput {
  readonly use: "router" | "server";
  readonly addresses: readonly [string, ...string[]];
  readonly days: number;
  readonly now: Seconds;
}

const makeKeyPair = promisify(generateKeyPair);

/** PEM; in another thread. */
export async function newKey(): Promise<string> {
  const { privateKey } = await makeKeyPair("rsa", { modulusLength: BITS });
  return privateKey.export({ type: "pkcs1", format: "pem" }).toString();
}

/** A CA. */
export function makeAuthority(key: string, name: string, days: number, now: Seconds): string {
  const certificate = unsigned(key, name, days, now);
  certificate.setIssuer(certificate.subject.attributes);
  certificate.setExtensions([
    { name: "basicConstraints", cA: true, pathLenConstraint: 0, critical: true },
    { name: "keyUsage", keyCertSign: true, cRLSign: true, critical: true },
    { name: "subjectKeyIdentifier" },
  ]);
  return signed(certificate, key);
}

/** A certificate signed by the authority. */
export function certify(
  authority: Pair,
  key: string,
  { use, addresses, days, now }: CertificateInput,
): string {
  const issuer = pki.certificateFromPem(authority.certificate);
  const certificate = unsigned(key, addresses[0], days, now);
  certificate.setIssuer(issuer.subject.attributes);
  certificate.setExtensions([
    { name: "basicConstraints", cA: false, critical: true },
    { name: "keyUsage", digitalSignature: true, keyEncipherment: true, critical: true },
    { name: "extKeyUsage", serverAuth: use === "server", clientAuth: use === "router" },
    { name: "subjectAltName", altNames: addresses.map(alternative) },
    { name: "subjectKeyIdentifier" },
  ]);
  return signed(certificate, authority.key);
}

function signed(certificate: forge.pki.Certificate, key: string): string {
  const signer = Object.assign(pki.privateKeyFromPem(key), {
    sign: () => {
      const body = asn1.toDer(certificate.tbsCertificate).getBytes();
      return sign("sha256", Buffer.from(body, "latin1"), key).toString("latin1");
    },
  });
  certificate.sign(signer, md.sha256.create());
  return pki.certificateToPem(certificate);
}

/** Valid from yesterday, for slow clocks. */
function unsigned(key: string, name: string, days: number, now: Seconds) {
  const certificate = pki.createCertificate();
  const { n, e } = pki.privateKeyFromPem(key);
  certificate.publicKey = pki.rsa.setPublicKey(n, e);
  certificate.serialNumber = `01${randomBytes(15).toString("hex")}`; // positive, whatever the rest is
  certificate.validity.notBefore = new Date((now - DAY) * 1000);
  certificate.validity.notAfter = new Date((now + days * DAY) * 1000);
  certificate.setSubject([{ name: "commonName", value: name }]);
  return certificate;
}

const DNS_NAME = 2;
const IP_ADDRESS = 7;

function alternative(address: string) {
  return isIP(address) === 0 ? { type: DNS_NAME, value: address } : { type: IP_ADDRESS, ip: address };
}

export function fingerprintOf(certificate: string): string {
  const der = Buffer.from(certificate.replace(/-----[^-]+-----|\s/g, ""), "base64");
  return createHash("sha256").update(der).digest("hex");
}
