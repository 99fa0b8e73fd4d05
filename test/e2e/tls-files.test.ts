import { expect, test } from "bun:test";
import { chmodSync, chownSync, readdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import { Appliance, portOf, program, radiusAt } from "../support/appliance.ts";
import { freePort } from "../support/free-port.ts";
import { RadiusClient } from "../support/radius-client.ts";

/** A store, and the configuration of a pair of files that are not there yet. */
async function boxWithoutPair(env: Record<string, string> = {}) {
  const appliance = new Appliance();
  const files = { cert: join(appliance.folder, "tls.crt"), key: join(appliance.folder, "tls.key") };
  Object.assign(env, { GATEHOUSE_TLS_CERT: files.cert, GATEHOUSE_TLS_KEY: files.key });
  await appliance.load({
    isps: [{ id: 1, name: "Northlink" }],
    nas: [{ id: 1, isp_id: 1, name: "local", address: "127.0.0.1", secret: "testing123" }],
  });
  return { appliance, files, env, [Symbol.asyncDispose]: () => appliance[Symbol.asyncDispose]() };
}

/** The name in the certificate that a listener shows. */
function nameAt(address: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port: portOf(address), rejectUnauthorized: false }, () => {
      resolve(String(socket.getPeerCertificate().subject?.CN));
      socket.destroy();
    });
    socket.on("error", reject);
  });
}

/** Asks the server to look at the files, and waits until its log has another line with these words. */
async function reload(appliance: Appliance, words: string, before = appliance.log.length): Promise<string> {
  process.kill(appliance.pid, "SIGHUP");
  for (;;) {
    const lines = appliance.log.slice(before).split("\n");
    const line = lines.find((text) => text.includes(words) && text.endsWith("}"));
    if (line !== undefined) return line;
    await Bun.sleep(10);
  }
}

/** Another pair for a name takes the place of the files, and the server takes it up. */
async function renew(appliance: Appliance, name: string): Promise<void> {
  await appliance.run(["tls", "self-signed", name, "--out", join(appliance.folder, "new")]);
  const before = appliance.log.length; // the server looks by itself too, now and then
  for (const file of ["tls.key", "tls.crt"])
    renameSync(join(appliance.folder, "new", file), join(appliance.folder, file));
  await reload(appliance, "took up a renewed certificate", before);
}

test("without its TLS files a server has RADIUS and the LAN, keeps the public listener shut, and opens it when they are there", async () => {
  await using box = await boxWithoutPair({
    GATEHOUSE_PUBLIC_LISTEN: "127.0.0.1:0",
    GATEHOUSE_TLS_HSTS_DAYS: "30",
  });
  const { appliance } = box;
  const at = await appliance.serve(box.env);
  expect(at.public).toBeNull();
  const radius = new RadiusClient({ ...radiusAt(at), secret: "testing123" });
  expect(await radius.status("auth")).toMatchObject({ code: "Access-Accept" });
  await radius.close();
  expect((await fetch(`http://${at.http}/healthz`)).status).toBe(200);
  const metrics = async () => (await fetch(`http://${at.http}/metrics`)).text();
  expect(await metrics()).toContain("\ngatehouse_certificate_usable 0\n");
  const text = appliance.log.split("\n").find((line) => line.includes("the public listener is shut"));
  expect(text).toContain('"level":"error"');

  const pair = await appliance.run(["tls", "self-signed", "isp.example", "--out", appliance.folder]);
  expect(pair).toMatchObject({ code: 0, stderr: "" });
  const opened = JSON.parse(await reload(appliance, "opened the public listener"));
  expect(await nameAt(opened.address)).toBe("isp.example");
  expect(await metrics()).toContain("\ngatehouse_certificate_usable 1\n");
  const page = await fetch(`https://${opened.address}/portal`, { tls: { rejectUnauthorized: false } });
  expect(page.headers.get("strict-transport-security")).toBe("max-age=2592000");
  // one that is renewed is taken up, and a pair that breaks later shuts nothing
  await renew(appliance, "two.example");
  expect(await nameAt(opened.address)).toBe("two.example");
  writeFileSync(box.files.key, "none");
  await reload(appliance, "kept the old certificate");
  expect(await nameAt(opened.address)).toBe("two.example");
  expect(await metrics()).toContain("\ngatehouse_certificate_usable 0\n");
  expect(await appliance.stop()).toBe(0);
});

