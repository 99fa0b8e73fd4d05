import { X509Certificate } from "node:crypto";
import type { Config } from "../config/config.ts";
import { formatListen } from "../config/listen.ts";
import type { ApplianceCertificate, ApplianceProcess } from "../domain/machine/appliance/process.ts";
import type { Seconds } from "../domain/core/time/time.ts";
import type { RadiusServer } from "../radius/server/server.ts";
import { CertificateError, readPair, type TlsFiles } from "./certificate.ts";
import type { Listeners } from "./listeners.ts";
import { CommandError } from "./io.ts";
import { commit, notices, version } from "./version.ts";

interface Needs {
  readonly config: Config;
  readonly radius: RadiusServer;
  readonly listeners: Listeners;
  readonly startedAt: Seconds;
}

export function applianceProcess({ config, radius, listeners, startedAt }: Needs): ApplianceProcess {
  const { tls, publicListen, walledListen } = config;
  const { http, public: publicHttp, walled } = listeners.addresses;
  return {
    version,
    commit,
    bun: Bun.version,
    startedAt,
    memory: process.memoryUsage.rss(),
    listeners: [
      { name: "lan", address: http, tls: tls?.lan === true },
      ...(publicListen ? [{ name: "public" as const, address: publicHttp, tls: tls !== null }] : []),
      ...(walledListen ? [{ name: "walled" as const, address: walled ?? null, tls: false }] : []),
      { name: "radius_auth", address: formatListen(radius.auth), tls: false },
      { name: "radius_acct", address: formatListen(radius.acct), tls: false },
    ],
    threads: radius.threads(),
    certificate: tls && readCertificate(tls),
    notices: noticesOrWhyNot,
  };
}

/** Absent from a program that runs from its source. */
async function noticesOrWhyNot(): Promise<string> {
  try {
    return await notices();
  } catch (error) {
    if (error instanceof CommandError) return error.message;
    throw error;
  }
}

function readCertificate(files: TlsFiles): ApplianceCertificate {
  const { certFile: file, keyFile } = files;
  try {
    const { subject, issuer, validTo, fingerprint256 } = new X509Certificate(readPair(files).cert);
    const endsAt = Math.floor(Date.parse(validTo) / 1000);
    return { file, keyFile, subject, issuer, endsAt, fingerprint: fingerprint256, fault: null };
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error;
    const unknown = { subject: null, issuer: null, endsAt: null, fingerprint: null };
    return { file, keyFile, ...unknown, fault: error.message };
  }
}
