import { nameOf } from "./grants.ts";
import type { Granted } from "./model.ts";
import type { Row } from "./sessions.ts";
import { historyOf } from "./traffic.ts";
import { note, type World } from "./world.ts";

/** What the product asked a router to do, as it should be seen there. */
interface Request {
  readonly row: Row;
  /** What it is granted; null: it is ended. */
  readonly granted: Granted | null;
  /** The session was lost at the same time, so that it may have gone without being asked. */
  readonly isOptional: boolean;
}

/**
 * What the product has to do by itself at this moment: close what was lost, end or slow down what has run out. Waits until
 * it is done, and holds every request to a router against what should have been asked.
 */
export async function settle(world: World): Promise<void> {
  const { box, model, subscribers, counts, routers, faults } = world;
  const lost = new Set(model.lost(box.now));
  const requests: Request[] = [];
  for (const subscriber of subscribers)
    for (const { row, granted } of model.due(subscriber, box.now))
      requests.push({ row, granted, isOptional: lost.has(row) });
  for (const row of model.open)
    if (row.session.card && model.cards.isOver(row.session.card, box.now))
      requests.push({ row, granted: null, isOptional: lost.has(row) });
  if (requests.length + lost.size === 0) return checkRequests(world, []);

  const changes = new Set<string>();
  for (const { row, granted, isOptional } of requests) {
    note(world, row.holder, `${granted ? `rate ${granted.rate}` : "disconnect"} of ${row.session.id}`);
    if (isOptional) continue;
    const isThere = isAt(world, row);
    if (granted === null || !isThere) close(world, row, isThere && granted === null);
    else {
      row.granted = granted;
      if (isFair(row.holder)) counts.rates++;
      else {
        changes.add(row.holder);
        counts.slowed++;
      }
    }
  }
  world.applied += changes.size;
  const both = requests.filter(({ isOptional }) => isOptional).map(({ row }) => row);
  for (const row of lost) {
    note(world, row.holder, `${row.session.id} lost`);
    if (!both.includes(row)) model.close(row, row.updated, "lost", "lost");
    counts.lost++;
  }
  const isDone = await box.eventually(
    () => isAsExpected(world, both.length) && wereRequested(world, requests),
    () => stateOf(world),
  );
  if (!isDone) {
    world.isStuck = true;
    const rows = openRows(world);
    const open = [...model.open].map(
      ({ session }) => `${session.card?.name ?? session.username} ${session.id}`,
    );
    const more = rows.filter((row) => !open.includes(row));
    const less = open.filter((row) => !rows.includes(row));
    const [first] = requests;
    faults.push(
      `sessions that have run out or are lost were not dealt with: open beyond the model ${more.join(", ")}, missing ${less.join(", ")}; ${first ? historyOf(world, first.row.holder) : ""}`,
    );
  }
  world.applied = appliedIn(world);
  const seen = new Set(wordsOfRequests(world).map(({ words }) => words));
  for (const one of requests)
    if (one.isOptional && one.granted && seen.has(wordsOf(one)) && isAt(world, one.row))
      one.row.granted = one.granted;
  for (const row of both) adopt(world, row);
  checkRequests(world, requests);
  await Promise.all(routers.map(({ client }) => client.status("acct")));
}

/** Whether its router has a session, or had it until it was asked to end it. */
export function isAt(world: World, { session }: Row): boolean {
  const router = world.routers.find(({ address }) => address === session.router);
  const key = `${session.username} ${session.id}`;
  return router !== undefined && (router.live.has(key) || router.acknowledged.has(key));
}

/** The router has ended it, or knows of no such session. */
export function close(world: World, row: Row, isThere: boolean): void {
  const { model, box, counts } = world;
  model.close(row, Math.max(box.now, row.started), "disconnect", isThere ? "Admin-Reset" : "lost");
  counts.ended++;
}

/** Requests are answered, and their outcomes are in the books. `unsure`: sessions that the model has open and may be. */
function isAsExpected(world: World, unsure: number): boolean {
  const [row] = world.box.rows<{ count: number }>(
    "SELECT count(*) AS count FROM sessions WHERE stopped_at IS NULL",
  );
  return row?.count === world.model.open.size - unsure && appliedIn(world) >= world.applied;
}

/** Changes whenever the product, or a router, does something. */
function stateOf(world: World): string {
  const requests = world.routers.map(({ nas }) => nas.requests.length);
  return [openRows(world).length, appliedIn(world), ...requests].join(" ");
}

function appliedIn({ box }: World): number {
  const [row] = box.rows<{ count: number }>(
    "SELECT count(*) AS count FROM audit_entries WHERE action = 'subscriber.apply'",
  );
  return row?.count ?? 0;
}

