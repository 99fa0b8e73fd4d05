import ipaddr from "ipaddr.js";
import { parseZone } from "../domain/core/time/zones.ts";
import type { Environment } from "./env.ts";
import { type Listen, LISTEN_FORM, parseListen } from "./listen.ts";

export type LogLevel = "error" | "warn" | "info" | "debug";

export interface Config {
  readonly dataDir: string;
  readonly httpListen: Listen;
  /** The listener for the port forwarding; null is off. */
  readonly publicListen: Listen | null;
  /** The listener that routers send subscribers without access to; null is off. */
  readonly walledListen: Listen | null;
  /** PEM files of the public listener, and of the LAN listener when `lan`. They are read where they are used. */
  readonly tls: { readonly certFile: string; readonly keyFile: string; readonly lan: boolean } | null;
  readonly radiusAuthListen: Listen;
  readonly radiusAcctListen: Listen;
  /** Threads that answer logins; null: by the machine. */
  readonly accessThreads: number | null;
  /** The RadSec listener, opened once a router has a certificate; null is off. */
  readonly radsecListen: Listen | null;
  /** Proxies (CIDRs) whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  readonly logLevel: LogLevel;
  readonly staffTokenDays: number;
  readonly subscriberTokenDays: number;
  /** Max-age of Strict-Transport-Security in days; 0 does not send the header. */
  readonly hstsDays: number;
  /** Most megabytes of the files of one import. */
  readonly uploadLimit: number;
  /** Bearer token for /metrics from other machines; null: only this machine. */
  readonly metricsToken: string | null;
  /** The service manager that started us, and its watchdog interval in seconds. */
  readonly serviceManager: { readonly socket: string; readonly watchdog: number | null } | null;
  /** `books` is the primary, `access` an access box that answers routers for it. */
  readonly role: "books" | "access";
  /** What connects primary and access boxes: URLs of nats-server and its CA file; null: a single machine. */
  readonly nats: {
    readonly url: string;
    readonly caFile: string | null;
  } | null;
}

/** Every bad value at once, one sentence each. */
export class ConfigError extends Error {
  override name = "ConfigError";
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join("; "));
    this.faults = faults;
  }
}

