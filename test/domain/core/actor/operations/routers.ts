import { verbatim } from "../../../../../src/domain/core/errors/phrase.ts";
import { tryLogin } from "../../../../../src/domain/service/access/try-login.ts";
import { Arrivals } from "../../../../../src/domain/goods/nas/arrivals.ts";
import { commandsFor } from "../../../../../src/domain/goods/router-setup/commands.ts";
import { firstWords, strangersLately } from "../../../../../src/domain/goods/nas/first-words.ts";
import { routerStates, silentRouters } from "../../../../../src/domain/service/outages/states.ts";
import { proveSetup } from "../../../../../src/domain/goods/router-setup/prove.ts";
import {
  setupDifference,
  type SetupTools,
  setUpRouter,
} from "../../../../../src/domain/goods/router-setup/setup.ts";
import { setBoxCapacity } from "../../../../../src/domain/around/feeds/capacity.ts";
import {
  createFeed,
  feedNamed,
  listFeeds,
  deleteFeed,
  feedById,
  setFeedEnabled,
  updateFeed,
} from "../../../../../src/domain/around/feeds/feeds.ts";
import { shaperFiles } from "../../../../../src/domain/around/feeds/files.ts";
import { noteFeed } from "../../../../../src/domain/around/feeds/note.ts";
import { configChanges } from "../../../../../src/domain/goods/router-config/compare.ts";
import { configCopies } from "../../../../../src/domain/goods/router-config/copies.ts";
import { keepDueConfigs } from "../../../../../src/domain/goods/router-config/due.ts";
import { keepConfig } from "../../../../../src/domain/goods/router-config/keep.ts";
import { configText } from "../../../../../src/domain/goods/router-config/text.ts";
import { noNasTools } from "../../../../support/routers.ts";
import {
  issueRadsec,
  keepRadsec,
  revokeRadsec,
  takeBundle,
} from "../../../../../src/domain/goods/radsec/certificate.ts";
import { watchAfterSetup } from "../../../../../src/domain/service/router-watch/after-setup.ts";
import { routerFindings } from "../../../../../src/domain/service/router-watch/findings.ts";
import { hideFinding, showFinding } from "../../../../../src/domain/service/router-watch/hide.ts";
import { mendDifference, mendFindings } from "../../../../../src/domain/service/router-watch/mend.ts";
import { watchRouters, type WatchTools } from "../../../../../src/domain/service/router-watch/watch.ts";
import { listRadsecCertificates } from "../../../../../src/domain/goods/radsec/list.ts";
import { type Call, done, forOperator, nobody, read, through, world, write, written } from "./call.ts";

const withArrivals = { ...world, arrivals: new Arrivals() };
const names = (call: Call["call"]): Call => ({
  call,
  operator: ["core", "south"],
  ispOne: ["core"],
  otherIsp: ["south"],
  otherBranch: ["core"],
  otherReseller: ["core"],
});

const setupRequest = { nasId: 1, login: { username: "admin", password: "x" }, mode: "setup" } as const;
const emptyRouter: SetupTools = {
  ...world,
  findPlace: (router, lists) => noNasTools.findPlace(router, lists, undefined),
  ownAddress: noNasTools.ownAddress,
  open: noNasTools.open,
};
const watching: WatchTools = {
  clock: () => world.now,
  arrivals: withArrivals.arrivals,
  nasTools: noNasTools,
};
const silentMenus = { print: async () => null, run: async () => [] };
const finding = { nasId: 1, id: 1 };
const mending = { nasId: 1, ids: [1] };
const NO_CHANGES = new Bun.CryptoHasher("sha256").update("[]").digest("hex");
const toManager = (call: Call["call"], operator: unknown): Call => ({ call, operator, ...written });

