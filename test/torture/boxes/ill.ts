import { cpSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Clocks } from "../clocks.ts";
import { mountSmall, unmount, writeUntilFull } from "../ill-disk/full-disk.ts";
import type { Notes } from "../notes.ts";
import { Network, type Server } from "./network.ts";
import { Routers } from "./routers.ts";
import { diskFolder } from "../../support/disk.ts";

const SUBSCRIBERS = 40;
/** Seconds that the begin of a session may be away from the moment it was told. */
const NEAR = 60;
/** Records until a full disk has to have refused one. */
const MOST_RECORDS = 20_000;

/** All data of nats-server is lost, the disk of a box is full, its clock stands in 1970: logins go on, and each is said. */
export async function illBoxes(notes: Notes): Promise<void> {
  await using network = await Network.open(SUBSCRIBERS);
  notes.expect(await network.until(() => network.isPublished()), "boxes never heard of the subscribers");
  await using routers = new Routers(network, "90");
  const [tower] = network.boxes;
  if (!tower) throw new Error("no box");
  const ill: Ill = { network, tower, routers, notes };
  await forgottenByNats(ill);
  const isFilled = await fullDisk(ill);
  await wrongClock(ill);
  const disk = isFilled ? "its disk is full" : "(its disk could not be filled here)";
  notes.figure(
    `the data of nats-server is lost while a box is cut off, ${disk}, and its clock stands in 1970`,
    `each said in words, nobody forgotten: ${routers.logins} logins and ${routers.answered} records answered`,
  );
}

interface Ill {
  readonly network: Network;
  readonly tower: Server;
  readonly routers: Routers;
  readonly notes: Notes;
}

/** What a box answers to whoever watches it: status, health and page. */
async function healthText({ addresses }: Server): Promise<string> {
  const answers = ["healthz", ""].map(async (path) => fetch(`http://${addresses.http}/${path}`));
  const [health, page] = await Promise.all(answers);
  return `${health?.status} ${await health?.text()} ${await page?.text()}`;
}

/** Waits until a box says something of itself. */
async function reports(server: Server, words: RegExp): Promise<boolean> {
  for (const end = performance.now() + 60_000; performance.now() < end; await Bun.sleep(100))
    if (words.test(await healthText(server))) return true;
  return false;
}

async function expectLogins({ routers, notes }: Ill, when: string): Promise<void> {
  for (let user = 1; user <= SUBSCRIBERS; user++)
    notes.expect(await routers.login(user, 0), `somebody is let in no more ${when}`);
}

async function forgottenByNats(ill: Ill): Promise<void> {
  const { network, tower, notes } = ill;
  const { nats, primary } = network;
  notes.expect(await reports(tower, /hears its books, and logs in/), "a box does not hear its books");
  await nats.kill();
  notes.expect(await reports(tower, /^200 .*cut off/s), "a box that is cut off does not say so");
  nats.loseStore();
  await nats.up();
  await expectLogins(ill, "after the data of nats-server is lost");
  const status = () => tower.one<{ status: number }>("SELECT status FROM subscribers WHERE id = 1").status;
  for (const expected of [0, 1]) {
    primary.change("UPDATE subscribers SET status = ? WHERE id = 1", expected);
    notes.expect(
      await network.until(() => status() === expected),
      "no change is heard of after the data of nats-server is lost",
    );
  }
  notes.expect(network.isPublished(), "a box has forgotten somebody with the data of nats-server");
  notes.expect(await reports(tower, /hears its books, and logs in/), "a box does not hear its books again");
}

/** Returns false where this user may not mount a file system. */
async function fullDisk(ill: Ill): Promise<boolean> {
  const { network, tower, routers, notes } = ill;
  const data = join(tower.appliance.folder, "data");
  const kept = `${data}-kept`;
  await tower.kill();
  renameSync(data, kept);
  cpSync(kept, data, { recursive: true });
  if (!(await mountSmall(data, "48m"))) {
    await tower.start();
    return false;
  }
  try {
    cpSync(kept, data, { recursive: true });
    await tower.start();
    const session = routers.begin(1, 0);
    notes.expect(await routers.report(session, "Start", tower), "no record is taken before the disk is full");
    const ballast = join(data, "ballast");
    writeUntilFull(ballast);
    let isRefused = false;
    for (let sent = 0; !isRefused && sent < MOST_RECORDS; sent++)
      isRefused = !(await routers.report(session, "Interim-Update", tower));
    notes.expect(isRefused, `${MOST_RECORDS} records were acknowledged on a full disk`);
    await expectLogins(ill, "where the disk of a box is full");
    notes.expect(await reports(tower, /"disk: /), "a box does not say that its disk is full");
    rmSync(ballast);
    let isTaken = false;
    for (const end = performance.now() + 60_000; !isTaken && performance.now() < end;)
      isTaken = await routers.report(session, "Interim-Update", tower);
    notes.expect(isTaken, "no record is taken when the disk has room again");
    notes.expect(await network.until(() => network.waiting === 0), "what a full disk kept did not come home");
    const { octets } = network.primary.one<{ octets: number }>(
      "SELECT input_octets AS octets FROM sessions WHERE acct_session_id = ?",
      session.id,
    );
    notes.expect(octets === session.octets, `${octets} bytes in the books of ${session.octets}`);
    await tower.kill();
    cpSync(data, kept, { recursive: true });
  } finally {
    await tower.kill();
    await unmount(data);
  }
  rmSync(data, { recursive: true, force: true });
  renameSync(kept, data);
  await tower.start();
  return true;
}

async function wrongClock(ill: Ill): Promise<void> {
  const { network, tower, routers, notes } = ill;
  const folder = mkdtempSync(join(diskFolder(), "gatehouse-torture-"));
  try {
    const clocks = await Clocks.open(folder, 60);
    await tower.kill();
    await tower.start(clocks.env);
    await expectLogins(ill, "where the clock of a box stands in 1970");
    notes.expect(await reports(tower, /"clock: /), "a box does not say that its clock is wrong");
    const session = routers.begin(2, 0);
    const now = Math.floor(Date.now() / 1000);
    notes.expect(await routers.report(session, "Start", tower), "a box with a wrong clock takes no record");
    notes.expect(
      await network.until(() => network.waiting === 0),
      "what a box with a wrong clock kept did not come home",
    );
    const { at } = network.primary.one<{ at: number }>(
      "SELECT started_at AS at FROM sessions WHERE acct_session_id = ?",
      session.id,
    );
    notes.expect(Math.abs(at - now) <= NEAR, `a session began ${at - now} s away from when it was told`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