/** Reads the configuration from the environment. Throws ConfigError. */
export function readConfig(env: Environment): Config {
  const known = new Set<string>();
  const faults: string[] = [];

  /** An unset or empty variable is its default. */
  function read<T>(name: string, initially: T, parse: (text: string) => T | undefined, allowed: string): T {
    known.add(name);
    const text = env[name]?.trim();
    if (!text) return initially;
    const value = parse(text);
    if (value === undefined) faults.push(`${name} is ${format(name, text)}: it must be ${allowed}`);
    return value === undefined ? initially : value;
  }
  const path = (name: string, initially: string) => read(name, initially, (text) => text, "a path");
  const listen = (name: string, host: string, port: number) =>
    read(name, { host, port }, parseListen, LISTEN_FORM);
  const days = (name: string) => read(name, 30, parseDays, "a whole number of days from 1 to 3650");

  const config: Config = {
    dataDir: path("GATEHOUSE_DATA_DIR", env["STATE_DIRECTORY"]?.split(":")[0] || "./data"),
    httpListen: listen("GATEHOUSE_HTTP_LISTEN", "0.0.0.0", 8080),
    publicListen: read<Listen | null>("GATEHOUSE_PUBLIC_LISTEN", null, parseListen, LISTEN_FORM),
    walledListen: read<Listen | null>("GATEHOUSE_WALLED_LISTEN", null, parseListen, LISTEN_FORM),
    tls: null,
    radiusAuthListen: listen("GATEHOUSE_RADIUS_AUTH_LISTEN", "0.0.0.0", 1812),
    radiusAcctListen: listen("GATEHOUSE_RADIUS_ACCT_LISTEN", "0.0.0.0", 1813),
    accessThreads: read<number | null>(
      "GATEHOUSE_LOGIN_THREADS",
      null,
      parseThreads,
      "a whole number of threads from 1 to 64",
    ),
    radsecListen: read<Listen | null>(
      "GATEHOUSE_RADSEC_LISTEN",
      { host: "0.0.0.0", port: 2083 },
      (text) => (text === "off" ? null : parseListen(text)),
      `${LISTEN_FORM}, or off`,
    ),
    trustedProxies: read<readonly string[]>(
      "GATEHOUSE_TRUSTED_PROXIES",
      [],
      parseCidrs,
      "a list of CIDRs such as 10.0.0.0/8,::1/128",
    ),
    logLevel: read<LogLevel>("GATEHOUSE_LOG_LEVEL", "info", parseLevel, "one of error, warn, info, debug"),
    staffTokenDays: days("API_USER_TOKEN_DAYS"),
    subscriberTokenDays: days("API_SUBSCRIBER_TOKEN_DAYS"),
    hstsDays: read("GATEHOUSE_TLS_HSTS_DAYS", 0, parseHstsDays, "a whole number of days from 0 to 730"),
    uploadLimit: read(
      "GATEHOUSE_UPLOAD_LIMIT_MB",
      2000,
      parseMegabytes,
      "a whole number of megabytes from 1 to 100000",
    ),
    metricsToken: read<string | null>(
      "GATEHOUSE_METRICS_TOKEN",
      null,
      (text) => (/^[!-~]{16,256}$/.test(text) ? text : undefined),
      "16 to 256 letters, digits or signs without blanks, such as of: openssl rand -hex 24",
    ),
    serviceManager: readServiceManager(env),
    role: read<"books" | "access">("GATEHOUSE_ROLE", "books", parseRole, "books or access"),
    nats: null,
  };
  const natsUrl = read(
    "GATEHOUSE_NATS_URL",
    "",
    parseNatsUrl,
    "an address such as tls://10.0.0.2:4222, or several with commas",
  );
  const caFile = path("GATEHOUSE_NATS_CA", "") || null;
  const certFile = path("GATEHOUSE_TLS_CERT", "");
  const keyFile = path("GATEHOUSE_TLS_KEY", "");
  const lan = read("GATEHOUSE_TLS_LAN", false, parseFlag, "0 or 1");
  read("TZ", "", parseZone, "a time zone such as UTC or Europe/London");

  const half = (name: string, missing: string) => {
    if (env[name]?.trim() && !env[missing]?.trim())
      faults.push(`${missing} is empty: it must be a PEM file too, because ${name} is set`);
  };
  half("GATEHOUSE_TLS_CERT", "GATEHOUSE_TLS_KEY");
  half("GATEHOUSE_TLS_KEY", "GATEHOUSE_TLS_CERT");
  if (lan && !env["GATEHOUSE_TLS_CERT"]?.trim() && !env["GATEHOUSE_TLS_KEY"]?.trim())
    faults.push(
      'GATEHOUSE_TLS_LAN is "1": it must be 0 unless GATEHOUSE_TLS_CERT and GATEHOUSE_TLS_KEY are set',
    );
  if (config.role === "access" && !natsUrl)
    faults.push("GATEHOUSE_NATS_URL is empty: it must be set where GATEHOUSE_ROLE is access");
  if (config.role === "access" && env["GATEHOUSE_RADSEC_LISTEN"]?.trim() && config.radsecListen)
    faults.push(
      "GATEHOUSE_RADSEC_LISTEN is set: RadSec is served by the books, not where GATEHOUSE_ROLE is access",
    );
  for (const name of Object.keys(env)) {
    if (name.startsWith("GATEHOUSE_") && !known.has(name))
      faults.push(
        `${name} is ${format(name, env[name])}: there is no such variable; there are ${[...known].join(", ")}`,
      );
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return {
    ...config,
    tls: certFile && keyFile ? { certFile, keyFile, lan } : null,
    nats: natsUrl ? { url: natsUrl, caFile } : null,
  };
}

function format(name: string, value: string | undefined): string {
  return /(TOKEN|SECRET|PASS\w*)$/.test(name) ? "a value that is not shown" : JSON.stringify(value);
}

function parseRole(text: string): "books" | "access" | undefined {
  return text === "books" || text === "access" ? text : undefined;
}

function parseNatsUrl(text: string): string | undefined {
  const isOne = (address: string) => /^(nats|tls):\/\/[^\s/@,]+$/.test(address);
  return text.split(",").every((address) => isOne(address.trim())) ? text : undefined;
}

function parseMegabytes(text: string): number | undefined {
  const megabytes = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  return megabytes >= 1 && megabytes <= 100_000 ? megabytes : undefined;
}

function parseThreads(text: string): number | undefined {
  const threads = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  return threads >= 1 && threads <= 64 ? threads : undefined;
}

function parseDays(text: string): number | undefined {
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return days >= 1 && days <= 3650 ? days : undefined;
}

function parseHstsDays(text: string): number | undefined {
  const days = /^\d{1,3}$/.test(text) ? Number(text) : 731;
  return days <= 730 ? days : undefined;
}

/** What systemd sets for a service of Type=notify (sd_notify(3), sd_watchdog_enabled(3)). */
function readServiceManager(env: Environment): Config["serviceManager"] {
  const socket = env["NOTIFY_SOCKET"];
  if (!socket) return null;
  const microseconds = Number(env["WATCHDOG_USEC"] ?? 0);
  return { socket, watchdog: microseconds > 0 ? microseconds / 1e6 : null };
}

function parseLevel(text: string): LogLevel | undefined {
  return (["error", "warn", "info", "debug"] as const).find((level) => level === text);
}

function parseFlag(text: string): boolean | undefined {
  return text === "1" ? true : text === "0" ? false : undefined;
}

/** CIDRs between commas or blanks; a bare address is a CIDR of itself. */
function parseCidrs(text: string): string[] | undefined {
  const cidrs = text
    .split(/[\s,]+/)
    .filter((item) => item !== "")
    .map((item) => {
      if (item.includes("/")) return item;
      return `${item}/${item.includes(":") ? 128 : 32}`;
    });
  return cidrs.every((cidr) => ipaddr.isValidCIDR(cidr)) ? cidrs : undefined;
}
