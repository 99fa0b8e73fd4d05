import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { type Db, write } from "../../../../db/open.ts";
import { auditEntries, nas, sessions, subscribers } from "../../../../db/schema.ts";
import { applyService } from "../../../../src/domain/service/control/apply.ts";
import { disconnect } from "../../../../src/domain/service/control/disconnect.ts";
import { makeRouters, type RouterProtocols } from "../../../../src/domain/service/control/routers.ts";
import { AccountingWriter } from "../../../../src/domain/service/accounting/accounting.ts";
import type { Session, SessionReport } from "../../../../src/domain/service/sessions/advance.ts";
import {
  LEASE_CLASS_LENGTH,
  writeGranted,
  writeLease,
} from "../../../../src/domain/service/sessions/session-class.ts";
import { changeSetting } from "../../../../src/domain/machine/settings/change.ts";
import { CoaClient } from "../../../../src/radius/client/coa.ts";
import { coaRequests } from "../../../../src/radius/client/coa-requests.ts";
import { apiRequests } from "../../../../src/routeros/api-requests.ts";
import { RouterosPool } from "../../../../src/routeros/pool.ts";
import { coaPatience, FakeNas, type FakeNasBehaviour } from "../../../support/fake-nas.ts";
import { FakeRouteros, type FakeRouterosOptions } from "../../../support/fake-routeros.ts";
import { aSubscriber, by, loadIsp, NAS_SECRET } from "../../../support/isp.ts";
import { insertSessions } from "../../../support/sessions.ts";
import { NOW, undoneEmptyStores } from "../../../support/store.ts";

const temporaryStore = undoneEmptyStores();

type Method = "coa" | "routeros" | "auto";

/** An ISP whose router is a fake NAS and a fake RouterOS. */
class Scene implements AsyncDisposable {
  readonly store = temporaryStore();
  readonly db: Db = this.store.db;
  readonly nas: FakeNas;
  readonly api: FakeRouteros;
  readonly #client = new CoaClient();
  readonly #pool: RouterosPool;
  readonly protocols: RouterProtocols;
  now = NOW;

