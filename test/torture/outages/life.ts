import { type Db, write } from "../../../db/open.ts";
import { recordDecisions } from "../../../src/domain/service/access/auth-log.ts";
import {
  AccountingWriter,
  type AccountingReport,
} from "../../../src/domain/service/accounting/accounting.ts";
import { closeLostSessions } from "../../../src/domain/service/sessions/sweep.ts";
import { sampleMinute } from "../../../src/domain/money/sums/minutes.ts";
import { by } from "../../support/isp.ts";
import { Clockwork } from "./clockwork.ts";
import type { Line, Router, Town } from "./town.ts";

const SILENT = { nasPort: null, nasPortType: null, nasIp: null, nasIdentifier: null, calledStationId: null };
const NO_PREFIX = { framedIpv6Prefix: null, delegatedIpv6Prefix: null, framedIp: null, localAddress: null };

/** The routers and lines of a town as time goes by, and what arrives of that in the books. */
export class Life {
  readonly db: Db;
  readonly town: Town;
  readonly draw: () => number;
  readonly clockwork = new Clockwork();
  now: number;
  /** When something last happened that a look might find. */
  stirredAt = 0;
  records = 0;
  readonly #accounting: AccountingWriter;
  readonly #since: number;
  #sessions = 0;

  constructor(db: Db, town: Town, { draw, now }: { draw: () => number; now: number }) {
    this.db = db;
    this.town = town;
    this.draw = draw;
    this.now = now;
    this.#since = now;
    this.#accounting = new AccountingWriter(db);
  }

  between(low: number, high: number): number {
    return low + Math.floor(this.draw() * (high - low));
  }

  /** Goes on to a moment, at the end of a minute with what the server does then. */
  async pass(until: number): Promise<void> {
    write(this.db, () => {
      this.clockwork.run(until);
    });
    this.now = until;
    if (until % 60 !== 0) return;
    sampleMinute(this.db, by, { carried: this.#accounting.carried.take() }, { now: until });
    if (until % 300 === 0) await closeLostSessions(this.db, by, { since: this.#since }, { now: until });
  }

  /** At a moment within the step under way. */
  at(at: number, work: () => void): void {
    this.clockwork.at(at, () => {
      this.now = at;
      work();
    });
  }

  dial(line: Line): void {
    const { router } = line;
    if (line.session || this.now < line.darkUntil) return;
    if (this.now < router.awayUntil) return this.at(this.now + this.between(20, 40), () => this.dial(line));
    line.session = { id: `S${++this.#sessions}`, from: this.now };
    recordDecisions(this.db, [
      {
        at: this.now,
        nasId: router.id,
        nasAddress: router.address,
        username: `user${line.id}`,
        subscriberId: line.id,
        accepted: true,
        reason: "accepted",
        method: "pap",
        mac: macOf(line),
        class: null,
      },
    ]);
    this.#report(line, "start");
    this.#expectUpdate(line, this.now + router.interim);
  }

  /** The session ends; it cannot dial before `until`, and does within seconds then. The end of one of thirty is never told. */
  end(line: Line, cause: string, until: number): void {
    line.darkUntil = Math.max(line.darkUntil, until);
    this.at(line.darkUntil + this.between(3, 12), () => this.dial(line));
    if (!line.session) return;
    if (this.draw() > 0.03) this.#report(line, "stop", cause);
    line.session = undefined;
    this.stirredAt = this.now;
  }

  /** A router loses its power: its sessions are over, and nobody hears of it before it is back. */
  restart(router: Router, until: number): void {
    router.awayUntil = until;
    for (const line of this.town.lines) {
      if (line.router !== router) continue;
      line.session = undefined;
      this.at(until + this.between(10, 120), () => this.dial(line));
    }
    this.at(until, () =>
      this.#book({ kind: "restart", restart: { status: "on", at: this.now, nasAddress: router.address } }),
    );
  }

  /** Nothing of a router arrives, which goes on all the same. */
  cutOff(router: Router, until: number): void {
    router.awayUntil = until;
  }

  #expectUpdate(line: Line, at: number): void {
    const { session } = line;
    this.at(at, () => {
      if (session === undefined || line.session !== session) return;
      this.#report(line, "interim");
      this.#expectUpdate(line, at + line.router.interim);
    });
  }

  #report(line: Line, status: "start" | "interim" | "stop", terminateCause?: string): void {
    const { router, session } = line;
    if (!session || this.now < router.awayUntil) return;
    const sessionTime = this.now - session.from;
    this.#book({
      kind: "session",
      report: {
        status,
        at: this.now,
        acctSessionId: session.id,
        username: `user${line.id}`,
        nasAddress: router.address,
        nasId: router.id,
        class: null,
        nasPortId: `box${line.box}`,
        mac: macOf(line),
        sessionTime,
        inputOctets: sessionTime * 100,
        outputOctets: sessionTime * 1000,
        ...SILENT,
        ...NO_PREFIX,
        octetsAre32Bit: false,
        terminateCause,
        viaBox: null,
      },
      login: `user${line.id}`,
      ispId: 1,
      arrival: this.now,
    });
  }

  #book(report: AccountingReport): void {
    this.records++;
    this.#accounting.book(report);
  }
}

const macOf = ({ id }: Line) =>
  `02:00:00:00:${(id >> 8).toString(16).toUpperCase().padStart(2, "0")}:${(id & 255).toString(16).toUpperCase().padStart(2, "0")}`;
