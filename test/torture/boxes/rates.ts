import { rmSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { startGatehouse } from "../../../scripts/bench.d/gatehouse.ts";
import { compileLoad } from "../../../scripts/bench.d/load.ts";
import { writeTemplates } from "../../../scripts/bench.d/templates.ts";
import { portOf } from "../../support/appliance.ts";
import { median, type Notes, quantile } from "../notes.ts";
import { Network } from "./network.ts";
import { Routers } from "./routers.ts";
import { diskFolder } from "../../support/disk.ts";

/** Changes a second, and how many of them one transaction makes: a commit for each would keep the lock from everybody else. */
const CHANGES = 500;
const TOGETHER = 10;
/** Milliseconds between two logins that look for a change, and until it must be answered by. */
const LOOK = 10;
const WITHIN = 1000;
const SAMPLES = 20;

/** How long a change at the books takes until a box answers by it, while others change too. */
export async function changesAnswered(
  network: Network,
  notes: Notes,
  seconds: number,
  isMeasured: boolean,
): Promise<void> {
  await using routers = new Routers(network, "83");
  const { primary } = network;
  const delays: number[] = [];
  const end = performance.now() + seconds * 1000;
  const others = primary.one<{ count: number }>("SELECT count(*) AS count FROM subscribers").count - SAMPLES;
  let changed = 0;
  const looks: Promise<void>[] = [];
  const look = async (user: number, isOn: boolean) => {
    const began = performance.now();
    while (performance.now() - began < 20 * WITHIN) {
      const sent = performance.now();
      if ((await routers.login(user, 0)) === isOn) return void delays.push(sent - began);
      await Bun.sleep(LOOK);
    }
    notes.fault("a change at the books was not answered by at a box within 20 s");
  };
  const free = Array.from({ length: SAMPLES }, (_, index) => ({ user: index + 1, isOn: true }));
  for (let due = performance.now(); due < end; due += (1000 * TOGETHER) / CHANGES) {
    const wait = due - performance.now();
    if (wait > 1) await Bun.sleep(wait);
    const sample = free.shift();
    if (sample) sample.isOn = !sample.isOn;
    primary.changes(() => {
      for (let nth = sample ? 1 : 0; nth < TOGETHER; nth++)
        primary.change(
          "UPDATE subscribers SET status = 1 - status WHERE id = ?",
          SAMPLES + 1 + ((changed + nth) % others),
        );
      if (sample)
        primary.change("UPDATE subscribers SET status = ? WHERE id = ?", sample.isOn ? 1 : 0, sample.user);
    });
    changed += TOGETHER;
    if (sample) looks.push(look(sample.user, sample.isOn).then(() => void free.push(sample)));
  }
  const took = (performance.now() - end) / 1000 + seconds;
  await Promise.all(looks);
  primary.change("UPDATE subscribers SET status = 1 WHERE status = 0");
  const p99 = quantile(delays, 0.99);
  if (isMeasured)
    notes.expect(
      p99 < WITHIN,
      `a change at the books is answered by at a box after ${Math.round(p99)} ms (p99)`,
    );
  notes.figure(
    `a change at the books, answered by at a box, at ${Math.round(changed / took)} changes a second, ${TOGETHER} in a transaction`,
    `p50 ${Math.round(median(delays))} ms, p99 ${Math.round(p99)} ms of ${delays.length} looked for`,
  );
}

/** How long it takes until a box has everything, and what boxes cost the books. */
export async function costOfBoxes(
  notes: Notes,
  { subscribers, rounds, log }: { subscribers: number; rounds: number; log: (line: string) => void },
): Promise<void> {
  const folder = mkdtempSync(join(diskFolder(), "gatehouse-boxes-"));
  try {
    const load = await compileLoad(folder);
    const templates = await writeTemplates(folder, 5000);
    const began = performance.now();
    await using network = await Network.open(subscribers);
    const started = network.startedAt;
    notes.expect(
      await network.until(() => network.isPublished(), 300_000),
      "a box never had all subscribers",
    );
    const whole = (performance.now() - started) / 1000;
    log(`${subscribers} after ${whole.toFixed(1)} s, set up in ${((started - began) / 1000).toFixed(1)} s`);
    notes.figure(
      `${subscribers} subscribers published, and read and written by two boxes`,
      `${whole.toFixed(1)} s from the start of the books`,
    );
    const alone = await startGatehouse(subscribers);
    try {
      const at = network.primary.addresses;
      const targets = [
        { pap: alone.port, accounting: alone.acctPort ?? 0 },
        { pap: portOf(at.radius_auth), accounting: portOf(at.radius_acct) },
      ];
      const first = { pap: 0, accounting: 0 };
      for (const work of ["pap", "accounting"] as const) {
        const rates: [number[], number[]] = [[], []];
        for (let round = 0; round <= rounds; round++)
          for (const [index, target] of targets.entries()) {
            const outcome = await load({
              port: target[work],
              templates: templates[work],
              seconds: 3,
              warmup: 0.5,
              drive: { inflight: 32 },
              first: first[work],
            });
            first[work] = outcome.next;
            if (round > 0) rates[index]?.push(outcome.rate); // the first is for warming up
          }
        const [without, withBoxes] = [median(rates[0]), median(rates[1])];
        log(`${work}: ${rates.map((one) => one.map(Math.round).join(" ")).join(" against ")}`);
        notes.expect(withBoxes >= without * 0.9, `${work} at books with boxes is more than 10 % slower`);
        notes.figure(
          `${work === "pap" ? "PAP" : "accounting"} at the books without and with two boxes, in turns, medians of ${rounds}`,
          `${Math.round(without)} and ${Math.round(withBoxes)} a second`,
        );
      }
    } finally {
      await alone.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
