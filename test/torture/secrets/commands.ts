import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../../src/cli/run.ts";
import type { Appliance } from "../../support/appliance.ts";
import { RadiusClient } from "../../support/radius-client.ts";
import type { Needles } from "./needles.ts";
import type { Notes } from "../notes.ts";
import type { Extent } from "../trial.ts";
import { planted, type PlantedName, STAFF, SUBSCRIBER } from "./store.ts";

/**
 * Runs commands, and looks at what they print and at what others see of them meanwhile. The short form runs each once as a program that is
 * told a secret on its standard input, and all others in this process.
 */
export class TalkingCommands {
  readonly #appliance: Appliance;
  readonly #needles: Needles;
  readonly #notes: Notes;
  readonly #isShort: boolean;
  /** The first words of commands that were told a secret as a program. */
  readonly #told = new Set<string>();
  ran = 0;

  constructor(appliance: Appliance, needles: Needles, notes: Notes, { isShort }: Pick<Extent, "isShort">) {
    this.#appliance = appliance;
    this.#isShort = isShort;
    this.#needles = needles;
    this.#notes = notes;
  }

  /** A command that prints nothing that is secret; returns what it printed. */
  async run(command: readonly string[], stdin = "", allowed: readonly PlantedName[] = []): Promise<string> {
    const name = command.slice(0, 2).join(" ");
    const isHere = this.#isShort && (stdin === "" || this.#told.has(name));
    if (!isHere) this.#told.add(name);
    const text = await (isHere ? this.#here(command, stdin) : this.#spawn(command, stdin));
    this.ran += 1;
    for (const found of this.#needles.in(text, allowed))
      this.#notes.fault(`gatehouse ${name} prints the ${found}`);
    return text;
  }

  async #spawn(command: readonly string[], stdin: string): Promise<string> {
    const child = this.#appliance.spawn([...command], stdin);
    const printed = Promise.all([child.stdout.text(), child.stderr.text()]);
    lookAtProcess(child.pid, `gatehouse ${command[0]}`, this.#needles, this.#notes);
    const text = (await printed).join("\n");
    await child.exited;
    return text;
  }

  async #here(command: readonly string[], input: string): Promise<string> {
    const env = {
      GATEHOUSE_DATA_DIR: join(this.#appliance.folder, "data"),
      GATEHOUSE_LOG_LEVEL: "debug",
      TZ: "UTC",
    };
    let text = "";
    const stream = { write: (more: string) => (text += more) };
    await run(command, env, { stdin: new Blob([input]).stream(), stdout: stream, stderr: stream });
    return text;
  }

  async exercise(radius: string): Promise<void> {
    const { folder } = this.#appliance;
    const requests = ["--server", radius];
    await this.run(["radtest", SUBSCRIBER, ...requests]);
    await this.run(["radtest", SUBSCRIBER, "--method", "mschapv2", "--json", ...requests]);
    await this.run(["radtest", SUBSCRIBER, "--password-stdin", ...requests], planted["guessed password"]);
    await this.run(["why", SUBSCRIBER]);
    await this.run(["why", SUBSCRIBER, "--json"]);
    await this.run(["sessions", "list", "--all", "--json"]);
    await this.run(["subscriber", "list"]);
    await this.run(["subscriber", "list", "--json"]);
    await this.run(["subscriber", "show", SUBSCRIBER]);
    await this.run(["subscriber", "show", SUBSCRIBER, "--json"]);
    await this.run(["staff", "list", "--json"]);
    await this.run(["staff", "passwd", STAFF, "--password-stdin"], planted["new staff password"]);
    await this.run(
      ["staff", "add", "eve", "--type", "admin", "--password-stdin"],
      planted["added staff password"],
    );
    await this.run(["nas", "add", "second", "127.0.0.77", "--secret-stdin"], planted["added NAS secret"]);
    await this.run(["nas", "add", "second", "127.0.0.77", "--secret-stdin"], planted["added NAS secret"]);
    await this.run(["nas", "set", "second", "--secret"], planted["added NAS secret"]);
    await this.run(["nas", "list", "--json"]);
    await this.run(["nas", "test", "core"]);
    await this.run(["nas", "script", "core"], "", ["NAS secret", "RouterOS password"]); // its purpose
    await this.run(["settings", "list", "--json"]);
    await this.run(["check", "--json"]);
    await this.run(["export"]);
    await this.run(["export", join(folder, "export.json")]);
    await this.badFiles(folder);
    await this.run(["backup-passphrase", "--passphrase-stdin"], planted["scheduled passphrase"]);
    await this.run(
      ["backup", join(folder, "with-key.db"), "--passphrase-stdin"],
      planted["backup passphrase"],
    );
    await this.run(["backup", join(folder, "without-key.db")]);
    await this.run(
      ["restore", join(folder, "with-key.db"), "--passphrase-stdin"],
      planted["guessed password"],
    );
  }

  /** Files with a secret that are no data set: what is said about them goes to logs of those who import by a script. */
  async badFiles(folder: string): Promise<void> {
    const secret = planted["guessed password"];
    const texts = [
      `{"staff":[{"id":1,"password":${secret}}]}`,
      `{"staff":[{"id":1,"password":"${secret}}]}`,
      `${secret}`,
      JSON.stringify({
        staff: [{ id: 1, isp_id: 9, name: "x", username: STAFF, profile_type: 7, password: secret }],
      }),
      JSON.stringify({ nas: [{ id: 1, isp_id: 1, name: "core", address: secret, secret: [secret] }] }),
      JSON.stringify({
        subscribers: [{ id: 1, password: secret.repeat(20), nic_number: 7, portal_pass: secret }],
      }),
    ];
    for (const [i, text] of texts.entries()) {
      const file = join(folder, `bad-${i}.json`);
      writeFileSync(file, text);
      await this.run(["import", file]);
      writeFileSync(file, "");
    }
  }
}

/** What `ps` shows to everybody, and the environment. */
export function lookAtProcess(pid: number, what: string, needles: Needles, notes: Notes): void {
  for (const file of ["cmdline", "environ"]) {
    const bytes = readIfThere(`/proc/${pid}/${file}`);
    for (const found of needles.in(bytes)) notes.fault(`/proc/PID/${file} of ${what} has the ${found}`);
  }
}

/** A process or a file may be gone. */
export function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
}

/** Logins and accounting, right and wrong, under the right shared secret and another. */
export async function talkRadius({ auth, acct }: { auth: number; acct: number }): Promise<void> {
  const target = { host: "127.0.0.1", port: auth, acctPort: acct, timeout: 300 };
  for (const secret of [planted["NAS secret"], planted["guessed password"]]) {
    const client = new RadiusClient({ ...target, secret });
    for (const method of ["pap", "chap", "mschap", "mschapv2"] as const)
      for (const password of [planted["subscriber password"], planted["guessed password"]])
        await client.access({ name: SUBSCRIBER, password, method });
    await client.accounting("Start", [
      ["User-Name", SUBSCRIBER],
      ["Acct-Session-Id", "81000001"],
      ["Framed-IP-Address", "10.0.0.7"],
    ]);
    await client.close();
  }
}