function openRows({ box }: World): string[] {
  return box
    .rows<{ name: string }>(
      "SELECT username || ' ' || acct_session_id AS name FROM sessions WHERE stopped_at IS NULL",
    )
    .map(({ name }) => name);
}

/** A session that ran out and was lost at once: either may have come first. */
function adopt(world: World, row: Row): void {
  const [is] = world.box.rows<{ closedBy: string | null }>(
    "SELECT closed_by AS closedBy FROM sessions WHERE acct_session_id = ? AND started_at = ? AND username = ?",
    ...[row.session.id, row.started, row.session.card?.name ?? row.session.username],
  );
  if (is?.closedBy === "disconnect") close(world, row, false);
  else world.model.close(row, row.updated, "lost", "lost");
}

/** A request in words. */
const wordsOf = ({ granted, row: { session, ip } }: Request) =>
  `${granted ? `rate ${granted.rate}` : "disconnect"} ${session.card?.name ?? session.username} ${session.id} ${ip} at ${session.router}`;

/**
 * What a router was asked, in the same words; a request that came again counts once. Of a card it is asked by the code, and where it
 * has that in another writing, without a name.
 */
function wordsOfRequests({ routers, model }: World): { words: string; name: string }[] {
  return routers.flatMap(({ nas, address }) => {
    const requests = new Map(nas.requests.map((one) => [one.bytes.toString("hex"), one]));
    return [...requests.values()].map(({ code, attributes }) => {
      const value = (type: number) => Buffer.from(attributes.find(([one]) => one === type)?.[1] ?? "", "hex");
      const end = value(27).length === 4 ? `end after ${value(27).readUInt32BE()}` : undefined;
      const what = code === 40 ? "disconnect" : (end ?? `rate ${value(26).subarray(6)}`);
      const sent = value(1).toString();
      const name =
        model.cards.byCode.get(sent)?.name ?? (sent === "" ? cardAt(model, address, value(44)) : sent);
      return { words: `${what} ${name} ${value(44)} ${value(8).join(".")} at ${address}`, name };
    });
  });
}

function wereRequested(world: World, requests: readonly Request[]): boolean {
  const seen = new Set(wordsOfRequests(world).map(({ words }) => words));
  return requests.every((one) => one.isOptional || seen.has(wordsOf(one)));
}

/**
 * Every request to a router must have been due, and every one that was due must have been made. It may be made again: two who want the same
 * may ask at one moment, and who had no answer in time asks once more.
 */
function checkRequests(world: World, requests: readonly Request[]): void {
  const { routers, faults } = world;
  const due = requests.map((one) => ({ words: wordsOf(one), isOptional: one.isOptional }));
  const made = new Set<string>();
  for (const { words, name } of wordsOfRequests(world)) {
    const found = due.findIndex((one) => one.words === words);
    if (found >= 0) due.splice(found, 1);
    else if (!made.has(words) && !isRightEnd(world, words, name) && !isPassing(world, words, name))
      faults.push(`a router was asked for what was not due: ${words}; ${historyOf(world, holderOf(name))}`);
    made.add(words);
  }
  for (const { nas, address, acknowledged } of routers) {
    acknowledged.clear();
    nas.requests.splice(0);
    if (nas.forged > 0) faults.push(`${nas.forged} requests to ${address} were not signed with its secret`);
  }
  for (const { words, isOptional } of due) if (!isOptional) faults.push(`a router was never asked: ${words}`);
}

/** Whose rates change by the clock and by use. */
const isFair = (holder: string) => /^user\d+$/.test(holder) && Number(holder.slice(4)) % 5 === 0;

/** Of two reports at once the first may reach a tier, and the second the next one: what is told last counts. */
function isPassing({ fairPackage }: World, words: string, name: string): boolean {
  const rates = fairPackage.fair?.tiers.map(({ rate }) => rate) ?? [];
  return isFair(holderOf(name)) && rates.some((rate) => words.startsWith(`rate ${rate} `));
}

/** A session of somebody whose service has been renewed meanwhile may be told its new end, and no other one. */
function isRightEnd({ model, subscribers }: World, words: string, name: string): boolean {
  const [, seconds, id] = /^end after (\d+) \S+ (\S+) /.exec(words) ?? [];
  const holder = holderOf(name);
  const until = subscribers.find((one) => nameOf(one) === holder)?.service?.until;
  return model.rows.some(
    ({ holder: whose, session, started }) =>
      whose === holder && session.id === id && until === started + Number(seconds),
  );
}

/** Of a name as it is sent: user7, USER7, isp\\user7. */
const holderOf = (name: string) => (name.startsWith("C-") ? name : `user${/\d+$/.exec(name)?.[0]}`);

/** Whose card's session has this id there. */
function cardAt({ rows }: World["model"], address: string, id: Buffer): string {
  const row = rows.findLast(({ session }) => session.router === address && session.id === id.toString());
  return row?.session.card?.name ?? "nobody";
}
