import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { authorization, dataSet } from "../../../scripts/bench.d/data-set.ts";
import { type Addresses, Appliance, program } from "../../support/appliance.ts";
import { aSubscriber } from "../../support/isp.ts";
import { compileDisk, Disk } from "../disk.ts";
import { checkFaults } from "../soundness.ts";
import { clientOf } from "../traffic.ts";
import { drawing, type Extent, type Outcome, type Trial } from "../trial.ts";
import { bookedFaults } from "./booked.ts";
import { type Ledger, type Needs, Tellers } from "./tellers.ts";
import { PROVIDER } from "./telling.ts";
import { diskFolder } from "../../support/disk.ts";

/** A server that is killed while a provider and a program tell it of payments, each again until it is answered. */
export const payments: Trial = { name: "payments", run };

/** Subscribers whose service runs, and all; the others have ended and have nothing. */
const RUNNING = 20;
const SUBSCRIBERS = 320;
const PRICE = 1500;
const SECRET = "sk_live_of_the_trial";
/** Milliseconds that a life of the server takes at the most, and that a full disk lasts. */
const LIFE = 300;
const FULL = 200;

interface World extends Needs {
  readonly appliance: Appliance;
}

async function run({ isShort, seed, log }: Extent): Promise<Outcome> {
  const folder = mkdtempSync(join(diskFolder(), "gatehouse-payments-"));
  try {
    await using appliance = new Appliance({ GATEHOUSE_LOG_LEVEL: "error" });
    const world = await open(appliance, drawing(seed));
    const disk = await compileDisk(folder);
    const kills = isShort ? 2 : 100;
    for (let nth = 0; nth < kills; nth++) await live(world);
    const fulls = isShort ? 1 : 5;
    for (let nth = 0; nth < fulls; nth++) await fill(world, disk, seed + nth);
    const { faults: found, booked, waiting, renewed } = await settle(world);
    const { tellings: notices, counts } = world.ledger;
    const faults = [...world.ledger.faults, ...found];
    log(`${kills} kills of a server that is told of payments, ${counts.calls} calls`);
    return {
      faults,
      figures: [
        {
          what: `payments that a provider or a program told, lost, booked twice or announced twice, in ${kills} SIGKILLs of the server and ${fulls} full disks`,
          figure: `${faults.length === 0 ? "none" : `${faults.length} at the least`} of ${notices.length} in ${counts.calls} calls: ${booked} booked, ${waiting} kept for staff, ${renewed.size} services renewed and let in`,
        },
        {
          what: "calls of these without an answer, by a kill or by who called, and with one that said later; payments told again after they were answered",
          figure: `${counts.unanswered} and ${counts.later}, each told again until it was answered; ${counts.again}, answered the same`,
        },
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The ISP, with a provider and a program that it knows. */
async function open(appliance: Appliance, draw: () => number): Promise<World> {
  const data = JSON.parse(dataSet(RUNNING, { balance: "0.00" }));
  for (let id = RUNNING + 1; id <= SUBSCRIBERS; id++)
    data.subscribers.push(
      aSubscriber(id, { balance: "0.00", current_expiration_date: "2026-01-01 12:00:00" }),
    );
  await appliance.load(data);
  const at = await appliance.serve();
  const provider = await source(at, {
    kind: "provider",
    name: PROVIDER,
    preset: "paystack",
    secret: SECRET,
  });
  const signedSource = await source(at, { kind: "signed", name: "The till" });
  await appliance.stop("SIGKILL");
  const ledger: Ledger = {
    tellings: [],
    queue: [],
    faults: [],
    counts: { calls: 0, unanswered: 0, again: 0, later: 0 },
  };
  const proofs = { path: provider.path, providerSecret: SECRET, programSecret: signedSource.secret };
  return { appliance, draw, ledger, proofs, subscribers: SUBSCRIBERS };
}

async function source(at: Addresses, fields: Record<string, string>) {
  const response = await fetch(`http://${at.http}/api/v1/payment_source/create`, {
    method: "POST",
    headers: { authorization },
    body: new URLSearchParams({ isp_id: "1", method: "online", ...fields }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`no payment source was made: ${text}`);
  const made = JSON.parse(text);
  return { path: String(made.source.path), secret: String(made.secret) };
}

/** One life of the server, which is killed at a moment of its work. */
async function live(world: World): Promise<void> {
  const { http } = await world.appliance.serve();
  const tellers = new Tellers(http, world);
  await Bun.sleep(world.draw() * LIFE);
  await world.appliance.stop("SIGKILL");
  await tellers.goHome();
}

/** One whose disk is full for a while, and which ends in order when it is not any more. */
async function fill(world: World, program_: string, seed: number): Promise<void> {
  const { appliance } = world;
  await using disk = await new Disk(program_, appliance.folder, seed).ready();
  appliance.command = disk.command(program);
  const { http } = await appliance.serve();
  const tellers = new Tellers(http, world);
  await Bun.sleep(LIFE);
  await disk.fail("full");
  await Bun.sleep(FULL);
  await disk.heal();
  await Bun.sleep(FULL);
  await appliance.stop();
  await tellers.goHome();
  appliance.command = [program];
}

/** The last life: what was not answered is told until it is; then all is looked at. */
async function settle(world: World) {
  const { appliance, ledger } = world;
  const at = await appliance.serve();
  await new Tellers(at.http, world, { isLast: true }).end();
  const database = join(appliance.folder, "data/gatehouse.db");
  const found = bookedFaults(database, ledger.tellings, { price: PRICE, firstEnded: RUNNING + 1 });
  const faults = [...found.faults, ...(await loginFaults(at, found.renewed))];
  faults.push(...(await checkFaults(appliance)));
  if ((await appliance.stop()) !== 0) faults.push("it does not stop in order");
  return { ...found, faults };
}

/** Whoever's service runs or was renewed is let in, and nobody else. */
async function loginFaults(at: Addresses, renewed: ReadonlySet<number>): Promise<string[]> {
  const faults: string[] = [];
  const client = clientOf(at);
  for (let id = 1; id <= SUBSCRIBERS; id++) {
    const login = { name: `user${id}`, password: `pw-${id}`, method: "pap" } as const;
    const reply = await client.access(login, 12_000);
    const shouldBe = id <= RUNNING || renewed.has(id) ? "Access-Accept" : "Access-Reject";
    if (reply?.code !== shouldBe) faults.push(`user${id} got ${reply?.code} in place of ${shouldBe}`);
  }
  await client.close();
  return faults;
}