  private constructor(nas: FakeNas, api: FakeRouteros) {
    this.nas = nas;
    this.api = api;
    const isSilent = Object.values(api.faults).some((fault) => fault.kind === "silence");
    this.#pool = new RouterosPool({ command: isSilent ? 300 : 20_000, connect: 20_000, total: 20_000 });
    this.protocols = { coa: coaRequests(this.#client), api: apiRequests(this.#pool) };
  }

  static async start(
    method: Method,
    {
      coa = {},
      api = {},
      type = 1,
      hasApi = true,
      confirm = 0,
    }: {
      coa?: FakeNasBehaviour;
      api?: FakeRouterosOptions;
      type?: number;
      hasApi?: boolean;
      confirm?: number;
    } = {},
  ): Promise<Scene> {
    const scene = new Scene(await FakeNas.start(coa), await FakeRouteros.start(api));
    const { nas, api: router, db } = scene;
    const routeros = { host: "127.0.0.1", port: router.port, username: "api", password: "secret" };
    await loadIsp(db, {
      settings: { max_coa_wait: coaPatience(coa), disconnect_confirm: confirm },
      nas: [
        {
          id: 1,
          isp_id: 1,
          name: "core",
          address: "127.0.0.1",
          secret: NAS_SECRET,
          coa_port: nas.port,
          disconnect_method: method,
          routeros: hasApi ? routeros : null,
        },
      ],
      subscribers: [aSubscriber(1, { connection_type_id: type })],
    });
    return scene;
  }

  disconnect() {
    const routers = makeRouters(this.db, this.protocols);
    return disconnect(this.db, by, { subscriberId: 1 }, { clock: () => this.now, routers });
  }

  /** The outcome, or the reason of the refusal without ports and times. */
  async outcome(): Promise<string> {
    try {
      return await this.disconnect();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return message.replaceAll(/(port |127\.0\.0\.1:|port=)\d+/g, "$1N");
    }
  }

  open(...all: Partial<Session>[]): Session[] {
    return insertSessions(this.db, ...all);
  }

  session(id: number): Session | undefined {
    return this.db.select().from(sessions).where(eq(sessions.id, id)).get();
  }

  /** Books an accounting packet of the session. */
  report(session: Session, values: Partial<SessionReport>): void {
    const report: SessionReport = {
      ...session,
      status: "interim",
      at: this.now,
      terminateCause: undefined,
      octetsAre32Bit: false,
      ...values,
    };
    write(
      this.db,
      (tx) =>
        void new AccountingWriter(tx).book({
          kind: "session",
          login: session.username,
          report,
          ispId: 1,
          arrival: this.now,
        }),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#client.close();
    this.#pool.close();
    this.nas[Symbol.dispose]();
    await this.api[Symbol.asyncDispose]();
    this.store[Symbol.dispose]();
  }
}

const ADDRESS = "10.0.0.7";
const sam = { ".id": "*1", name: "user1", address: ADDRESS, uptime: "1h" };
const ACKED = { stoppedAt: NOW, closedBy: "disconnect", terminateCause: "Admin-Reset" };
const GONE = { stoppedAt: NOW, closedBy: "disconnect", terminateCause: "lost" };
const OPEN = { stoppedAt: null, closedBy: null, terminateCause: null };
const COA = "the router core (127.0.0.1 port N)";
const API = "the RouterOS API of the router core (127.0.0.1:N) failed:";
const SILENT = `${COA} did not answer the Disconnect-Request within 1 s; let it answer with: /radius/incoming/set accept=yes port=N`;

interface Case {
  name: string;
  method: Method;
  coa?: FakeNasBehaviour;
  api?: FakeRouterosOptions;
  hasApi?: boolean;
  outcome: string;
  books: object;
  /** Requests at the CoA port and orders at the API. */
  requests: [coa: number, api: number];
}

const nak = (errorCause: number) => ({ answer: "nak", errorCause }) as const;
const prohibited = `${COA} refused the Disconnect-Request: Error-Cause 501 Administratively-Prohibited: its configuration forbids it`;

const cases: Case[] = [
  { name: "coa: ACK", method: "coa", outcome: "disconnected", books: ACKED, requests: [1, 0] },
  {
    name: "coa: NAK 503",
    method: "coa",
    coa: nak(503),
    outcome: "already_offline",
    books: GONE,
    requests: [1, 0],
  },
  { name: "coa: NAK 501", method: "coa", coa: nak(501), outcome: prohibited, books: OPEN, requests: [1, 0] },
  {
    name: "coa: NAK without a cause",
    method: "coa",
    coa: { answer: "nak" },
    outcome: `${COA} refused the Disconnect-Request: without an Error-Cause`,
    books: OPEN,
    requests: [1, 0],
  },
  {
    name: "coa: silence",
    method: "coa",
    coa: { answer: "silence" },
    outcome: SILENT,
    books: OPEN,
    requests: [1, 0],
  },
  {
    name: "coa: another secret",
    method: "coa",
    coa: { wrongAuthenticator: true },
    outcome: `${COA} answered the Disconnect-Request with another RADIUS secret; set the same secret on both sides`,
    books: OPEN,
    requests: [1, 0],
  },
  {
    name: "routeros: removed",
    method: "routeros",
    api: { ppp: [sam] },
    outcome: "disconnected",
    books: ACKED,
    requests: [0, 1],
  },
  {
    name: "routeros: nobody there",
    method: "routeros",
    outcome: "already_offline",
    books: GONE,
    requests: [0, 0],
  },
  {
    name: "routeros: nobody there, before 7.18",
    method: "routeros",
    api: { saysEmpty: false },
    outcome: "already_offline",
    books: GONE,
    requests: [0, 0],
  },
  {
    name: "routeros: gone between the list and the order",
    method: "routeros",
    api: { ppp: [sam], faults: { "/ppp/active/remove": { kind: "trap", message: "no such item (4)" } } },
    outcome: "already_offline",
    books: GONE,
    requests: [0, 1],
  },
  {
    name: "routeros: permission missing",
    method: "routeros",
    api: { ppp: [sam], policy: ["api", "read"] },
    outcome: `${API} not enough permissions (9); allow it with: /user/group/set gatehouse policy=api,read,write`,
    books: OPEN,
    requests: [0, 1],
  },
  {
    name: "routeros: wrong password",
    method: "routeros",
    api: { password: "other" },
    outcome: `${API} it refused the login of api: invalid user name or password (6); set the password with: /user/set api password=...`,
    books: OPEN,
    requests: [0, 0],
  },
  {
    name: "routeros: silence",
    method: "routeros",
    api: { faults: { "/ppp/active/print": { kind: "silence" } } },
    outcome: `${API} it did not answer /ppp/active/print within 0.3 s`,
    books: OPEN,
    requests: [0, 0],
  },
  {
    name: "routeros: hang-up in the answer",
    method: "routeros",
    api: { ppp: [sam], faults: { "/ppp/active/print": { kind: "close", after: 9 } } },
    outcome: `${API} it closed the connection`,
    books: OPEN,
    requests: [0, 0],
  },
  {
    name: "routeros: fatal",
    method: "routeros",
    api: { faults: { "/ppp/active/print": { kind: "fatal", message: "shutting down" } } },
    outcome: `${API} shutting down`,
    books: OPEN,
    requests: [0, 0],
  },
  {
    name: "routeros: not set up",
    method: "routeros",
    hasApi: false,
    outcome:
      "the RouterOS API of the router core is not set up for this session; give the NAS its routeros host, username and password",
    books: OPEN,
    requests: [0, 0],
  },
  {
    name: "auto: ACK",
    method: "auto",
    api: { ppp: [sam] },
    outcome: "disconnected",
    books: ACKED,
    requests: [1, 0],
  },
  {
    name: "auto: NAK 503",
    method: "auto",
    coa: nak(503),
    outcome: "already_offline",
    books: GONE,
    requests: [1, 0],
  },
  {
    name: "auto: NAK 501, then the API",
    method: "auto",
    coa: nak(501),
    api: { ppp: [sam] },
    outcome: "disconnected",
    books: ACKED,
    requests: [1, 1],
  },
  {
    name: "auto: silence, then the API",
    method: "auto",
    coa: { answer: "silence" },
    api: { ppp: [sam] },
    outcome: "disconnected",
    books: ACKED,
    requests: [1, 1],
  },
  {
    name: "auto: silence, and nobody on the list",
    method: "auto",
    coa: { answer: "silence" },
    outcome: "already_offline",
    books: GONE,
    requests: [1, 0],
  },
  {
    name: "auto: both refuse",
    method: "auto",
    coa: nak(501),
    api: { faults: { "/ppp/active/print": { kind: "trap", message: "busy" } } },
    outcome: `${prohibited}; ${API} busy`,
    books: OPEN,
    requests: [1, 0],
  },
  {
    name: "auto: silence and no API",
    method: "auto",
    coa: { answer: "silence" },
    hasApi: false,
    outcome: SILENT,
    books: OPEN,
    requests: [1, 0],
  },
];

describe("one open session", () => {
  test.each(cases)("$name", async ({ method, coa, api, hasApi, outcome, books, requests: answers }) => {
    await using scene = await Scene.start(method, {
      ...(coa && { coa }),
      ...(api && { api: { ...api, ppp: [...(api.ppp ?? [])] } }),
      ...(hasApi !== undefined && { hasApi }),
    });
    const [session] = scene.open({ framedIp: ADDRESS });
    expect(await scene.outcome()).toBe(outcome);
    expect(scene.session(session?.id ?? 0)).toMatchObject({
      ...books,
      inputOctets: 1000,
      outputOctets: 2000,
    });
    expect([scene.nas.distinct, scene.api.count("/ppp/active/remove")]).toEqual(answers);
    const audited = scene.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.action, "subscriber.disconnect"))
      .all();
    expect(audited).toHaveLength(1);
  });
});

describe("several open sessions", () => {
  test("all acknowledged, or some gone", async () => {
    await using scene = await Scene.start("coa");
    const gone = Buffer.from("b").toString("hex");
    scene.nas.behaviour = ({ attributes }) => (attributes[1]?.[1] === gone ? nak(503) : {});
    scene.open({ acctSessionId: "a" }, { acctSessionId: "b" });
    expect(await scene.outcome()).toBe("disconnected");
    expect([scene.session(1), scene.session(2)]).toMatchObject([ACKED, GONE]);
  });

  test("what failed stays open, what was acknowledged is closed", async () => {
    await using scene = await Scene.start("coa");
    const forbidden = Buffer.from("b").toString("hex");
    scene.nas.behaviour = ({ attributes }) => (attributes[1]?.[1] === forbidden ? nak(501) : {});
    scene.open({ acctSessionId: "a" }, { acctSessionId: "b" });
    expect(await scene.outcome()).toBe(prohibited);
    expect([scene.session(1), scene.session(2)]).toMatchObject([ACKED, OPEN]);
    scene.nas.behaviour = {};
    expect(await scene.outcome()).toBe("disconnected");
    expect(scene.session(2)).toMatchObject(ACKED);
  });

  test("each at its own address on the list of the API", async () => {
    await using scene = await Scene.start("routeros", {
      api: {
        ppp: [sam, { ...sam, ".id": "*2", address: "10.0.0.8" }, { ...sam, ".id": "*3", name: "user2" }],
      },
    });
    scene.open({ acctSessionId: "a", framedIp: ADDRESS }, { acctSessionId: "b", framedIp: "10.0.0.8" });
    expect(await scene.outcome()).toBe("disconnected");
    expect([scene.session(1), scene.session(2)]).toMatchObject([ACKED, ACKED]);
    expect(scene.api.ppp.map((row) => row["name"])).toEqual(["user2"]);
  });
});

describe("an API whose empty answer would prove nothing is not asked", () => {
  test("the NAS is a network, and the API that of another router in it", async () => {
    await using scene = await Scene.start("auto", { coa: { answer: "silence" } });
    scene.db.update(nas).set({ address: "127.0.0.0/8" }).run();
    scene.open({ nasAddress: "127.0.0.1" });
    scene.db.update(nas).set({ routerosHost: "127.0.0.9" }).run();
    expect(await scene.outcome()).toBe(SILENT);
    scene.db.update(nas).set({ routerosHost: "127.0.0.1" }).run();
    expect(await scene.outcome()).toBe("already_offline");
  });

  test("the session is one of DHCP", async () => {
    await using scene = await Scene.start("auto", { coa: { answer: "silence" } });
    scene.db.update(subscribers).set({ macLogin: 1 }).run();
    scene.open({ username: "1:9c:d6:43:6c:a6:fd" });
    expect(await scene.outcome()).toBe(SILENT);
    expect(scene.api.connections).toBe(0);
  });
});

test("without an open session nobody is asked", async () => {
  await using scene = await Scene.start("auto");
  scene.open({ stoppedAt: NOW - 10, closedBy: "stop" });
  expect(await scene.outcome()).toBe("already_offline");
  expect([scene.nas.requests.length, scene.api.connections]).toEqual([0, 0]);
});

test("switched off, nobody is asked", async () => {
  await using scene = await Scene.start("auto");
  scene.open({});
  changeSetting(scene.db, by, { key: "disconnect_enabled", value: false }, { now: NOW });
  expect(await scene.outcome()).toContain("disconnecting is switched off");
  expect(scene.nas.requests).toEqual([]);
});

test("a session of a router that is not among the NAS any more says so", async () => {
  await using scene = await Scene.start("auto");
  scene.open({ nasId: null, nasAddress: "192.0.2.9" });
  expect(await scene.outcome()).toBe(
    "the router at 192.0.2.9 that reported the session is not among the NAS any more; add it with: gatehouse nas add",
  );
});

describe("a change of rate that the router is silent about", () => {
  test.each([
    ["coa", OPEN, 0],
    ["auto", ACKED, 1],
  ] as const)("is not waited for again: %s", async (method, books, orders) => {
    await using scene = await Scene.start(method, { coa: { answer: "silence" }, api: { ppp: [sam] } });
    scene.open({ framedIp: ADDRESS });
    const routers = makeRouters(scene.db, scene.protocols);
    const applying = applyService(scene.db, by, { subscriberId: 1 }, { clock: () => NOW, routers });
    if (method === "auto") expect(await applying).toBe("reconnected");
    else await expect(applying).rejects.toThrow("did not answer the CoA-Request within 1 s");
    await applying.catch(() => {});
    expect(scene.session(1)).toMatchObject(books);
    expect([scene.nas.distinct, scene.api.count("/ppp/active/remove")]).toEqual([1, orders]);
  });
});

describe("types 3 to 5", () => {
  test.each([
    [3, "ppp"],
    [4, "hotspot"],
  ] as const)("type %d is ended on the list %s, whatever the method", async (type, list) => {
    const entry = { ".id": "*1", name: "user1", user: "user1", address: ADDRESS, uptime: "1h" };
    await using scene = await Scene.start("coa", { type, api: { [list]: [entry] } });
    expect(await scene.outcome()).toBe("disconnected");
    expect(await scene.outcome()).toBe("already_offline");
    expect(scene.api[list]).toEqual([]);
    expect(scene.nas.requests).toEqual([]);
  });

  test("after a failed login the next tries fail at once", async () => {
    await using scene = await Scene.start("auto", { type: 3, api: { password: "other" } });
    const first = await scene.outcome();
    expect(first).toContain("it refused the login of api");
    expect(await scene.outcome()).toBe(first);
    expect(scene.api.connections).toBe(1);
  });

  test("type 5 has no session", async () => {
    await using scene = await Scene.start("auto", { type: 5 });
    expect(await scene.outcome()).toBe("already_offline");
    expect([scene.nas.requests.length, scene.api.connections]).toEqual([0, 0]);
  });
});

describe("accounting after an ACK", () => {
  let scene: Scene;
  let session: Session;
  beforeEach(async () => {
    scene = await Scene.start("coa");
    const [opened] = scene.open({ framedIp: ADDRESS });
    if (!opened) throw new Error("no session");
    session = opened;
    expect(await scene.outcome()).toBe("disconnected");
  });
  afterEach(() => scene[Symbol.asyncDispose]());

  test("the Stop brings the final counters", () => {
    scene.now = NOW + 1;
    const final = { sessionTime: 3601, inputOctets: 5000, outputOctets: 9000 };
    scene.report(session, { ...final, status: "stop", terminateCause: "Admin-Reset" });
    expect(scene.session(session.id)).toMatchObject({ ...final, stoppedAt: NOW + 1, closedBy: "stop" });
  });

  test.each([
    [5, false],
    [6, true],
  ])("an Interim %d s later reopens it: %p", (seconds, reopens) => {
    scene.now = NOW + seconds;
    scene.report(session, { sessionTime: 3600 + seconds, inputOctets: 5000, outputOctets: 9000 });
    expect(scene.session(session.id)).toMatchObject({
      ...(reopens ? OPEN : ACKED),
      inputOctets: 5000,
      outputOctets: 9000,
    });
  });
});

describe("confirmation", () => {
  test("the Stop confirms", async () => {
    await using scene = await Scene.start("coa", { confirm: 5 });
    const [session] = scene.open({});
    const outcome = scene.outcome();
    while (scene.session(1)?.stoppedAt === null) await Bun.sleep(1);
    if (session) scene.report(session, { status: "stop", sessionTime: 3600 });
    expect(await outcome).toBe("confirmed");
  });

  test("the active list of the API confirms, whoever came back meanwhile", async () => {
    await using scene = await Scene.start("auto", { confirm: 5, api: { ppp: [{ ...sam, uptime: "0s" }] } });
    scene.open({ framedIp: ADDRESS });
    expect(await scene.outcome()).toBe("confirmed");
  });

  test.each([3, 4])("type %d is confirmed by the list", async (type) => {
    const entry = { ".id": "*1", name: "user1", user: "user1", uptime: "1h" };
    await using scene = await Scene.start("auto", {
      confirm: 5,
      type,
      api: { ppp: [entry], hotspot: [entry] },
    });
    expect(await scene.outcome()).toBe("confirmed");
  });

  test("without proof the ACK is only that", async () => {
    await using scene = await Scene.start("auto", { confirm: 1, api: { ppp: [sam] } });
    scene.open({ framedIp: ADDRESS });
    expect(await scene.outcome()).toBe("disconnected");
  });
});

describe("a lease of DHCP", () => {
  const MAC = "9C:D6:43:6C:A6:FD";
  /** Of subscriber 1. */
  function leaseClass(): Buffer {
    const sessionClass = Buffer.alloc(LEASE_CLASS_LENGTH);
    writeGranted(sessionClass, { acceptedAs: "accepted", grantedTerms: 1, grantedRate: 1 });
    writeLease(sessionClass, { subscriberId: 1, isPrefix: false });
    return sessionClass;
  }
  const lease = () => ({ username: MAC, mac: MAC, framedIp: ADDRESS, class: leaseClass() });

  test("is ended by the API, and one that somebody wrote into the router stays", async () => {
    const written = { ".id": "*1", "mac-address": MAC, address: "10.0.0.8", dynamic: "false" };
    const leases = [written, { ".id": "*2", "mac-address": MAC, address: ADDRESS, dynamic: "true" }];
    await using scene = await Scene.start("auto", { api: { leases } });
    const [session] = scene.open(lease());
    expect(await scene.outcome()).toBe("disconnected");
    expect(scene.api.leases).toEqual([written]);
    expect(scene.nas.requests).toEqual([]);
    expect(scene.session(session?.id ?? 0)?.stoppedAt).toBe(NOW);
  });

  test("without an API nobody is asked, and it is said when it ends", async () => {
    await using scene = await Scene.start("auto", { hasApi: false });
    scene.open(lease());
    expect(await scene.outcome()).toBe(
      "a lease of DHCP takes no order from us: it ends, or has what is new, within 30 minutes (setting dhcp_lease); to end leases at once, give the NAS core its routeros host, username and password",
    );
    expect(scene.nas.requests).toEqual([]);
    expect(scene.session(1)).toMatchObject(OPEN);
  });
});
