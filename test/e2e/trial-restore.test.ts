import { expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { formatTime, systemClock } from "../../src/domain/core/time/time.ts";
import { type Addresses, Appliance, radiusAt } from "../support/appliance.ts";
import { aPackage, aSubscriber, DAY, NAS_SECRET } from "../support/isp.ts";
import { RadiusClient } from "../support/radius-client.ts";

const active = { current_expiration_date: formatTime(systemClock() + 10 * DAY) };
const SUBSCRIBERS = 2000;
const PASSPHRASE = "harbour lamp violet stone";
const dataSet = {
  isps: [{ id: 1, name: "Northlink" }],
  staff: [{ id: 1, isp_id: 0, name: "Ada", username: "ada", password: "secret-1", profile_type: 1 }],
  nas: [{ id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: NAS_SECRET }],
  packages: [aPackage(1)],
  subscribers: Array.from({ length: SUBSCRIBERS }, (_, i) =>
    aSubscriber(i + 1, { ...active, balance: "5.00" }),
  ),
};

/** The operator at the console, by plain forms. */
class Console {
  readonly #origin: string;
  #cookie = "";

  constructor({ http }: Addresses) {
    this.#origin = `http://${http}`;
  }

  async signIn(): Promise<void> {
    await this.post("/console/sign-in", { username: "ada", password: "secret-1" }, "/console/sign-in");
  }

  async get(path: string): Promise<string> {
    const response = await fetch(this.#origin + path, {
      headers: { cookie: this.#cookie },
      redirect: "manual",
    });
    this.#keep(response);
    return response.text();
  }

  /** Sends a form of a page; the first token of the page is that of all its forms. */
  async post(path: string, fields: Record<string, string>, from: string): Promise<Response> {
    const token = /name="form_token" value="([^"]+)"/.exec(await this.get(from))?.[1] ?? "";
    const response = await fetch(this.#origin + path, {
      method: "POST",
      headers: { cookie: this.#cookie },
      body: new URLSearchParams({ ...fields, form_token: token }),
      redirect: "manual",
    });
    this.#keep(response);
    return response;
  }

  #keep({ headers }: Response): void {
    const jar = new Map(this.#cookie.split("; ").map((pair) => [pair.split("=")[0], pair] as const));
    for (const set of headers.getSetCookie()) {
      const pair = set.split(";")[0] ?? "";
      jar.set(pair.split("=")[0] ?? "", pair);
    }
    this.#cookie = [...jar.values()].filter((pair) => pair !== "").join("; ");
  }
}

const BACKUPS = "/console/settings/backups";

/** The text of the page of the backups, once nothing is under way. */
async function settled(browser: Console): Promise<string> {
  for (const end = performance.now() + 90_000; performance.now() < end;) {
    const text = (await browser.get(BACKUPS)).replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
    if (!text.includes("At work")) return text;
    await Bun.sleep(50);
  }
  throw new Error("the work at the backups does not end");
}

test("a backup made, proven and downloaded from the console while logins are answered opens the lines of another box", async () => {
  await using appliance = new Appliance();
  await appliance.load(dataSet);
  const at = await appliance.serve();
  const browser = new Console(at);
  await browser.signIn();
  await browser.post(`${BACKUPS}/passphrase`, { passphrase: PASSPHRASE, again: PASSPHRASE }, BACKUPS);
  await browser.post(`${BACKUPS}/make`, {}, BACKUPS);
  expect(await settled(browser)).toContain("Its key is in it, under your passphrase.");

  const folder = join(appliance.folder, "data/backups");
  const [name = ""] = readdirSync(folder);
  const client = new RadiusClient({ ...radiusAt(at), secret: NAS_SECRET });
  const over = new AbortController();
  const logInAndOut = async () => {
    let answered = 0;
    for (; !over.signal.aborted; answered++) {
      const number = (answered % SUBSCRIBERS) + 1;
      const reply = await client.access({ name: `user${number}`, password: `pw-${number}` });
      expect(reply?.code).toBe("Access-Accept");
      await Bun.sleep(5); // as many as an ISP of that size has at most
    }
    return answered;
  };
  const logins = logInAndOut();
  await browser.post(`${BACKUPS}/try?name=${name}`, { passphrase: PASSPHRASE }, BACKUPS);
  const text = await settled(browser);
  over.abort();
  expect(await logins).toBeGreaterThan(3);
  await client.close();
  expect(text).toContain("This backup restores 2,000 subscribers, ledger sums right");
  expect(text).toContain("as on another machine");
  expect(readdirSync(join(appliance.folder, "data")).filter((one) => one.startsWith("trial-"))).toEqual([]);

  const taken = await browser.post(`${BACKUPS}/download?name=${name}`, { password: "secret-1" }, BACKUPS);
  const bytes = await taken.bytes();
  expect(bytes.length).toBe(statSync(join(folder, name)).size);
  await using box = new Appliance();
  const file = join(box.folder, name);
  await Bun.write(file, bytes);
  const restored = await box.run(["restore", file, "--passphrase-stdin"], `${PASSPHRASE}\n`);
  expect(restored).toMatchObject({ code: 0 });
  const there = await box.serve();
  const line = new RadiusClient({ ...radiusAt(there), secret: NAS_SECRET });
  expect((await line.access({ name: "user7", password: "pw-7" }))?.code).toBe("Access-Accept");
  await line.close();
});
