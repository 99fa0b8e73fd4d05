import type { Notes } from "../notes.ts";
import { authorization, type Network } from "./network.ts";
import { compareSessions, endAll } from "./kills.ts";
import { Routers } from "./routers.ts";

const WORKERS = 8;
/** Seconds within which boxes must have heard, and ended, what changed meanwhile. */
const SOON = 30_000;
/** Bytes of the subscriber who uses up its data while its box is cut off. */
const QUOTA = 20_000;

interface CutOff {
  readonly seconds: number;
  /** Accounting records a second. */
  readonly rate: number;
  readonly subscribers: number;
}

/**
 * nats-server is away; boxes go on answering and keep what they are told. Meanwhile one subscriber is renewed, one disabled, and one uses
 * up its data.
 */
export async function cutOff(
  network: Network,
  notes: Notes,
  { seconds, rate, subscribers }: CutOff,
): Promise<void> {
  await using routers = new Routers(network, "82");
  const { primary, boxes } = network;
  const [tower] = boxes;
  const nats = network.parts.at(-1);
  if (!tower || !nats) throw new Error("no box");
  const before = primary.rows<{ id: string; octets: number }>(
    "SELECT acct_session_id AS id FROM sessions",
  ).length;
  const [disabled, renewed, greedy] = [subscribers - 2, subscribers - 1, subscribers];
  primary.change("UPDATE services SET expires_at = unixepoch() - 60 WHERE subscriber_id = ?", renewed);
  primary.change(
    "UPDATE services SET quota_used = 0, quota_total = ?, quota_exceeded = 'reject' WHERE subscriber_id = ?",
    QUOTA,
    greedy,
  );
  await network.until(() =>
    boxes.every(
      (node) =>
        node.one<{ total: number }>(
          "SELECT quota_total AS total FROM services WHERE subscriber_id = ?",
          greedy,
        ).total === QUOTA,
    ),
  );
  notes.expect(!(await routers.login(renewed, 0)), "a box let in somebody whose service had run out");
  notes.expect(await routers.comesTo(true, disabled, 0), "a box refused somebody before they were disabled");
  const usedBefore = primary.one<{ used: number }>(
    "SELECT ifnull(sum(input_octets), 0) AS used FROM usage_days",
  ).used;

  await nats.kill();
  const began = performance.now();
  const end = began + seconds * 1000;
  const greedySession = routers.begin(greedy, 0);
  await routers.report(greedySession, "Start", tower);
  const every = (WORKERS * 1000) / rate;
  const work = async (worker: number) => {
    const node = boxes[worker % boxes.length];
    if (!node) return;
    const own = [0, 1, 2, 3].map((nth) =>
      routers.begin(((worker * 4 + nth) % (subscribers - 3)) + 1, worker % 2),
    );
    for (const session of own) await routers.report(session, "Start", node);
    for (let nth = 0, due = performance.now(); performance.now() < end; nth++, due += every) {
      const session = own[nth % own.length];
      if (session) await routers.report(session, "Interim-Update", node);
      const wait = due - performance.now();
      if (wait > 0) await Bun.sleep(wait);
    }
  };
  const change = async () => {
    await Bun.sleep((end - performance.now()) / 3);
    const headers = { authorization };
    const paid = await fetch(`http://${primary.addresses.http}/api/v1/activation/activate`, {
      method: "POST",
      headers,
      body: new URLSearchParams({ user_id: String(renewed), package_id: "1" }),
    });
    notes.expect(paid.status === 200, `the renewal at the books was answered with ${paid.status}`);
    primary.change("UPDATE subscribers SET status = 0 WHERE id = ?", disabled);
    for (let used = 0; used <= QUOTA; used += 1000)
      await routers.report(greedySession, "Interim-Update", tower);
    notes.expect(
      await routers.comesTo(false, greedy, 0),
      "a box that is cut off let in somebody who has used up its data there",
    );
  };
  await Promise.all([change(), ...Array.from({ length: WORKERS }, (_, worker) => work(worker))]);
  const { waiting } = network;
  notes.expect(waiting >= routers.answered * 0.9, "boxes that are cut off have not kept what they were told");
  notes.expect(
    primary.one<{ count: number }>("SELECT count(*) AS count FROM sessions").count === before,
    "the books have heard of what was told to boxes that are cut off",
  );
  await tower.kill(); // and it starts again while it is cut off
  await tower.start();
  notes.expect(
    await routers.comesTo(true, 1, 0),
    "a box that started again while it is cut off lets nobody in",
  );

  const back = performance.now();
  await nats.start();
  notes.expect(
    await network.until(() => network.waiting === 0, SOON + seconds * 1000),
    "what boxes kept did not come home when they were heard again",
  );
  const home = performance.now() - back;
  const open = primary.one<{ count: number }>(
    "SELECT count(*) AS count FROM sessions WHERE stopped_at IS NOT NULL AND closed_by <> 'stop'",
  ).count;
  notes.expect(open === 0, `${open} sessions at boxes that were cut off are shown offline`);
  notes.expect(
    await routers.comesTo(true, renewed, 0, SOON),
    "a box still refuses who was renewed while it was cut off",
  );
  notes.expect(
    await routers.comesTo(false, disabled, 0, SOON),
    "a box still lets in who was disabled while it was cut off",
  );
  await endAll(routers, notes);
  await network.until(() => network.waiting === 0);
  const used = primary.one<{ used: number }>(
    "SELECT quota_used AS used FROM services WHERE subscriber_id = ?",
    greedy,
  ).used;
  notes.expect(
    used === greedySession.octets,
    `of its data ${used} bytes count, and its router has counted ${greedySession.octets}`,
  );
  compareSessions(network, notes, routers.sessions, usedBefore);
  notes.figure(
    `two boxes cut off for ${seconds} s, in which one subscriber is renewed, one disabled and one uses up its data, and a box is killed`,
    `all ${routers.answered} records in the books, each once, ${(home / 1000).toFixed(1)} s after they were heard again; nobody shown offline`,
  );
}
