import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { Appliance, portOf } from "../../support/appliance.ts";
import type { Needles } from "./needles.ts";
import { logInByCards, plantCodes, redeemCards, runCardCommands, sellCards } from "./cards.ts";
import { tellPeople } from "./messages.ts";
import { Notes } from "../notes.ts";
import { lookAtProcess, readIfThere, TalkingCommands, talkRadius } from "./commands.ts";
import { TalkingHttp } from "./http.ts";
import { plantedNeedles, writeDataSet } from "./store.ts";
import type { Trial } from "../trial.ts";

/** Distinctive secrets go in by every door, everything that comes out is searched for them by value. */
export const secrets: Trial = {
  name: "secrets",
  run: async ({ isShort, log }) => {
    const notes = new Notes();
    const needles = plantedNeedles();
    await using appliance = new Appliance({
      GATEHOUSE_LOG_LEVEL: "debug",
      GATEHOUSE_PUBLIC_LISTEN: "127.0.0.1:0",
    });
    const dataFolder = join(appliance.folder, "data");
    const commands = new TalkingCommands(appliance, needles, notes, { isShort });
    const file = await writeDataSet(appliance.folder);
    await commands.run(["import", file]);
    rmSync(file);
    needles.add("key", Buffer.from(readFileSync(join(dataFolder, "secret.key"), "utf8").trim(), "base64"));

    const codes = plantCodes(dataFolder, needles);

    const addresses = await appliance.serve();
    const http = new TalkingHttp({ lan: portOf(addresses.http), dataFolder }, needles, notes);
    log("HTTP");
    const tokens = await http.logIn();
    await redeemCards(http, codes, tokens);
    await http.exercise(tokens);
    log("RADIUS");
    const radius = { auth: portOf(addresses.radius_auth), acct: portOf(addresses.radius_acct) };
    await talkRadius(radius);
    log("cards");
    await logInByCards(radius, codes);
    await sellCards(http, codes);
    log("messages, webhooks and payments that arrive");
    const outside = new TalkingHttp({ lan: portOf(addresses.public ?? ""), dataFolder }, needles, notes);
    await tellPeople({ http, outside }, needles, notes);
    log("commands");
    await runCardCommands(commands, appliance.folder, codes);
    await commands.exercise(addresses.radius_auth);
    lookAtProcess(appliance.pid, "the server", needles, notes);
    lookAtFiles(appliance.folder, needles, notes); // while the write-ahead log is there
    await appliance.stop();
    lookAtFiles(appliance.folder, needles, notes);
    for (const found of needles.in(appliance.log)) notes.fault(`the log has the ${found}`);
    for (const form of needles.blind()) notes.fault(`the search itself does not find the ${form}`);
    noCoreFiles(notes);
    const answers = http.answers + outside.answers;
    notes.figure(
      `of ${needles.size} secrets (passwords, tokens, shared secrets, passphrases, codes of cards, secrets of channels, webhooks and providers, the key), found as bytes, hex, base64, UTF-16 in the log at debug level, ${answers} HTTP answers, ${commands.ran} commands, the store, two backups, an export, command lines and environments`,
      "0",
    );
    return notes.outcome;
  },
};

/** Every file that the product wrote: what is in it, and who may read it. */
function lookAtFiles(folder: string, needles: Needles, notes: Notes): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const path = join(folder, name);
    const about = statSync(path, { throwIfNoEntry: false });
    if (!about?.isFile() || name.startsWith("bad-")) continue;
    const text = relative(folder, path).replace(/\d{4}-.*(?=\.)/, "DATE");
    const allowed = name.endsWith("secret.key") ? ["key"] : [];
    for (const found of needles.in(readIfThere(path), allowed))
      notes.fault(`the file ${text} has the ${found}`);
    if (text.startsWith("hotspot/")) continue; // what a router serves to everybody
    notes.expect((about.mode & 0o077) === 0, `others may read the file ${text}`);
  }
}

/** What is in the memory stays there. */
function noCoreFiles(notes: Notes): void {
  const unit = readFileSync(join(import.meta.dir, "../../../systemd/gatehouse.service"), "utf8");
  notes.expect(/^LimitCORE=0$/m.test(unit), "the unit lets core files be written");
}
