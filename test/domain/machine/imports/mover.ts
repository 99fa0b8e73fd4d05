import type { Db } from "../../../../db/open.ts";
import type {
  Moved,
  MovedPackage,
  MovedRouter,
  MovedSession,
  MovedSubscriber,
} from "../../../../src/domain/machine/imports/model.ts";
import {
  type Beside,
  type MoveOptions,
  type MoveOutcome,
  moveIn,
} from "../../../../src/domain/machine/imports/move-in.ts";
import { type NoticeKind, Notices, type Notice } from "../../../../src/domain/machine/imports/notices.ts";
import { by, DAY, loadIsp } from "../../../support/isp.ts";
import { NOW, type TemporaryStore, temporaryStore } from "../../../support/store.ts";

export const at = { file: "old.sql", line: 1 };

export function aMoved(values: Partial<Moved> = {}): Moved {
  return {
    packages: [home],
    routers: [],
    subscribers: [],
    sessions: [],
    vouchers: [],
    afterwards: [],
    ...values,
  };
}

export const home: MovedPackage = {
  at,
  key: "home",
  name: "Home",
  price: "15.00",
  rate_limit: "5M/20M",
  duration: { count: 1, unit: "month" },
};

export const edge: MovedRouter = { at, key: "edge", name: "edge", address: "10.0.0.1", secret: "s3cret" };

/** Somebody active, with a package, a password and nothing else. */
export function somebody(username: string, values: Partial<MovedSubscriber> = {}): MovedSubscriber {
  return {
    at,
    username,
    password: `pw-${username}`,
    package: "home",
    connection: "ppp",
    enabled: true,
    service: { expiresAt: NOW + 10 * DAY },
    ...values,
  };
}

export function aMovedSession(username: string, values: Partial<MovedSession> = {}): MovedSession {
  return {
    at,
    username,
    nasAddress: "127.0.0.1",
    acctSessionId: "81000001",
    startedAt: NOW - 3600,
    updatedAt: NOW - 60,
    sessionTime: 3540,
    inputOctets: 1000,
    outputOctets: 20_000,
    framedIp: "10.9.0.7",
    mac: "02:00:00:00:00:07",
    nasPortId: "<pppoe-x>",
    calledStationId: null,
    ...values,
  };
}

type Row = Record<string, string | number | null>;

/** What is said of new subscribers without a salesperson. */
export const isOfNobodys = ({ text }: Notice): boolean => text.startsWith("is the salesperson of ");

/** A store of an ISP, and runs of a source into it. */
export class Mover implements Disposable {
  readonly store: TemporaryStore = temporaryStore();
  notices = new Notices();
  kept: Beside | undefined;

  static async withIsp(more: Parameters<typeof loadIsp>[1] = {}): Promise<Mover> {
    const mover = new Mover();
    await loadIsp(mover.db, more);
    return mover;
  }

  get db(): Db {
    return this.store.db;
  }

  async run(moved: Moved, options: Partial<MoveOptions> = {}): Promise<MoveOutcome> {
    this.notices = new Notices();
    this.kept = undefined;
    return moveIn(this.db, by, moved, {
      ispId: 1,
      source: "radius",
      files: ["old.sql"],
      now: NOW,
      notices: this.notices,
      zone: "UTC",
      keep: (kept) => (this.kept = kept),
      ...options,
    });
  }

  rows(sql: string, ...values: (string | number)[]): Row[] {
    return this.db.$client.query<Row, (string | number)[]>(sql).all(...values);
  }

  row(sql: string, ...values: (string | number)[]): Row | undefined {
    return this.rows(sql, ...values)[0];
  }

  subscriber(username: string): Row | undefined {
    return this.row(
      `SELECT s.*, NULL AS password_sealed, v.expires_at, v.quota_used, v.rate_limit, w.balance, p.name AS package FROM subscribers s
         LEFT JOIN services v ON v.subscriber_id = s.id LEFT JOIN wallets w ON w.subscriber_id = s.id
         JOIN packages p ON p.id = s.package_id WHERE s.username = ?`,
      username,
    );
  }

  /** The password of a profile, and that of its service. */
  passwordOf(username: string): (string | null)[] {
    const row = this.db.$client
      .query<{ profile: Uint8Array; service: Uint8Array | null }, [string]>(
        `SELECT s.password_sealed AS profile, v.password_sealed AS service FROM subscribers s
         LEFT JOIN services v ON v.subscriber_id = s.id WHERE username = ?`,
      )
      .get(username);
    const { vault } = this.db;
    return [row?.profile, row?.service].map((sealed) => (sealed ? vault.openText(sealed) : null));
  }

  /** Who was told of, and what, of a kind; but for whose those are that no salesperson is named of. */
  noticesOf(kind: NoticeKind): [who: string, text: string][] {
    return this.notices.rows
      .filter((row) => row.kind === kind && !isOfNobodys(row))
      .map(({ who, text }) => [who, text]);
  }

  /** Every row of every table but the trail and the list of runs. */
  dump(): unknown {
    const tables = this.rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name");
    const beside = new Set(["moves", "audit_entries", "sqlite_sequence"]);
    return tables
      .filter(({ name }) => !beside.has(String(name)))
      .map(({ name }) => [name, this.rows(`SELECT * FROM "${name}"`)]);
  }

  [Symbol.dispose](): void {
    this.store[Symbol.dispose]();
  }
}
