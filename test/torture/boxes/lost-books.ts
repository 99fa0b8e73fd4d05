import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Notes } from "../notes.ts";
import { checkFaults } from "../soundness.ts";
import { authorization, Network, Server } from "./network.ts";
import { Routers } from "./routers.ts";

const SUBSCRIBERS = 40;

const Answer = Type.Object({
  success: Type.String(),
  payment: Type.Object({ id: Type.Integer(), number: Type.String(), amount: Type.Number() }),
});

interface Paid {
  readonly id: number;
  readonly number: string;
  readonly user: number;
  /** Cents. */
  readonly amount: number;
}

interface Books {
  readonly count: number;
  /** At which payments are taken all the time. */
  readonly tills: number;
  /** Milliseconds between the backup and the end of the machine, at the most. */
  readonly life: number;
  /** One that is up, and is of no use afterwards, in place of one of its own for each time. */
  readonly network?: Network;
  readonly draw: () => number;
  readonly log: (line: string) => void;
}

/** The machine of the books is lost with its store at any moment; its last backup goes on on another one, with all that was acknowledged since. */
export async function losePrimary(notes: Notes, primary: Books): Promise<void> {
  const { count, log } = primary;
  const sum = { acknowledged: 0, onlyHere: 0, logins: 0 };
  for (let nth = 0; nth < count; nth++) {
    const one = await loseOnce(notes, primary);
    sum.acknowledged += one.acknowledged;
    sum.onlyHere += one.onlyHere;
    sum.logins += one.logins;
    if ((nth + 1) % 10 === 0) log(`${nth + 1} machines of the books lost`);
  }
  notes.figure(
    `payments lost, or booked twice, where the machine of the books is lost ${count} times, and its last backup goes on on another one`,
    `none of ${sum.acknowledged} that the other machine had acknowledged; ${sum.onlyHere} were answered as only on this box; ${sum.logins} logins meanwhile`,
  );
}

async function loseOnce(notes: Notes, entered: Books) {
  const { draw, tills, life } = entered;
  await using own = entered.network ? undefined : await Network.open(SUBSCRIBERS);
  const network = entered.network ?? own;
  if (!network) throw new Error("no network");
  const { primary, nats } = network;
  notes.expect(await network.until(() => network.isPublished()), "boxes never heard of the subscribers");
  await primary.run(["settings", "set", "money_waits", "true"]);
  const backup = join(primary.appliance.folder, "copy.db");
  await primary.run(["backup", backup]);
  const paid: Paid[] = [];
  let onlyHere = 0;
  const shift = { isOver: false };
  const till = async (which: number) => {
    for (let nth = 0; !shift.isOver; nth++) {
      const [user, amount] = [((nth * tills + which) % SUBSCRIBERS) + 1, 100 + nth];
      const answer = await take(primary, user, amount);
      if (answer === undefined) continue;
      if (answer.success.includes("only on this box")) onlyHere++;
      else paid.push({ id: answer.payment.id, number: answer.payment.number, user, amount });
    }
  };
  const working = Promise.all(Array.from({ length: tills }, (_, which) => till(which)));
  if (draw() < 0.3) {
    await nats.kill();
    await Bun.sleep((life / 2) * draw());
    await nats.up();
  }
  await Bun.sleep(life * draw());
  await primary.kill();
  shift.isOver = true;
  await working;

  const fresh = new Server("new books", { GATEHOUSE_NATS_URL: nats.url });
  try {
    await using routers = new Routers(network, "84");
    notes.expect(await routers.comesTo(true, 1, 0), "a box lets nobody in while there are no books");
    await fresh.run(["restore", backup, "--key", join(primary.appliance.folder, "data/secret.key")]);
    await fresh.run(["box", "promote"], "the other one is off\n");
    await fresh.run(["recover"], "yes\n");
    compare(fresh, notes, paid);
    await fresh.start();
    const next = await take(fresh, 1, 100);
    const known = new Set(paid.map(({ number }) => number));
    notes.expect(
      next !== undefined && !known.has(next.payment.number),
      "a receipt number is given out twice",
    );
    fresh.change("UPDATE subscribers SET status = 0 WHERE id = 2");
    const [node] = network.boxes;
    notes.expect(
      await network.until(
        () => node?.one<{ status: number }>("SELECT status FROM subscribers WHERE id = 2").status === 0,
      ),
      "a box does not follow the new books",
    );
    // once they are joined: what stands of NATS in the backup is of the machine that is lost
    let faults: readonly string[] = [];
    await network.until(async () => (faults = await checkFaults(fresh.appliance)).length === 0);
    for (const fault of faults) notes.fault(`after the recovery ${fault}`);
    await primary.start(); // its machine has come back
    notes.expect(
      primary.addresses.radius_auth === "",
      "books that were replaced answer routers when they start",
    );
    notes.expect((await take(primary, 1, 100)) === undefined, "books that were replaced take a payment");
    return { acknowledged: paid.length, onlyHere, logins: routers.logins };
  } finally {
    await fresh.close();
  }
}

/** Undefined where nothing was answered. */
async function take({ addresses }: Server, user: number, amount: number) {
  try {
    const response = await fetch(`http://${addresses.http}/api/v1/payment/take`, {
      method: "POST",
      headers: { authorization },
      body: new URLSearchParams({ user_id: String(user), amount: (amount / 100).toFixed(2), method: "cash" }),
    });
    const answer: unknown = await response.json();
    return response.ok ? Value.Parse(Answer, answer) : undefined;
  } catch {
    return undefined;
  }
}

/** Each payment that was acknowledged once, as it was. */
function compare(fresh: Server, notes: Notes, paid: readonly Paid[]): void {
  const found = new Map(
    fresh
      .rows<Paid>("SELECT id, number, subscriber_id AS user, amount FROM payments")
      .map((payment) => [payment.id, payment]),
  );
  const numbers = new Set([...found.values()].map(({ number }) => number));
  notes.expect(numbers.size === found.size, "two payments have one receipt number");
  for (const payment of paid) {
    const there = found.get(payment.id);
    notes.expect(there !== undefined, "a payment that the other machine had acknowledged is lost");
    notes.expect(
      !there ||
        (there.number === payment.number && there.user === payment.user && there.amount === payment.amount),
      "a payment came back as another one",
    );
  }
}
