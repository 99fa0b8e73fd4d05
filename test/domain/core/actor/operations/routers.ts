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
import { noNasTools } from "../../../../support/routers.ts";
import {
  issueRadsec,
  keepRadsec,
  revokeRadsec,
  takeBundle,
} from "../../../../../src/domain/goods/radsec/certificate.ts";
import { radsecOf } from "../../../../../src/domain/goods/radsec/list.ts";
import { type Call, forOperator, nobody, read, world, write, written } from "./call.ts";

const heard = { ...world, arrivals: new Arrivals() };
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
  ...{ ...world, placeOf: (router, lists) => noNasTools.placeOf(router, lists, undefined) },
  ownAddress: noNasTools.ownAddress,
  open: noNasTools.open,
};
const toManager = (call: Call["call"], operator: unknown): Call => ({ call, operator, ...written });

/** What the pages of routers say and do, of `officeStore`. */
export const ofRouterPages = {
  routerStates: names((db, by) => routerStates(db, by, {}, heard).map(({ name }) => name)),
  silentRouters: { call: (db, by) => silentRouters(db, by), operator: 0, ...read, otherIsp: 0 },
  strangersLately: { call: (db, by) => strangersLately(db, by, {}, heard), operator: [] },
  firstWords: {
    call: (db, by) => firstWords(db, by, { nasId: 1 }, heard).router.name,
    operator: "core",
    ...written,
  },
  commandsFor: {
    call: async (db, by) => {
      const wanted = { nasId: 1, extras: [], isInUse: false } as const;
      const placeOf = (nas: Parameters<typeof noNasTools.placeOf>[0], lists: readonly string[]) =>
        noNasTools.placeOf(nas, lists, undefined);
      return (await commandsFor(db, by, wanted, { ...world, placeOf })).server;
    },
    operator: "10.0.0.254",
    ...written,
  },
  radsecOf: { call: (db, by) => radsecOf(db, by, 1).length, operator: 1, ...read },
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
        const step = { check: "login", status: "skipped", detail: "", remedy: null } as const;
        const login = { step, isTried: false };
        const tools = {
          clock: () => world.now,
          arrivals: heard.arrivals,
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
  tryLogin: {
    call: async (db, by) => {
      const ask = async () => undefined;
      return (await tryLogin(db, by, { subscriberId: 1, method: "pap" }, { ask, now: 0 })).username;
    },
    operator: "user1",
    ...nobody,
  },
} satisfies Partial<Record<string, Call>>;
