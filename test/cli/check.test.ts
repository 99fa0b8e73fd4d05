import { expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "bun:sqlite";
import { checkStore } from "../../src/domain/machine/check/check.ts";
import { checkScrapes, recordRefusedScrape } from "../../src/domain/machine/check/scrapes.ts";
import { Vault } from "../../db/vault.ts";
import { formatTime } from "../../src/domain/core/time/time.ts";
import { aSubscriber, by, DAY, loadIsp } from "../support/isp.ts";
import { NOW, temporaryStore } from "../support/store.ts";
import { heldApps } from "../../src/http/held.ts";
import { listen } from "../../src/http/server.ts";
import { CommandLine, smallIsp } from "./harness.ts";

const faults = (store: ReturnType<typeof temporaryStore>, now = NOW) =>
  checkStore(store.db, by, { now }).filter(({ severity }) => severity !== "ok");

test("a sound store has nothing to report, and says what was looked at", async () => {
  using store = temporaryStore();
  await loadIsp(store.db, { subscribers: [aSubscriber(1), aSubscriber(2)] });
  expect(checkStore(store.db, by, { now: NOW }).map(({ severity, subject }) => [severity, subject])).toEqual(
    [
      ...["database", "references", "key", "ledger", "invoices", "open invoices", "commissions"],
      ...["credits", "payments", "numbers", "wallets", "sums", "cards", "card sums"],
      ...["settings", "routers", "clock"],
    ].map((subject) => ["ok", subject]),
  );
});

const damages: [name: string, damage: (client: Database) => void, severity: string, words: string][] = [
  [
    "a changed amount",
    (client) =>
      client.run(
        "DROP TRIGGER ledger_entries_no_update; UPDATE ledger_entries SET amount = amount + 1 WHERE id = 2; UPDATE ledger_days SET amount = amount + 1; UPDATE ledger_months SET amount = amount + 1",
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
    "an ISP's own setting that is no value of it",
    (client) => client.run("INSERT INTO settings VALUES (1, 'currency', '\"dollars\"')"),
    "warning",
    "gatehouse settings set currency --isp 1",
  ],
  [
    "a setting that somebody wrote as it should not be written",
    (client) => client.run("INSERT INTO settings VALUES (0, 'currency', 'USD')"),
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
  [
    "a reseller's price above the price",
    (client) => client.run("UPDATE packages SET reseller_price = price + 1"),
    "warning",
    "Home 1: a reseller pays more than the customer",
  ],
  [
    "a staff username with a colon",
    (client) => client.run("UPDATE staff SET username = 'a:da' WHERE id = 1"),
    "warning",
    "HTTP Basic ends a name at a colon, so a:da cannot use the API by username",
  ],
  [
    "a RouterOS API without TLS",
    (client) => client.run("UPDATE nas SET routeros_host = '10.0.0.1' WHERE id = 1"),
    "warning",
    "core: its RouterOS API is spoken to without TLS",
  ],
  [
    "a network in auto",
    (client) => client.run("UPDATE nas SET address = '10.0.0.0/8' WHERE id = 1"),
    "warning",
    "core (10.0.0.0/8) is a network: logins from each of its addresses",
  ],
  [
    "a router whose requests are dropped",
    (client) => client.run(`INSERT INTO nas_sources VALUES (1, '127.0.0.1', 5, ${NOW - 300}, ${NOW - 60})`),
    "warning",
    `requests of 127.0.0.1 (core) without Message-Authenticator have been dropped since ${formatTime(NOW - 300)}, the last at ${formatTime(NOW - 60)}, because it sent one before; if RouterOS was downgraded or reset: gatehouse nas set core --forget-message-authenticator 127.0.0.1`,
  ],
  [
    "a router that has to send one and does not",
    (client) =>
      client.run(
        `UPDATE nas SET require_message_authenticator = 'yes' WHERE id = 1; INSERT INTO nas_sources VALUES (1, '127.0.0.1', NULL, ${NOW}, ${NOW})`,
      ),
    "warning",
    "because this NAS has to send one; if RouterOS was downgraded or reset: gatehouse nas set core --require-message-authenticator auto",
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

test("of a network, five of the addresses that are dropped are named; one that is silent for a day is not", async () => {
  using store = temporaryStore();
  await loadIsp(store.db, { subscribers: [aSubscriber(1)] });
  store.db.$client.run(
    "UPDATE nas SET address = '10.0.0.0/8', require_message_authenticator = 'yes' WHERE id = 1",
  );
  for (let i = 1; i <= 7; i++) {
    store.db.$client.run(`INSERT INTO nas_sources VALUES (1, '10.0.0.${i}', NULL, 1, ${NOW - 86_399})`);
    store.db.$client.run(`INSERT INTO nas_sources VALUES (1, '10.1.0.${i}', NULL, 1, ${NOW - 86_400})`);
  }
  const words = faults(store).map(({ message }) => message);
  expect(words).toHaveLength(6);
  expect(words.filter((one) => one.startsWith("requests of 10.0.0."))).toHaveLength(5);
  expect(words[5]).toStartWith("2 more addresses");
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
  await shell.init();
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

test("books that are held say why, and not that their ports are taken by another program", async () => {
  using shell = new CommandLine();
  await shell.init();
  const why = "a restored backup waits; run: gatehouse recover";
  const held = listen(heldApps(why).lan, { hostname: "127.0.0.1", port: 0 });
  const { code, stdout } = await shell.run("check", { env: { GATEHOUSE_HTTP_LISTEN: held.address } });
  const serving = await shell.run("check --serving", { env: { GATEHOUSE_HTTP_LISTEN: held.address } });
  await held.stop(0);
  expect([code, serving.code]).toEqual([1, 1]);
  expect(stdout).toContain(`error    ports: gatehouse runs on ${held.address} and serves nobody: ${why}`);
  expect(stdout).not.toContain("another program");
});

test("whether RadSec is served is known without a connection, which would stand in its log", async () => {
  using shell = new CommandLine();
  await shell.import(smallIsp());
  await shell.run(`nas radsec core --server 203.0.113.10 --out ${join(shell.folder, "a.p12")}`);
  let connections = 0;
  const radsec = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: { open: () => void connections++, data() {} },
  });
  const http = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => Response.json({ status: "ok" }) });
  const env = {
    GATEHOUSE_HTTP_LISTEN: `127.0.0.1:${http.port}`,
    GATEHOUSE_RADSEC_LISTEN: `127.0.0.1:${radsec.port}`,
  };
  const served = await shell.run("check", { env });
  radsec.stop(true);
  const gone = await shell.run("check", { env });
  await http.stop(true);
  expect(served.stdout).toContain(`ok       RadSec: it is served on ${env.GATEHOUSE_RADSEC_LISTEN}`);
  expect(gone.stdout).toContain(`error    RadSec: it is not served on ${env.GATEHOUSE_RADSEC_LISTEN}`);
  expect(connections).toBe(0);
});

test("a scrape that was refused for want of a token is a warning, until there is one or a week has passed", () => {
  using store = temporaryStore();
  const found = (now: number, hasToken = false) => checkScrapes(store.db, by, { hasToken }, { now });
  expect(found(NOW)).toEqual([]);
  recordRefusedScrape(store.db, { source: "203.0.113.9", now: NOW });
  const message = expect.stringMatching(/^203\.0\.113\.9 was refused .* set GATEHOUSE_METRICS_TOKEN/);
  expect(found(NOW + 6 * DAY)).toMatchObject([{ severity: "warning", subject: "metrics", message }]);
  expect(found(NOW, true)).toEqual([]);
  expect(found(NOW + 7 * DAY)).toEqual([]);
});