/** What the pages of routers say and do, of `officeStore`. */
export const ofRouterPages = {
  routerStates: names((db, by) => routerStates(db, by, {}, withArrivals).map(({ name }) => name)),
  silentRouters: { call: (db, by) => silentRouters(db, by), operator: 0, ...read, otherIsp: 0 },
  strangersLately: { call: (db, by) => strangersLately(db, by, {}, withArrivals), operator: [] },
  firstWords: {
    call: (db, by) => firstWords(db, by, { nasId: 1 }, withArrivals).router.name,
    operator: "core",
    ...written,
  },
  commandsFor: {
    call: async (db, by) => {
      const expected = { router: 1, extras: [], isInUse: false } as const;
      const placeOf = (nas: Parameters<typeof noNasTools.findPlace>[0], lists: readonly string[]) =>
        noNasTools.findPlace(nas, lists, undefined);
      return (await commandsFor(db, by, expected, { ...world, findPlace: placeOf })).server;
    },
    operator: "10.0.0.254",
    ...written,
  },
  watchRouters: {
    call: async (db, by) => (await watchRouters(db, by, { nasId: 1 }, watching)).map(({ kind }) => kind),
    operator: ["read"],
    ...written,
  },
  watchAfterSetup: {
    call: through((db, by) => watchAfterSetup(db, by, { nasId: 1, menus: silentMenus }, watching)),
    operator: done,
    ...written,
  },
  routerFindings: {
    call: (db, by) => routerFindings(db, by, { nasId: 1 }).findings.map(({ kind }) => kind),
    operator: ["ppp_name"],
    ...read,
  },
  mendDifference: {
    call: async (db, by) => (await mendDifference(db, by, mending, watching)).gone,
    operator: 1,
    ...written,
  },
  mendFindings: {
    call: async (db, by) => {
      const request = { ...mending, digest: NO_CHANGES };
      return (await mendFindings(db, by, request, watching)).outcome.kind;
    },
    operator: "done",
    ...written,
  },
  hideFinding: {
    call: (db, by) => hideFinding(db, by, { ...finding, input: { reason: "x" } }, world).kind,
    operator: "ppp_name",
    ...written,
  },
  showFinding: {
    call: (db, by) => showFinding(db, by, finding, world).kind,
    operator: "ppp_name",
    ...written,
  },
  listRadsecCertificates: {
    call: (db, by) => listRadsecCertificates(db, by, 1).length,
    operator: 1,
    ...read,
  },
  issueRadsec: write((db, by) => issueRadsec(db, by, { nasId: 1, server: "10.0.0.254" }, world)),
  takeBundle: write((db, by) => takeBundle(db, by, { nasId: 1, certificateId: 1 }, world)),
  revokeRadsec: write((db, by) => revokeRadsec(db, by, { nasId: 1, certificateId: 1 }, world)),
  keepRadsec: forOperator((db, by) => keepRadsec(db, by, world)),
  setupDifference: toManager(
    async (db, by) => (await setupDifference(db, by, setupRequest, emptyRouter)).version,
    "7.16.1",
  ),
  setUpRouter: toManager(
    async (db, by) =>
      (await setUpRouter(db, by, setupRequest, { ...emptyRouter, tell: () => {} })).outcome.kind,
    "done",
  ),
  proveSetup: {
    ...toManager(
      async (db, by) => {
        const step = { check: "login", status: "skipped", detail: verbatim(""), remedy: null } as const;
        const login = { step, isTried: false };
        const tools = {
          clock: () => world.now,
          arrivals: withArrivals.arrivals,
          ask: noNasTools.ask,
          pause: async () => {},
        };
        return (await proveSetup(db, by, { nasId: 1, login, since: world.now, isChanged: true }, tools)).map(
          ({ check }) => check,
        );
      },
      ["login", "heard", "reachable", "coa"],
    ),
    also: ["nas_view"],
  },
  listFeeds: {
    call: (db, by) => listFeeds(db, by).map(({ name }) => name),
    operator: ["north", "south"],
    ispOne: ["north"],
    otherIsp: ["south"],
    otherBranch: ["north"],
    otherReseller: ["north"],
  },
  feedNamed: { call: (db, by) => feedNamed(db, by, "north").id, operator: 1, ...read },
  feedById: { call: (db, by) => feedById(db, by, { id: 1 }).id, operator: 1, ...read },
  createFeed: {
    ...write((db, by) =>
      createFeed(
        db,
        by,
        { isp_id: 1, name: "new", address: "10.0.0.21", secret: "s", router_ids: "1" },
        world,
      ),
    ),
    otherIsp: "forbidden",
  },
  updateFeed: write((db, by) => updateFeed(db, by, { id: 1, input: { port: 18_130 } }, world)),
  setFeedEnabled: write((db, by) => setFeedEnabled(db, by, { id: 1, enabled: false }, world)),
  deleteFeed: write((db, by) => deleteFeed(db, by, { id: 1 }, world)),
  noteFeed: forOperator((db, by) =>
    noteFeed(db, by, 1, { answeredAt: world.now, silentSince: null, behindSince: null, waiting: 0 }),
  ),
  setBoxCapacity: {
    ...write((db, by) =>
      setBoxCapacity(db, by, { ispId: 1, boxNumber: "B-1", capacity: { down: 100, up: 50 } }, world),
    ),
    otherIsp: "forbidden",
  },
  shaperFiles: {
    ...write((db, by) => shaperFiles(db, by, { ispId: 1 }, world)),
    otherIsp: "forbidden",
  },
  configCopies: {
    call: (db, by) => configCopies(db, by, 1).copies.map(({ id }) => id),
    operator: [2, 1],
    ...read,
  },
  keepConfig: write((db, by) => keepConfig(db, by, 1, { ...world, read: noNasTools.readConfig })),
  configText: toManager((db, by) => configText(db, by, { nasId: 1, copyId: 1 }, world).file, "core-1.rsc"),
  configChanges: toManager((db, by) => configChanges(db, by, { nasId: 1 }).changes.length, 2),
  keepDueConfigs: forOperator((db, by) =>
    keepDueConfigs(db, by, {
      clock: () => world.now,
      read: noNasTools.readConfig,
      signal: new AbortController().signal,
    }),
  ),
  tryLogin: {
    call: async (db, by) => {
      const ask = async () => undefined;
      return (await tryLogin(db, by, { subscriberId: 1, method: "pap" }, { ask, now: 0 })).username;
    },
    operator: "user1",
    ...nobody,
  },
} satisfies Partial<Record<string, Call>>;
