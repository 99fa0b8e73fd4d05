import { expect, test } from "bun:test";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
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
  const odd = await shell.run("tls self-signed https://isp.example/");
  expect(odd).toMatchObject({ code: 1, stderr: expect.stringContaining("is not a host name") });
});
