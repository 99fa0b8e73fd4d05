import { describe, expect, test } from "bun:test";
import { createPrivateKey, generateKeyPairSync, X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkCertificate, readPair } from "../../src/cli/certificate.ts";
import { selfSigned } from "../../src/cli/self-signed.ts";
import { readConfig } from "../../src/config/config.ts";
import { CommandLine } from "./harness.ts";

const DAY = 86_400_000;

test.each([
  ["isp.example", "DNS:isp.example"],
  ["192.0.2.7", "IP Address:192.0.2.7"],
  ["2001:db8::7", "IP Address:2001:DB8:0:0:0:0:0:7"],
])("tls self-signed %s makes a pair that belongs together", async (host, alternative) => {
  using shell = new CommandLine();
  const { code, stdout } = await shell.run(`tls self-signed ${host} --out ${shell.folder}/pair`);
  expect(code).toBe(0);
  const [cert, key] = [join(shell.folder, "pair/tls.crt"), join(shell.folder, "pair/tls.key")];
  expect(stdout).toContain(`GATEHOUSE_TLS_CERT=${cert}\nGATEHOUSE_TLS_KEY=${key}\n`);
  expect(statSync(key).mode & 0o777).toBe(0o600);
  const certificate = new X509Certificate(readFileSync(cert));
  expect(certificate.subjectAltName).toBe(alternative);
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(certificate.checkPrivateKey(createPrivateKey(readFileSync(key)))).toBe(true);
  const days = (Date.parse(certificate.validTo) - Date.now()) / DAY;
  expect(days).toBeWithin(823, 826);
  expect(certificate.ca).toBe(false);
});

test("a pair that is there is not overwritten, and a host is one", async () => {
  using shell = new CommandLine();
  await shell.run(`tls self-signed isp.example --out ${shell.folder}`);
  const again = await shell.run(`tls self-signed isp.example --out ${shell.folder}`);
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("exists already") });
  for (const host of ["https://isp.example/", "256.1.1.1", "-"]) {
    const odd = await shell.run(`tls self-signed ${host} --out ${shell.folder}/odd`);
    expect(odd).toMatchObject({ code: 1, stderr: expect.stringContaining("is not a host name") });
  }
});

describe("check says what is wrong with a pair of PEM files in words", () => {
  const pair = selfSigned("isp.example", { from: 1_700_000_000, to: 4_000_000_000 });
  const other = selfSigned("isp.example", { from: 1_700_000_000, to: 4_000_000_000 });
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const underPassphrase = String(
    privateKey.export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "x" }),
  );
  const begin = "-----BEGIN CERTIFICATE-----\n";
  const damaged = `${begin}AAAA\n-----END CERTIFICATE-----\n`;
  const cases: [what: string, cert: string | null, key: string | null, words: string][] = [
    ["no file", null, pair.key, "CERT does not exist; check the path"],
    ["no key file", pair.cert, null, "KEY does not exist; check the path"],
    [
      "something else",
      "hello",
      pair.key,
      "CERT holds no certificate (-----BEGIN CERTIFICATE-----); set a PEM file",
    ],
    ["the two swapped", pair.key, pair.cert, "CERT holds a key and no certificate; set a PEM file"],
    ["half a file", pair.cert.slice(0, 200), pair.key, "CERT ends in the middle of its certificate"],
    [
      "a damaged certificate",
      damaged,
      pair.key,
      "certificate 1 of 1 in CERT is damaged; write the file again",
    ],
    ["a damaged chain", pair.cert + damaged, pair.key, "certificate 2 of 2 in CERT is damaged"],
    [
      "no key",
      pair.cert,
      "hello",
      "KEY holds no key (-----BEGIN PRIVATE KEY-----); set the PEM file of the key",
    ],
    ["a certificate for a key", pair.cert, pair.cert, "KEY holds a certificate and no key"],
    ["a damaged key", pair.cert, pair.key.replace(/\n.{20}/, "\n"), "the key in KEY is damaged"],
    [
      "a key under a passphrase",
      pair.cert,
      underPassphrase,
      "KEY is under a passphrase, which nobody types here",
    ],
    [
      "another key",
      pair.cert,
      other.key,
      "KEY is not the key of CERT; set the two files that were made together",
    ],
  ];
  test.each(cases)("%s", (_what, cert, key, words) => {
    using folder = temporaryFolder();
    const files = { certFile: join(folder.path, "CERT"), keyFile: join(folder.path, "KEY") };
    if (cert !== null) writeFileSync(files.certFile, cert);
    if (key !== null) writeFileSync(files.keyFile, key);
    const config = readConfig({ GATEHOUSE_TLS_CERT: files.certFile, GATEHOUSE_TLS_KEY: files.keyFile });
    const findings = checkCertificate(config, 1_800_000_000);
    expect(findings).toMatchObject([{ severity: "error", subject: "certificate" }]);
    expect(findings[0]?.message.replaceAll(`${folder.path}/`, "")).toStartWith(words);
  });

  test("a good pair", () => {
    using folder = temporaryFolder();
    const files = { certFile: join(folder.path, "CERT"), keyFile: join(folder.path, "KEY") };
    writeFileSync(files.certFile, pair.cert + other.cert);
    writeFileSync(files.keyFile, pair.key);
    expect(readPair({ ...files, lan: false })).toEqual({ cert: pair.cert + other.cert, key: pair.key });
  });
});

function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), "gatehouse-tls-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}
