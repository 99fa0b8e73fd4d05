import { describe, expect, test } from "bun:test";
import { ConfigError, readConfig } from "../../src/config/config.ts";
import { formatListen, parseListen } from "../../src/config/listen.ts";

const read = (env: Record<string, string>) => readConfig(env);

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    read(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

describe("defaults", () => {
  test("an empty environment is the documented configuration", () => {
    expect(read({})).toEqual({
      dataDir: "./data",
      httpListen: { host: "0.0.0.0", port: 8080 },
      publicListen: null,
      walledListen: null,
      tls: null,
      radiusAuthListen: { host: "0.0.0.0", port: 1812 },
      radiusAcctListen: { host: "0.0.0.0", port: 1813 },
      accessThreads: null,
      radsecListen: { host: "0.0.0.0", port: 2083 },
      trustedProxies: [],
      logLevel: "info",
      staffTokenDays: 30,
      subscriberTokenDays: 30,
      hstsDays: 0,
      uploadLimit: 2000,
      metricsToken: null,
      serviceManager: null,
      role: "books",
      nats: null,
    });
  });

  test("an empty value is the default", () => {
    expect(read({ GATEHOUSE_HTTP_LISTEN: "", GATEHOUSE_LOG_LEVEL: " ", TZ: "" })).toEqual(read({}));
  });

  test("systemd's state directory is the data folder, unless another one is named", () => {
    expect(read({ STATE_DIRECTORY: "/var/lib/gatehouse" }).dataDir).toBe("/var/lib/gatehouse");
    expect(read({ STATE_DIRECTORY: "/a:/b" }).dataDir).toBe("/a");
    expect(read({ STATE_DIRECTORY: "/a", GATEHOUSE_DATA_DIR: "/c" }).dataDir).toBe("/c");
  });
});

describe("accepted values", () => {
  const tls = { GATEHOUSE_TLS_CERT: "/c.pem", GATEHOUSE_TLS_KEY: "/k.pem" };
  test.each([
    [{ GATEHOUSE_WALLED_LISTEN: "10.0.0.1:80" }, { walledListen: { host: "10.0.0.1", port: 80 } }],
    [{ GATEHOUSE_PUBLIC_LISTEN: "[::]:8443" }, { publicListen: { host: "::", port: 8443 } }],
    [{ GATEHOUSE_RADIUS_AUTH_LISTEN: "[::1]:0" }, { radiusAuthListen: { host: "::1", port: 0 } }],
    [{ GATEHOUSE_HTTP_LISTEN: "localhost:80" }, { httpListen: { host: "127.0.0.1", port: 80 } }],
    [
      { GATEHOUSE_TRUSTED_PROXIES: "10.0.0.0/8, ::1/128 192.0.2.1" },
      { trustedProxies: ["10.0.0.0/8", "::1/128", "192.0.2.1/32"] },
    ],
    [{ GATEHOUSE_LOG_LEVEL: "debug" }, { logLevel: "debug" }],
    [{ GATEHOUSE_METRICS_TOKEN: "0123456789abcdeF" }, { metricsToken: "0123456789abcdeF" }],
    [{ GATEHOUSE_LOGIN_THREADS: "64" }, { accessThreads: 64 }],
    [
      { API_USER_TOKEN_DAYS: "1", API_SUBSCRIBER_TOKEN_DAYS: "3650" },
      { staffTokenDays: 1, subscriberTokenDays: 3650 },
    ],
    [tls, { tls: { certFile: "/c.pem", keyFile: "/k.pem", lan: false } }],
    [{ ...tls, GATEHOUSE_TLS_LAN: "1" }, { tls: { certFile: "/c.pem", keyFile: "/k.pem", lan: true } }],
    [{ TZ: "Europe/London" }, {}],
    [{ UNRELATED: "x", API_KEY: "y" }, {}],
  ])("%j", (env: Record<string, string>, expected) => {
    expect(read(env)).toMatchObject(expected);
  });
});

describe("refused values", () => {
  test.each(["short", "sixteen-letters with-blanks", "x".repeat(257), "sixteen-letters-é"])(
    "a token such as %j, which is not repeated",
    (token) => {
      const [fault = "", ...more] = faultsOf({ GATEHOUSE_METRICS_TOKEN: token });
      expect([fault, more]).toEqual([expect.stringContaining("GATEHOUSE_METRICS_TOKEN"), []]);
      expect(fault).not.toContain(token);
      expect(faultsOf({ GATEHOUSE_METRIC_TOKEN: token })[0]).not.toContain(token);
    },
  );

  const listen = [
    "8080",
    ":8080",
    "0.0.0.0",
    "0.0.0.0:65536",
    "1.2.3:80",
    "::1:80",
    "[1.2.3.4]:80",
    "host:80",
    "*:80",
  ];
  test.each([
    ...listen.map((value) => ["GATEHOUSE_HTTP_LISTEN", value] as const),
    ["GATEHOUSE_PUBLIC_LISTEN", "off"],
    ["GATEHOUSE_TRUSTED_PROXIES", "10.0.0.0/33"],
    ["GATEHOUSE_TRUSTED_PROXIES", "everybody"],
    ["GATEHOUSE_LOG_LEVEL", "trace"],
    ["API_USER_TOKEN_DAYS", "0"],
    ["API_USER_TOKEN_DAYS", "1.5"],
    ["API_SUBSCRIBER_TOKEN_DAYS", "3651"],
    ["TZ", "Mars/Olympus"],
    ["TZ", "+02:00"],
    ["TZ", "CET-1CEST"],
    ["GATEHOUSE_HTTP_PORT", "80"],
  ])("%s=%s", (name, value) => {
    const faults = faultsOf({ [name]: value });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toStartWith(`${name} is ${JSON.stringify(value)}: `);
  });

  test.each([
    [{ GATEHOUSE_TLS_CERT: "/c.pem" }, ["GATEHOUSE_TLS_KEY is empty"]],
    [{ GATEHOUSE_TLS_KEY: "/k.pem" }, ["GATEHOUSE_TLS_CERT is empty"]],
    [{ GATEHOUSE_TLS_LAN: "1" }, ["GATEHOUSE_TLS_LAN is"]],
    [{ GATEHOUSE_TLS_LAN: "yes" }, ["GATEHOUSE_TLS_LAN is"]],
  ])("a TLS pair is complete: %j", (env: Record<string, string>, starts) => {
    const faults = faultsOf(env);
    expect(faults).toHaveLength(starts.length);
    for (const [index, start] of starts.entries()) expect(faults[index]).toStartWith(start);
  });

  test("every bad value is reported at once", () => {
    const faults = faultsOf({
      GATEHOUSE_HTTP_LISTEN: "x",
      TZ: "y",
      GATEHOUSE_LOG_LEVEL: "z",
      GATEHOUSE_NO: "",
    });
    expect(faults.map((fault) => fault.split(" ")[0])).toEqual([
      "GATEHOUSE_HTTP_LISTEN",
      "GATEHOUSE_LOG_LEVEL",
      "TZ",
      "GATEHOUSE_NO",
    ]);
  });
});

test("an address that was read is written the same way", () => {
  for (const text of ["0.0.0.0:80", "[::1]:1812", "[2001:db8::5]:0"]) {
    const listen = parseListen(text);
    expect(listen && formatListen(listen)).toBe(text);
  }
});
