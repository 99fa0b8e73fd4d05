import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { Appliance, type Addresses } from "../support/appliance.ts";
import { startChromium } from "../support/chromium.ts";
import { ConsoleBrowser } from "../support/console-browser.ts";
import { FakeRouteros } from "../support/fake-routeros.ts";
import { ada, aPackage, NAS_SECRET } from "../support/isp.ts";

/* The pages of a hotspot, from the console to a router that fetches them from the real program. */

let browser: Browser;
let at: Addresses;
let router: FakeRouteros;
const data = mkdtempSync(join(tmpdir(), "gatehouse-hotspot-"));
const appliance = new Appliance({ GATEHOUSE_DATA_DIR: data });

beforeAll(async () => {
  [browser, router] = await Promise.all([
    startChromium(),
    FakeRouteros.start({
      policy: ["api", "read", "write", "ftp", "test"],
      profiles: [
        { ".id": "*0", name: "default", "html-directory": "hotspot" },
        { ".id": "*1", name: "hsprof1", "html-directory": "hotspot", "html-directory-override": "flash/hs" },
      ],
    }),
  ]);
  const routeros = { host: "127.0.0.1", port: router.port, username: "api", password: "secret", tls: false };
  await appliance.load({
    isps: [{ id: 1, name: "Northlink" }],
    staff: [ada],
    packages: [aPackage(1)],
    nas: [
      { id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: NAS_SECRET, routeros },
      { id: 2, isp_id: 1, name: "plain", address: "127.0.0.2", secret: NAS_SECRET },
    ],
  });
  // the line for the terminal says the port that is configured
  const probe = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = probe;
  probe.stop();
  at = await appliance.serve({ GATEHOUSE_HTTP_LISTEN: `127.0.0.1:${port}` });
});
afterAll(async () => {
  await Promise.all([browser.close(), appliance[Symbol.asyncDispose](), router[Symbol.asyncDispose]()]);
  rmSync(data, { recursive: true, force: true });
});

async function admin(): Promise<ConsoleBrowser> {
  const visitor = await ConsoleBrowser.open(browser, { origin: `http://${at.http}` });
  await visitor.goto("/console/sign-in");
  await visitor.signIn("ada", "secret-1");
  return visitor;
}

test("a router is sent its pages, into every folder that its hotspots serve", async () => {
  await using visitor = await admin();
  router.options.policy = ["api", "read", "write", "ftp", "test"];
  await visitor.goto("/console/routers/1");
  await visitor.page.locator("summary", { hasText: "Set up" }).click();
  await visitor.page.click("text=Hotspot pages");
  await visitor.page.selectOption("[name=language]", "sw");
  await visitor.page.click("text=Take this language");
  await visitor.page.waitForURL("**/hotspot?language=sw");
  await visitor.page.click("button.solid");
  await visitor.page.getByText("core has the pages now, in hotspot, flash/hs.").waitFor();
  expect(router.files.get("hotspot/login.html")).toContain('<html lang="sw"');
  expect(router.files.get("flash/hs/login.html")).toContain("$(link-login-only)");
  expect(router.files.size).toBe(46);
  await visitor.goto("/console/trail");
  await visitor.page.getByText("Sent the hotspot's pages to the router core").first().waitFor();
});

test("an account that may not fetch is told how it may, and one without an API what to do instead", async () => {
  await using visitor = await admin();
  router.options.policy = ["api", "read", "write"];
  await visitor.goto("/console/routers/1/hotspot");
  await visitor.page.click("button.solid");
  await visitor.page.getByText("policy=api,read,write,ftp,test").waitFor();
  await visitor.goto("/console/routers/2/hotspot");
  await visitor.page.click("button.solid");
  await visitor.page.getByText("the RouterOS API of plain is not set up").waitFor();
});

test("a router that cannot fetch is told about with what to do", async () => {
  await using visitor = await admin();
  for (const [message, remedy] of [
    ["failure: no space left on device", "make room there (/file print)"],
    ["failure: SSL: ssl: certificate not trusted (6)", "it does not trust the certificate"],
    ["failure: connection timeout", "for it has to reach that address"],
  ] as const) {
    router.faults = { "/tool/fetch": { kind: "trap", message } };
    await visitor.goto("/console/routers/1/hotspot");
    await visitor.page.click("button.solid");
    await visitor.page.getByText(remedy).waitFor();
  }
  router.faults = {};
});

test("the line for the terminal names every file, and the archive has them", async () => {
  await using visitor = await admin();
  await visitor.goto("/console/routers/1/hotspot");
  await visitor.expectAccessible();
  await visitor.page.setViewportSize({ width: 390, height: 844 });
  await visitor.expectToFit();
  const line = await visitor.page.innerText("pre");
  expect(line).toContain('($a->"html-directory-override")');
  expect(line).toContain(`url=("http://${at.http}/portal/hotspot/1/en/" . $f)`);
  const names = [...line.matchAll(/"([\w.-]+\.(?:html|js|css|txt|json))"/g)].map(([, name]) => name);
  expect(names).toHaveLength(23);
  for (const name of names)
    expect((await fetch(`http://${at.http}/portal/hotspot/1/en/${name}`)).status).toBe(200);
  const [download] = await Promise.all([
    visitor.page.waitForEvent("download"),
    visitor.page.click("text=Download as .zip"),
  ]);
  expect(download.suggestedFilename()).toBe("hotspot.zip");
  if (!Bun.which("unzip")) throw new Error("unzip is missing; install Debian's package unzip");
  const listed = await Bun.$`unzip -t ${await download.path()}`.text();
  expect(listed).toContain("No errors detected");
  for (const name of names) expect(listed).toContain(`hotspot/${name}`);
});

test.each([
  "/portal/hotspot/1/en/none.html",
  "/portal/hotspot/1/xx/login.html",
  "/portal/hotspot/9/en/login.html",
])("%s is not there", async (path) => {
  expect((await fetch(`http://${at.http}${path}`)).status).toBe(404);
});
