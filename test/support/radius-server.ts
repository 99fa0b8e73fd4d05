import pino from "pino";
import { recordDecisions } from "../../src/domain/service/access/auth-log.ts";
import { recordFirstUses } from "../../src/domain/service/cards/first-use.ts";
import type { ArrivalKind, Arrived } from "../../src/domain/goods/nas/arrivals.ts";
import { findNas } from "../../src/domain/goods/nas/find.ts";
import { latchMessageAuthenticator, recordUnauthenticated } from "../../src/domain/goods/nas/sources.ts";
import { hasServerKeys } from "../../src/domain/goods/radsec/keys.ts";
import type { QuotaCrossed } from "../../src/domain/service/accounting/accounting.ts";
import { ReportTally } from "../../src/domain/service/live/reported.ts";
import { CarriedTally } from "../../src/domain/money/sums/carried.ts";
import { type RadiusServer, startRadius } from "../../src/radius/server/server.ts";
import { ispStore, NAS_SECRET } from "./isp.ts";
import { RadclientRouter } from "./radclient-router.ts";
import { RadiusClient } from "./radius-client.ts";
import { NOW } from "./store.ts";

/** The RADIUS threads on real sockets, wired as the program does it, on a store of their own. */
export async function startTestRadius(
  data: Parameters<typeof ispStore>[0] = {},
  {
    host = "127.0.0.1",
    radsec = false,
    accessThreads = 1,
  }: { host?: string; radsec?: boolean; accessThreads?: number } = {},
) {
  const store = await ispStore(data);
  const lines: Record<string, unknown>[] = [];
  const crossed: QuotaCrossed[] = [];
  const carried = new CarriedTally();
  const reports = new ReportTally();
  const decided: string[] = [];
  const arrivals: Arrived[] = [];
  const unauthenticated: { nasId: number; address: string }[] = [];
  const log = pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const server = await startRadius({
    folder: store.folder,
    auth: { host, port: 0 },
    acct: { host, port: 0 },
    accessThreads,
    log,
    radsec: radsec
      ? {
          listen: { host, port: 0 },
          isWanted: () => hasServerKeys(store.db),
          findName: (nasId) => findNas(store.db, nasId)?.name,
        }
      : undefined,
    decided: (events) => {
      decided.push(...events.map(({ username, reason }) => `${username} ${reason}`));
      recordFirstUses(store.db, events);
      recordDecisions(store.db, events);
    },
    authenticatorSeen: (source) => latchMessageAuthenticator(store.db, source, NOW),
    unauthenticated: (source) => {
      unauthenticated.push(source);
      recordUnauthenticated(store.db, source, NOW);
    },
    quotaCrossed: (one) => crossed.push(one),
    carried: (sums) => sums.forEach((sum) => carried.add(sum)),
    reported: (packed) => reports.addPacked(packed),
    arrived: (all) => arrivals.push(...all),
  });
  const clients: RadiusClient[] = [];
  return {
    server,
    store,
    db: store.db,
    lines,
    decided,
    unauthenticated,
    crossed,
    carried,
    reports,
    /** Datagrams of a kind that the threads have received. */
    arrived: (kind: ArrivalKind) =>
      arrivals.reduce((all, one) => all + (one.kind === kind ? one.count : 0), 0),
    /** A NAS with a socket of its own, at the server's first address by default. */
    client: (more: { localAddress?: string; secret?: string; host?: string; timeout?: number } = {}) => {
      const client = new RadiusClient({ ...targetOf(server), secret: NAS_SECRET, ...more });
      clients.push(client);
      return client;
    },
    /** The same by radclient. */
    router: ({ secret = NAS_SECRET } = {}) => new RadclientRouter({ ...targetOf(server), secret }),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(clients.map((client) => client.close()));
      await server.stop();
      store[Symbol.dispose]();
    },
  };
}

export type TestRadius = Awaited<ReturnType<typeof startTestRadius>>;

function targetOf({ auth, acct }: RadiusServer) {
  return { host: "127.0.0.1", port: auth.port, acctPort: acct.port };
}

export async function eventually(isSo: () => boolean): Promise<boolean> {
  for (const end = performance.now() + 90_000; !isSo() && performance.now() < end;) await Bun.sleep(10);
  return isSo();
}
