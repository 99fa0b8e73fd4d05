import { expect, test } from "bun:test";
import { RouterosClient } from "../../src/routeros/client.ts";
import { readConfig } from "../../src/routeros/config-export.ts";
import { FakeConfig } from "../support/fake-routeros-config.ts";
import { FakeRouteros } from "../support/fake-routeros.ts";
import { exporting, type ExportsOptions } from "../support/router-config.ts";

/* A router's configuration is exported into a file, read and removed; where that fails its menus are read. */

const line = (index: number) => `add address=10.${index % 250}.0.1 list=long comment="customer ${index}"\r\n`;
const LONG = `# 2026-11-22 03:00:03 by RouterOS 7.16.1\r\n/ip firewall address-list\r\n${Array.from({ length: 2000 }, (_, index) => line(index)).join("")}`;

const policy = ["api", "read", "write"];

async function read(
  config: FakeConfig,
  pauses: number[] = [],
  prepare: (fake: FakeRouteros) => void = () => {},
) {
  await using fake = await FakeRouteros.start({ config, policy });
  prepare(fake);
  const target = { host: "127.0.0.1", port: fake.port, tls: false, fingerprint: null };
  return await readConfig({
    open: () => RouterosClient.open({ ...target, username: "admin", password: "secret" }, 5000),
    pause: async (milliseconds) => pauses.push(milliseconds),
  });
}

test("RouterOS 7 hands its export over in chunks, and keeps no file", async () => {
  const config = new FakeConfig();
  const { files, asked: requests } = exporting(config, { text: LONG });
  expect(await read(config)).toEqual({
    text: LONG.replaceAll("\r\n", "\n"),
    source: "export",
    version: "7.16.1",
    note: null,
  });
  expect(requests).toEqual([["=file=gatehouse-config"]]); // it hides secrets unless it is asked to show them
  expect(files.size).toBe(0);
});

test("RouterOS 6.49 is told to hide secrets, and has the contents of the file", async () => {
  const config = new FakeConfig("6.49.17 (long-term)");
  const { files, asked: requests } = exporting(config, { text: "# 1\n/system identity\nset name=a\n" });
  const found = await read(config);
  expect([found.source, found.version, found.text]).toEqual([
    ...["export", "6.49.17", "# 1\n/system identity\nset name=a\n"],
  ]);
  expect(requests).toEqual([["=hide-sensitive=", "=file=gatehouse-config"]]);
  expect(files.size).toBe(0);
});

test("a file that is there a moment later is waited for", async () => {
  const config = new FakeConfig();
  exporting(config, { text: LONG, late: 3 });
  const pauses: number[] = [];
  expect((await read(config, pauses)).source).toBe("export");
  expect(pauses).toEqual([250, 250, 250]);
});

function inhabited(options: Partial<ExportsOptions>) {
  const config = new FakeConfig();
  config.have("/radius", { service: "ppp", address: "10.0.0.254", secret: "hush-hush", comment: 'of "us"' });
  config.have("/ip/firewall/filter", { chain: "forward", action: "drop", bytes: "17", dynamic: "false" });
  config.have("/ip/firewall/address-list", { list: "guests", address: "10.5.0.9", dynamic: "true" });
  return { config, ...exporting(config, { text: LONG, ...options }) };
}

test.each<[string, Partial<ExportsOptions>, string]>([
  ["is refused", { refuses: "not enough permissions (9)" }, "not enough permissions (9)"],
  [
    "is shorter than its router says",
    { hands: 500 },
    `of the ${LONG.length} bytes of its export it handed over 500`,
  ],
  ["has no file", { late: 99 }, "it exported its configuration and has no such file"],
])(
  "where the export %s, the menus are read, without secrets and what changes by itself",
  async (_, options, note) => {
    const { config, files } = inhabited(options);
    const found = await read(config);
    expect([found.source, found.note]).toEqual(["menus", note]);
    expect(found.text.split("\n")[0]).toBe("# read menu by menu from RouterOS 7.16.1");
    expect(found.text).toContain("/ip/firewall/filter\nadd action=drop chain=forward disabled=false\n");
    expect(found.text).toContain('comment="of \\"us\\""');
    for (const absent of ["hush-hush", "secret", "bytes", "guests", "#error"])
      expect(found.text).not.toContain(absent);
    if (options.late === undefined) expect(files.size).toBe(0);
  },
);

test("a router that hangs up in the middle is asked once more, and its file does not stay", async () => {
  const { config, files } = inhabited({});
  const found = await read(config, [], (fake) => {
    fake.faults["/file/read"] = { kind: "close", after: 0 };
  });
  expect(found.source).toBe("menus");
  expect(found.note).toContain("closed the connection");
  expect(files.size).toBe(0);
});

test("a file that its router does not remove is said", async () => {
  const { config } = inhabited({ keeps: "not enough permissions (9)" });
  expect(await read(config)).toMatchObject({
    source: "export",
    note: "its file gatehouse-config.rsc stays there: not enough permissions (9)",
  });
});

test("a menu that is refused is named as an export names it", async () => {
  const { config } = inhabited({ refuses: "no" });
  const found = await read(config, [], (fake) => {
    fake.faults["/ip/dns/print"] = { kind: "trap", message: "action timed out" };
  });
  expect(found.text).toContain('#error exporting "/ip/dns" (action timed out)\n');
});

test("one that is longer than is kept is refused, and its file does not stay", async () => {
  const { config, files } = inhabited({ text: "x".repeat(4 * 1024 * 1024 + 1) });
  await expect(read(config)).rejects.toThrow(
    "its configuration has 4194305 bytes, and no more than 4194304 are kept",
  );
  expect(files.size).toBe(0);
});
