import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { filled } from "../../src/handbook/filled.ts";
import { parseBlocks, typedAsRoot } from "../../scripts/lab.d/handbook.ts";
import { pages } from "../../src/handbook/pages.ts";
import { Appliance, program } from "../support/appliance.ts";

/* The commands of the handbook are run as they stand there: blocks marked "sh run" by the executable, each page on a store of its own with
   the demo, or on a new one where they are marked "sh run new". What an "output" after one shows is compared. */

setDefaultTimeout(120_000);

const runnable = pages().filter((page) => parseBlocks(page).some(({ mark }) => mark.startsWith("sh run")));
/** Pages with commands that are run nowhere as they stand there, and why. */
const notRun: Readonly<Record<string, string>> = {
  "books-die": "two machines and a nats-server",
  install: "asks for a passphrase, and wants another disk; the lab begins with its first block",
  "keep-router-configurations": "a router",
  libreqos: "a shaper",
  "message-channels": "a mail server",
  "message-rules": "ids of channels that one has made",
  "move-freeradius": "a dump of that system",
  "move-in": "words in place of a source",
  "move-mikrotik": "an export of a router",
  "move-phpnuxbill": "a dump of that system",
  "move-radiusdesk": "a dump of that system",
  "move-spreadsheet": "a table",
  "move-zalpro-splynx": "a table",
  "new-box": "two machines; the lab moves by --move and --restore",
  "no-lag": "a router",
  "other-providers": "an account of a provider",
  "payment-providers": "an account of a provider",
  "payments-that-wait": "payments that wait",
  radsec: "a router",
  "set-up-router": "a router",
  "sign-in": "a password that is asked twice at a terminal",
  "subscriber-app": "a public listener with a certificate",
  upgrade: "two versions; the lab upgrades by ./install",
  "watch-routers": "a router",
  webhooks: "an address that is called",
  "when-something-is-wrong": "it is right that a demo is found fault with",
};

const YEAR = new Date().getUTCFullYear();

/** What somebody who follows a page types at this box, in place of its words. */
const typed = (text: string, { radius_auth = "" } = {}) =>
  filled(`\`\`\`\n${text}\`\`\``, { box: "192.0.2.254", router: "core", isp: 1, ispName: "Northlink" })
    .slice(4, -3)
    .replaceAll(/\b([RI])-2030-\d{6}/g, `$1-${YEAR}-000001`)
    .replaceAll(/(card .*)\b117\b/g, "$12")
    .replaceAll("C-051234", "C-000003")
    .replaceAll("USERNAME", "demo001")
    .replaceAll(/gatehouse staff add (?=\S)/g, "$&--password-stdin ")
    .replaceAll("gatehouse radtest", `gatehouse radtest --server ${radius_auth}`);

/** What has happened before somebody comes to a page. */
const before: Readonly<Record<string, string>> = {
  "close-the-day":
    "INSERT INTO closings (id, isp_id, staff_id, created_at, taken, returned, expected, counted) VALUES (31, 1, 6, 1, 0, 0, 0, 0)",
};

const demo = new Appliance();
beforeAll(async () => {
  await demo.load(
    await Bun.$`${process.execPath} ${join(import.meta.dir, "../../scripts/demo-isp.ts")}`.json(),
  );
  return () => demo[Symbol.asyncDispose]();
});

test.each(runnable)("the commands of $slug do what it says", async (page) => {
  await using appliance = new Appliance({
    PATH: `bin:${process.env["PATH"]}`,
    GATEHOUSE_WALLED_LISTEN: "127.0.0.1:8081",
  });
  const blocks = parseBlocks(page);
  mkdirSync(join(appliance.folder, "bin"));
  symlinkSync(program, join(appliance.folder, "bin/gatehouse"));
  if (blocks.some(({ mark }) => mark === "sh run new")) await appliance.run(["init"]);
  else cpSync(join(demo.folder, "data"), join(appliance.folder, "data"), { recursive: true });
  const sql = before[page.slug];
  if (sql !== undefined) appliance.otherWriter().run(sql);
  const at = blocks.some(({ text }) => text.includes("radtest"))
    ? await appliance.serve({ GATEHOUSE_WALLED_LISTEN: "127.0.0.1:0" })
    : {};
  appliance.command = ["/bin/sh", "-ec"];
  for (const [index, { mark, text }] of blocks.entries()) {
    if (!mark.startsWith("sh run")) continue;
    const { code, stdout, stderr } = await appliance.run([typed(text, at)], "correct-horse\n");
    expect({ text, code, why: code === 0 ? "" : stderr }).toEqual({ text, code: 0, why: "" });
    const next = blocks[index + 1];
    if (next?.mark === "output") expect(stdout).toMatch(asPattern(typed(next.text)));
  }
});

test("whose commands are not run is known, with why", () => {
  const isRun = (slug: string) => [...typedAsRoot, "access-boxes"].includes(slug); // by scripts/lab booted, as root
  const left = pages().filter((page) =>
    parseBlocks(page).some(({ mark }) => mark === "sh" || (mark === "sh root" && !isRun(page.slug))),
  );
  expect(left.map(({ slug }) => slug).sort()).toEqual(Object.keys(notRun).sort());
});

/** An output as a page shows it: three dots are anything, and blanks are blanks. */
function asPattern(shown: string): RegExp {
  const parts = shown.trim().split(/(\.\.\.|\s+)/);
  const pattern = parts.map((part) =>
    part === "..." ? "[^]*?" : /^\s+$/.test(part) ? "\\s+" : part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"),
  );
  return new RegExp(pattern.join(""));
}
