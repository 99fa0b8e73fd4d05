import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import type { Config } from "../config/config.ts";
import { error, type Finding, ok, warning } from "../domain/machine/check/finding.ts";
import type { Seconds } from "../domain/core/time/time.ts";
import type { TlsPair } from "../http/server.ts";
import { errorCode } from "../listen-error.ts";
import { explainFile } from "./explain.ts";

export type TlsFiles = NonNullable<Config["tls"]>;

const DAY = 86_400;
const RENEW_WITHIN = 14;
const CERTIFICATES = /-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/gs;

/** Files that cannot be used: which one, why, and what to do, in one sentence. */
export class CertificateError extends Error {
  override name = "CertificateError";
}

/** The pair of PEM files. Throws CertificateError for one that cannot be read or used, or does not belong together. */
export function readPair({ certFile, keyFile }: TlsFiles): TlsPair {
  const pair = { cert: readPem(certFile), key: readPem(keyFile) };
  const [first] = parseCertificates(pair.cert, certFile);
  const key = parsed(() => createPrivateKey(pair.key), keyFault(pair.key, keyFile));
  if (!first?.checkPrivateKey(key))
    throw new CertificateError(
      `${keyFile} is not the key of ${certFile}; set the two files that were made together`,
    );
  parsed(
    () => createSecureContext(pair),
    `${certFile} and ${keyFile} are of a kind that is not served; make them again, with an RSA or EC key`,
  );
  return pair;
}

export function checkCertificate({ tls }: Config, now: Seconds): Finding[] {
  const subject = "certificate";
  if (!tls) return [];
  try {
    const certificate = new X509Certificate(readPair(tls).cert);
    const end = Date.parse(certificate.validTo) / 1000;
    const days = Math.floor((end - now) / DAY);
    if (days < 0)
      return [
        error(subject, `${tls.certFile} ended on ${certificate.validTo}; renew it`, "certificate_ended", {
          at: end,
        }),
      ];
    const message = `${tls.certFile} is valid for ${days} more days`;
    return [
      days < RENEW_WITHIN
        ? warning(subject, `${message}; renew it`, "certificate_ends", { days })
        : ok(subject, message),
    ];
  } catch (cause) {
    if (!(cause instanceof CertificateError)) throw cause;
    return [error(subject, cause.message, "certificate_unusable", {})];
  }
}

function readPem(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    if (/^(EACCES|EPERM)$/.test(String(errorCode(cause))))
      throw new CertificateError(
        `${file} cannot be read by the user of the service; run: chgrp gatehouse ${file} && chmod g+r ${file}, and let that group into the folders above it`,
      );
    throw new CertificateError(explainFile(cause, file) ?? `${file} cannot be read: ${String(cause)}`);
  }
}

function parseCertificates(pem: string, file: string): X509Certificate[] {
  const blocks = pem.match(CERTIFICATES);
  if (!blocks) {
    const found = /PRIVATE KEY-----/.test(pem)
      ? "holds a key and no certificate"
      : pem.includes("-----BEGIN CERTIFICATE-----")
        ? "ends in the middle of its certificate"
        : "holds no certificate (-----BEGIN CERTIFICATE-----)";
    throw new CertificateError(`${file} ${found}; set a PEM file with the certificate and its chain`);
  }
  return blocks.map((block, i) =>
    parsed(
      () => new X509Certificate(block),
      `certificate ${i + 1} of ${blocks.length} in ${file} is damaged; write the file again`,
    ),
  );
}

function keyFault(pem: string, file: string): string {
  if (pem.includes("ENCRYPTED"))
    return `${file} is under a passphrase, which nobody types here; write it without: openssl pkey -in ${file} -out ${file}.open`;
  if (pem.includes("PRIVATE KEY-----"))
    return `the key in ${file} is damaged, or of a kind that is not served; write the file again, with an RSA or EC key`;
  if (pem.includes("-----BEGIN CERTIFICATE-----"))
    return `${file} holds a certificate and no key; set the PEM file of the key`;
  return `${file} holds no key (-----BEGIN PRIVATE KEY-----); set the PEM file of the key`;
}

/** The libraries report numeric codes for a PEM file, which help nobody. */
function parsed<T>(parse: () => T, fault: string): T {
  try {
    return parse();
  } catch (cause) {
    throw new CertificateError(fault, { cause });
  }
}