test("with GATEHOUSE_TLS_LAN=1 the LAN listener never speaks clear text: until the files are good it has a certificate of its own", async () => {
  await using box = await boxWithoutPair({ GATEHOUSE_TLS_LAN: "1" });
  const { appliance } = box;
  writeFileSync(box.files.cert, "none");
  writeFileSync(box.files.key, "none");
  const at = await appliance.serve(box.env);
  const words = "a certificate that it made itself"; // said once it serves
  for (let waited = 0; !appliance.log.includes(words) && waited < 3000; waited++) await Bun.sleep(10);
  expect(appliance.log).toContain(words);
  expect(await nameAt(at.http)).not.toBe("isp.example");
  const secured = { tls: { rejectUnauthorized: false } };
  expect((await fetch(`https://${at.http}/healthz`, secured)).status).toBe(200);
  const inClear = await fetch(`http://${at.http}/healthz`).then(
    ({ status }) => status,
    () => "no answer",
  );
  expect(inClear).not.toBe(200);
  await renew(appliance, "isp.example");
  expect(await nameAt(at.http)).toBe("isp.example");
  expect(await appliance.stop()).toBe(0);
});

test("commands do their work without the TLS files, and check says what is wrong with them", async () => {
  await using box = await boxWithoutPair({ GATEHOUSE_PUBLIC_LISTEN: "127.0.0.1:0" });
  const { appliance } = box;
  const ports = [1, 2].map(() => `127.0.0.1:${freePort()}`);
  const [http = "", open = ""] = ports;
  await appliance.serve({ ...box.env, GATEHOUSE_HTTP_LISTEN: http, GATEHOUSE_PUBLIC_LISTEN: open });
  expect(await appliance.run(["check", "--serving"])).toMatchObject({ code: 0 });
  expect(await appliance.run(["settings", "list"])).toMatchObject({ code: 0, stderr: "" });
  expect(await appliance.run(["backup", join(appliance.folder, "copy.db")])).toMatchObject({ code: 0 });
  const check = await appliance.run(["check"]);
  expect(check.code).toBe(1);
  expect(check.stdout).toContain(`error    certificate: ${box.files.cert} does not exist`);
  expect(check.stdout).toContain(`error    ports: the public listener ${open} is shut`);
});

test("a key that the user of the service may not read is said with what to do", async () => {
  await using appliance = new Appliance();
  chmodSync(appliance.folder, 0o777);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) appliance.command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", program];
  expect(await appliance.run(["tls", "self-signed", "isp.example", "--out", "."])).toMatchObject({ code: 0 });
  expect(await appliance.run(["init"])).toMatchObject({ code: 0 });
  const key = join(appliance.folder, "tls.key");
  if (isRoot) chownSync(key, 0, 0);
  else chmodSync(key, 0o000);
  appliance.command = [
    "env",
    `GATEHOUSE_TLS_CERT=${join(appliance.folder, "tls.crt")}`,
    `GATEHOUSE_TLS_KEY=${key}`,
    ...appliance.command,
  ];
  const { code, stdout } = await appliance.run(["check"]);
  expect(code).toBe(1);
  expect(stdout).toContain(
    `error    certificate: ${key} cannot be read by the user of the service; run: chgrp gatehouse ${key} && chmod g+r ${key}`,
  );
});

test("a server without TLS survives the signal to look at its certificate, and leaves its files to their owner only", async () => {
  await using appliance = new Appliance();
  await appliance.run(["init"]);
  const at = await appliance.serve();
  process.kill(appliance.pid, "SIGHUP");
  expect((await fetch(`http://${at.http}/healthz`)).status).toBe(200);
  expect(await appliance.stop()).toBe(0);
  const data = join(appliance.folder, "data");
  for (const name of readdirSync(data))
    expect({ name, open: statSync(join(data, name)).mode & 0o77 }).toEqual({ name, open: 0 });
});

test("a public listener whose port is taken when its certificate comes is opened later", async () => {
  await using box = await boxWithoutPair();
  const { appliance } = box;
  const taken = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const at = await appliance.serve({
    ...box.env,
    GATEHOUSE_TLS_LAN: "1",
    GATEHOUSE_PUBLIC_LISTEN: `127.0.0.1:${taken.port}`,
  });
  await appliance.run(["tls", "self-signed", "isp.example", "--out", appliance.folder]);
  expect(await reload(appliance, "the certificate is not in use")).toContain("is taken by another program");
  expect(await nameAt(at.http)).toBe("isp.example");
  taken.stop(true);
  const { address } = JSON.parse(await reload(appliance, "opened the public listener"));
  expect([address, await nameAt(address)]).toEqual([`127.0.0.1:${taken.port}`, "isp.example"]);
});
