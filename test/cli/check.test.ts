import { expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "bun:sqlite";
import { checkStore } from "../../src/domain/check/check.ts";
import { Vault } from "../../db/vault.ts";
import { aSubscriber, loadIsp } from "../support/isp.ts";
import { NOW, temporaryStore } from "../support/store.ts";
import { CommandLine } from "./harness.ts";

const faults = (store: ReturnType<typeof temporaryStore>, now = NOW) =>
  checkStore(store.db, now).filter(({ severity }) => severity !== "ok");

test("a sound store has nothing to report, and says what was looked at", async () => {
  using store = temporaryStore();
  await loadIsp(store.db, { subscribers: [aSubscriber(1), aSubscriber(2)] });
  expect(checkStore(store.db, NOW).map(({ severity, subject }) => [severity, subject])).toEqual(
    ["database", "references", "key", "ledger", "settings", "routers", "clock"].map((subject) => [
      "ok",
      subject,
    ]),
  );
});

const damages: [name: string, damage: (client: Database) => void, severity: string, words: string][] = [
  [
    "a changed amount",
    (client) =>
      client.run(
        "DROP TRIGGER ledger_entries_no_update; UPDATE ledger_entries SET amount = amount + 1 WHERE id = 2",
      ),
    "error",
    "1 balances are not the sum of their entries, the first in entry 2",
  ],
  [
    "a dangling reference",
    (client) => client.run("PRAGMA foreign_keys = OFF; DELETE FROM packages"),
    "error",
    "refer to nothing, in",
  ],
  [
    "a setting that no longer fits",
    (client) => client.run("INSERT INTO settings VALUES (0, 'currency', '\"dollars\"')"),
    "warning",
    "so USD counts",
  ],
  [
    "a setting of another version",
    (client) => client.run("INSERT INTO settings VALUES (0, 'colour', '1')"),
    "warning",
    "colour is not a setting",
  ],
  [
    "an API certificate that is not pinned",
    (client) => client.run("UPDATE nas SET routeros_tls = 1 WHERE id = 1"),
    "warning",
    "core: any certificate",
  ],
  [
    "a NAS without Message-Authenticator",
    (client) => client.run("UPDATE nas SET require_message_authenticator = 'no' WHERE id = 1"),
    "warning",
    "CVE-2024-3596",
  ],
];
test.each(damages)("%s is found", async (_name, damage, severity, words) => {
  using store = temporaryStore();
  await loadIsp(store.db, { subscribers: [aSubscriber(1), aSubscriber(2)] });
  damage(store.db.$client);
  const found = faults(store);
  expect(found.map((finding) => finding.severity as string)).toEqual([severity]);
  expect(found[0]?.message).toContain(words);
});

test("another folder's key, and a clock that was set back, are found", async () => {
  using store = temporaryStore();
  await loadIsp(store.db, { subscribers: [aSubscriber(1)] });
  expect(faults(store, NOW - 3600)).toMatchObject([{ severity: "error", subject: "clock" }]);
  Object.assign(store.db, { vault: new Vault(randomBytes(32)) });
  expect(faults(store)).toMatchObject([{ severity: "error", subject: "key" }]);
});

test("the command prints a line a finding and its exit code is the worst of them", async () => {
  using shell = new CommandLine();
  await shell.run("init");
  const env = {
    GATEHOUSE_HTTP_LISTEN: "127.0.0.1:0",
    GATEHOUSE_RADIUS_AUTH_LISTEN: "127.0.0.1:0",
    GATEHOUSE_RADIUS_ACCT_LISTEN: "127.0.0.1:0",
  };
  const sound = await shell.run("check", { env });
  expect(sound.code).toBe(0);
  expect(sound.stdout).toContain("warning  routers: there is none");
  expect(sound.stdout).toContain("warning  ports: gatehouse is not serving");

  const taken = await Bun.udpSocket({ hostname: "127.0.0.1", socket: { error: () => {} } });
  const broken = await shell.run("check --json", {
    env: { ...env, GATEHOUSE_RADIUS_AUTH_LISTEN: `127.0.0.1:${taken.port}` },
  });
  taken.close();
  expect(broken.code).toBe(1);
  expect(JSON.parse(broken.stdout)).toContainEqual(
    expect.objectContaining({ severity: "error", subject: "ports" }),
  );
  expect(broken.stderr).toContain("1 of");

  const pem = join(shell.folder, "cert.pem");
  writeFileSync(pem, "no certificate");
  const tls = await shell.run("check", { env: { ...env, GATEHOUSE_TLS_CERT: pem, GATEHOUSE_TLS_KEY: pem } });
  expect([tls.code, tls.stdout]).toEqual([1, expect.stringContaining("error    certificate:")]);
});
