import { authorization, dataSet, SECRET } from "../../scripts/bench.d/data-set.ts";
import { type Addresses, radiusAt } from "../support/appliance.ts";
import { newSubscriber } from "../support/isp.ts";
import { RadiusClient } from "../support/radius-client.ts";
import { type Books, inputAt, LAST_RECORD } from "./books.ts";

/** Subscribers that are active from the start, and those that wait for their activation. */
export const ACTIVE = 100;
const WAITING = 3000;
const ROUTERS = 12;
const DEVICES = 2;
const PATIENCE = 3000;

/** The ISP of the trials, in the import format. */
export function torturedIsp({ waiting = WAITING } = {}): string {
  const data = JSON.parse(dataSet(ACTIVE));
  data.packages[0].simultaneous_use = 1000; // a few subscribers log in for all
  const more = Array.from({ length: waiting }, (_, index) => newSubscriber(ACTIVE + 1 + index));
  return JSON.stringify({ ...data, subscribers: [...data.subscribers, ...more] });
}

export function clientOf(at: Addresses): RadiusClient {
  return new RadiusClient({ ...radiusAt(at), secret: SECRET, timeout: PATIENCE });
}

/** Routers that report sessions and staff that activates, as fast as they are answered, until they are told to stop. */
export class Traffic {
  readonly client: RadiusClient;
  readonly #at: Addresses;
  readonly #books: Books;
  readonly #work: Promise<void>[];
  #isOver = false;
  #hasPower = true;

  constructor(at: Addresses, books: Books, { staff = 2 } = {}) {
    this.#at = at;
    this.#books = books;
    this.client = clientOf(at);
    this.#work = [
      ...Array.from({ length: ROUTERS }, () => this.#report()),
      ...Array.from({ length: staff }, () => this.#activate()),
      ...Array.from({ length: DEVICES }, () => this.#useCards()),
    ];
  }

  /** Nobody is there any more to answer what is under way. */
  async powerFailed(): Promise<void> {
    this.#hasPower = false;
    this.#isOver = true;
    await this.client.close();
    await Promise.all(this.#work);
  }

  /** Begins nothing new, and waits for the answers. */
  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#work);
    if (this.#hasPower) await this.client.close();
  }

  async #report(): Promise<void> {
    const { sessions } = this.#books;
    while (!this.#isOver) {
      const number = sessions.size;
      const session = { user: (number % ACTIVE) + 1, sent: -1, acknowledged: -1 };
      const id = `81${number.toString(16).padStart(6, "0")}`;
      sessions.set(id, session);
      for (let record = 0; record <= LAST_RECORD && !this.#isOver; record++) {
        const prepared = this.client.prepareAccounting(statusOf(record), [
          ["User-Name", `user${session.user}`],
          ["Acct-Session-Id", id],
          ["NAS-Port", number],
          ["Acct-Session-Time", record * 300],
          ["Acct-Input-Octets", inputAt(record)],
          ["Acct-Output-Octets", 10 * inputAt(record)],
        ]);
        session.sent = record;
        if (!(await this.client.exchange(prepared))) {
          this.#books.unacknowledged.push({ session: id, record, prepared });
          break;
        }
        session.acknowledged = record;
      }
    }
  }

  /** Each card logs in once, and begins a session: the power fails before, between and after. */
  async #useCards(): Promise<void> {
    const { cards, sessions, unacknowledged } = this.#books;
    while (!this.#isOver) {
      const card = cards.find(({ isAsked }) => !isAsked);
      if (!card) return;
      card.isAsked = true;
      const reply = await this.client.access({ name: card.code, password: card.code, method: "pap" });
      if (reply?.code !== "Access-Accept") continue;
      const id = `82${card.id.toString(16).padStart(6, "0")}`;
      const prepared = this.client.prepareAccounting("Start", [
        ["User-Name", card.code],
        ["Acct-Session-Id", id],
        ["NAS-Port", 1_000_000 + card.id],
      ]);
      const session = { user: 0, sent: 0, acknowledged: -1 };
      sessions.set(id, session);
      card.session = id;
      if (await this.client.exchange(prepared)) session.acknowledged = 0;
      else unacknowledged.push({ session: id, record: 0, prepared });
    }
  }

  async #activate(): Promise<void> {
    const { activations } = this.#books;
    while (!this.#isOver) {
      const id = ACTIVE + 1 + activations.size;
      activations.set(id, "asked");
      const status = await activate(this.#at, id);
      if (status === 200) activations.set(id, "promised");
      await Bun.sleep(5); // so that there is somebody left to activate
    }
  }
}

function statusOf(record: number): "Start" | "Interim-Update" | "Stop" {
  return record === 0 ? "Start" : record === LAST_RECORD ? "Stop" : "Interim-Update";
}

/** The status of the answer; undefined when there is none. */
export async function activate({ http }: Addresses, id: number): Promise<number | undefined> {
  try {
    const response = await fetch(`http://${http}/api/v1/activation/activate`, {
      method: "POST",
      headers: { authorization },
      body: new URLSearchParams({ user_id: String(id), package_id: "1" }),
      signal: AbortSignal.timeout(PATIENCE * 2),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return undefined; // the power failed meanwhile
  }
}

/** What routers do when they hear nothing: the same records again, until they are acknowledged. Returns how many never were. */
export async function sendAgain(at: Addresses, books: Books): Promise<number> {
  const left: Books["unacknowledged"] = [];
  const waiting = books.unacknowledged;
  const work = async () => {
    const client = clientOf(at); // of its own: records of different times may have one identifier
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { prepared, session, record } = next;
      const reply =
        (await client.exchange(prepared)) ??
        (await client.exchange(prepared)) ??
        (await client.exchange(prepared));
      const reported = books.sessions.get(session);
      if (reply && reported) reported.acknowledged = record;
      else left.push(next);
    }
    await client.close();
  };
  await Promise.all(Array.from({ length: ROUTERS }, work));
  books.unacknowledged = left;
  return left.length;
}
