import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Config } from "../config/config.ts";
import { error, type Finding, ok, warning } from "../domain/check/finding.ts";
import type { Seconds } from "../domain/time.ts";
import type { TlsPair } from "../http/server.ts";

type TlsFiles = NonNullable<Config["tls"]>;

const DAY = 86_400;
/** Days before its end that a certificate is worth a warning. */
const RENEW_WITHIN = 14;

/** The pair of PEM files. Throws in words for one that cannot be read, or does not belong together. */
export function readPair({ certFile, keyFile }: TlsFiles): TlsPair {
  const pair = { cert: readFileSync(certFile, "utf8"), key: readFileSync(keyFile, "utf8") };
  if (!new X509Certificate(pair.cert).checkPrivateKey(createPrivateKey(pair.key)))
    throw new Error(`${keyFile} is not the key of ${certFile}`);
  return pair;
}

/** What is wrong with the certificate that is configured, if one is. */
export function checkCertificate({ tls }: Config, now: Seconds): Finding[] {
  const subject = "certificate";
  if (!tls) return [];
  try {
    const certificate = new X509Certificate(readPair(tls).cert);
    const days = Math.floor((Date.parse(certificate.validTo) / 1000 - now) / DAY);
    if (days < 0) return [error(subject, `${tls.certFile} ended on ${certificate.validTo}; renew it`)];
    const message = `${tls.certFile} is valid for ${days} more days`;
    return [days < RENEW_WITHIN ? warning(subject, `${message}; renew it`) : ok(subject, message)];
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return [
      error(
        subject,
        `${tls.certFile} and ${tls.keyFile} cannot be used (${reason}); set PEM files that belong together`,
      ),
    ];
  }
}
