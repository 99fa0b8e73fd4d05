import { isIPv4 } from "node:net";
import { createHash, randomBytes } from "node:crypto";
import { type Db, type Tx, writePatiently } from "../../../../db/open.ts";
import { nas } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { parseResolvers } from "../../core/settings/garden-settings.ts";
import { setting } from "../../core/settings/settings.ts";
import { type Actor, requireWholeIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type ApiAccount, API_USERNAME } from "./api-account.ts";
import { type Nas, nasById } from "../nas/find.ts";
import { certifiedPlace, requireRadsec, type ScriptPlace, toQueues } from "./script.ts";
import { findConfined, confiningLists, noteGarden, noteProfiles, paidPools } from "./garden.ts";
import { endFastTracked, type EndedConnections, lineAddresses } from "./garden/connections.ts";
import { foundOn, type SetupChoices } from "./garden/found.ts";
import { buildModel, modelMenus, type RouterModel } from "./garden/model.ts";
import type { GardenProfile } from "./garden/profiles.ts";
import { alone } from "./alone.ts";
import { carryOut, type CarriedOut, type TellProgress } from "./carry-out.ts";
import {
  parseChoices,
  keepAccount,
  keepMemory,
  readMemory,
  noteRequested,
  type RouterLogin,
} from "./memory.ts";
import {
  type Change,
  listMenus,
  type Plan,
  planRemoval,
  planSetup,
  remember,
  type RouterState,
} from "./plan.ts";
import { readMenus, type RouterMenus } from "./menus.ts";
import { planDualStack } from "./dual-stack.ts";
import { planQueues, queueMenus } from "./queues.ts";
import { isSecret, type Values } from "./values.ts";
import { isSince, OLDEST, parseVersion, type RouterVersion } from "./versions.ts";
import { MARK } from "./mark.ts";
import type { ChosenQueues, Left, RadiusPlace, RouterScript } from "./parts.ts";
import { radiusPlaces, desiredState } from "./desired.ts";

export interface SetupRequest {
  readonly nasId: number;
  readonly login: RouterLogin;
  /** `remove` undoes a set-up. */
  readonly mode: "setup" | "remove";
  /** Hotspots' DNS name; absent: unchanged. */
  readonly hotspotName?: string | undefined;
  readonly choices?: SetupChoices | undefined;
}

/** Rejects with `refused` without a way, `router_failed`. */
export type OpenRouter = <T>(
  router: Nas,
  login: RouterLogin,
  body: (menus: RouterMenus) => Promise<T>,
) => Promise<T>;

export interface SetupTools {
  readonly now: Seconds;
  readonly findPlace: (router: Nas, expiredLists: readonly string[]) => Promise<ScriptPlace>;
  /** Our address for the API. */
  readonly ownAddress: (router: Nas) => Promise<string>;
  readonly open: OpenRouter;
}

/** Planned changes, and what stays. */
export interface Difference {
  readonly version: string;
  readonly changes: readonly Change[];
  readonly left: readonly Left[];
  /** Identifies the difference, without secrets. */
  readonly digest: string;
}

interface Looked {
  readonly plan: Plan;
  readonly model: RouterModel;
  /** The garden's profiles that are wanted there. */
  readonly profiles: readonly GardenProfile[];
  readonly choices: SetupChoices;
  /** FastTrack stays. */
  readonly isFastTracked: boolean;
  readonly state: RouterState;
  readonly account: ApiAccount;
  readonly places: readonly RadiusPlace[];
}

/** The difference, for which nothing is written. Throws as `OpenRouter`, and `not_found`. */
export async function setupDifference(
  db: Db,
  by: Actor,
  request: SetupRequest,
  tools: SetupTools,
): Promise<Difference> {
  permit(by, "setupDifference");
  requireWholeIsp(by, "routers");
  const router = findRouter(db, by, request);
  const { plan, state } = await tools.open(router, request.login, (menus) =>
    look(db, router, request, { menus, tools }),
  );
  return hashDifference(plan, state.version);
}

/** Throws `not_found`, and `refused` without RouterOS or account. */
function findRouter(db: Db, by: Actor, { nasId, mode }: SetupRequest): Nas {
  const router = nasById(db, by.scope, nasId);
  const { disconnectMethod, routerosUsername } = router;
  if (mode === "remove" && disconnectMethod === "routeros" && routerosUsername === API_USERNAME)
    throw new DomainError(
      "refused",
      phrase`the sessions of ${router.name} are ended by the account that would be taken away; set its disconnect_method to auto or coa first`,
    );
  if (router.kind === "mikrotik") return router;
  throw new DomainError(
    "refused",
    phrase`${router.name} is of kind ${router.kind} and has no RouterOS API; configure it by what gatehouse nas script prints`,
    { code: "no_router_api" },
  );
}

type AgreedRequest = SetupRequest & { readonly digest?: string | undefined };
type CarryTools = SetupTools & { tell: TellProgress; after?: (menus: RouterMenus) => Promise<void> };

export interface SetUp {
  readonly difference: Difference;
  /** `other`: the state changed before confirmation; nothing was done. */
  readonly outcome: CarriedOut | { readonly kind: "other" };
  /** Absent: FastTrack was not changed. */
  readonly connections?: EndedConnections;
}

/**
 * Applies the confirmed difference (`digest`). A failure is undone where possible. `after` follows success. Throws as
 * `setupDifference`, and `conflict` during another.
 */
export async function setUpRouter(
  db: Db,
  by: Actor,
  request: AgreedRequest,
  tools: CarryTools,
): Promise<SetUp> {
  permit(by, "setUpRouter");
  requireWholeIsp(by, "routers");
  const router = findRouter(db, by, request);
  return alone(db, router, () => carriedOut(db, by, router, { request, tools }));
}

async function carriedOut(
  db: Db,
  by: Actor,
  router: Nas,
  { request, tools }: { request: AgreedRequest; tools: CarryTools },
): Promise<SetUp> {
  const open = <T>(body: (menus: RouterMenus) => Promise<T>) => tools.open(router, request.login, body);
  return open(async (menus) => {
    const looked = await look(db, router, request, { menus, tools });
    const { plan, state, account } = looked;
    const difference = hashDifference(plan, state.version);
    if (request.digest !== undefined && request.digest !== difference.digest)
      return { difference, outcome: { kind: "other" } };
    const memory = readMemory(db, router.id);
    // before the first change, in case the connection breaks
    if (request.mode === "setup") keepMemory(db, router.id, remember(memory, plan.changes), tools.now);
    const changes = plan.changes.map((change) => withPassword(change, account));
    const outcome = await carryOut(menus, changes, { open, snapshot: state.menus, tell: tools.tell });
    await writePatiently(db, (tx) => {
      const now = nasById(tx, by.scope, router.id);
      if (outcome.kind === "done") settle(tx, now, request, { ...looked, tools });
      else if (outcome.kind === "undone") keepMemory(tx, router.id, memory, tools.now);
      record(tx, by, now, { request, outcome, plan, now: tools.now });
    });
    if (outcome.kind !== "done") return { difference, outcome };
    const connections = changes.some(isFastTrack) ? await endOld(menus) : undefined;
    await tools.after?.(menus);
    return { difference, outcome, ...(connections && { connections }) };
  });
}

/** Whether a rule of FastTrack was kept from subscribers. */
const isFastTrack = ({ kind, key, isForeign }: Change) =>
  kind === "set" && isForeign && key["action"] === "fasttrack-connection";

/** Old connections bypass rules; failing to end them is no error. */
async function endOld(menus: RouterMenus): Promise<EndedConnections> {
  try {
    return await endFastTracked(menus, await lineAddresses(menus));
  } catch (error) {
    if (error instanceof DomainError) return { kind: "left" };
    throw error;
  }
}

/** Stores the account, or after a removal nothing. */
function settle(
  tx: Tx,
  router: Nas,
  { login, mode }: SetupRequest,
  {
    account,
    model: { servers },
    profiles,
    isFastTracked,
    choices,
    places,
    tools: { now },
  }: Omit<Looked, "plan" | "state"> & { tools: SetupTools },
): void {
  noteGarden(tx, router, mode === "setup");
  noteRequested(tx, router, mode === "setup" ? places : null);
  noteProfiles(tx, router, servers, profiles);
  const columns = {
    fastTrackLeft: isFastTracked ? 1 : 0,
    setupChoices: mode === "setup" ? JSON.stringify(choices) : null,
  };
  update(tx, nas, columns, { id: router.id });
  if (mode === "setup") return keepAccount(tx, router, { login, account });
  keepMemory(tx, router.id, [], now);
  if (router.disconnectMethod !== "routeros") keepAccount(tx, router, { login, account: null });
}

function record(
  tx: Tx,
  by: Actor,
  router: Nas,
  { request, outcome, plan, now }: { request: SetupRequest; outcome: CarriedOut; plan: Plan; now: Seconds },
): void {
  if (plan.changes.length === 0) return;
  const count = (kind: Change["kind"]) => plan.changes.filter((change) => change.kind === kind).length;
  const did = { added: count("add"), changed: count("set"), removed: count("remove") };
  const after =
    outcome.kind === "done"
      ? did
      : { outcome: outcome.kind, failed: outcome.failed.menu, reason: outcome.reason.toString() };
  const action = request.mode === "setup" ? "nas.setup" : "nas.setup_removed";
  audit(tx, by, now, { action, entity: "nas", entityId: router.id, ispId: router.ispId, after });
}

async function look(
  db: Db,
  router: Nas,
  request: SetupRequest,
  { menus, tools }: { menus: RouterMenus; tools: SetupTools },
): Promise<Looked> {
  const { login, mode } = request;
  const version = await readVersion(menus, router);
  const users = await permitted(menus, router, login);
  const account = accountFor(db, router, users);
  const already = { asked: modelMenus, read: await readMenus(menus, modelMenus) };
  const model = buildModel({ version, menus: already.read });
  const choices = chosen(router, request);
  const script = await scriptFor(db, router, { account, menus, tools, ...request, choices, model });
  const desired = desiredState(script);
  const memory = readMemory(db, router.id);
  const queues: ChosenQueues =
    mode === "setup" ? toQueues(router) : { shaper: "none", isForLeases: false, dualStack: "whole" };
  const queries = [...listMenus(desired, memory), ...queueMenus(queues, memory)];
  const read = await readMenus(menus, queries, already);
  const accountWorks = mode === "setup" ? await signsIn(router, { login, account, users }, tools) : null;
  const state = { version, menus: read, accountWorks };
  // after giving back
  const plan = (mode === "setup" ? planSetup : planRemoval)(state, desired, memory);
  const ofQueues = planQueues(state, queues, memory);
  const isGivenBack = ({ kind, menu, id }: Change) =>
    kind === "set" && plan.changes.some((one) => one.menu === menu && one.id === id);
  const ofServers = planDualStack(state, queues.dualStack, memory);
  const changes = [
    ...plan.changes,
    ...[...ofQueues.changes, ...ofServers].filter((one) => !isGivenBack(one)),
  ];
  const left = [...plan.left, ...(script.found?.left ?? []), ...ofQueues.left];
  const profiles = script.found?.profiles ?? [];
  const isFastTracked = left.some(({ reason }) => reason === "fasttrack_left");
  return {
    plan: { changes, left },
    state,
    account,
    model,
    profiles,
    isFastTracked,
    choices,
    places: radiusPlaces(script),
  };
}

/** New choices override stored ones; empty resolvers mean the setting. */
function chosen(router: Nas, { choices = {} }: SetupRequest): SetupChoices {
  const now = Object.entries(choices).filter(([, choice]) => choice !== undefined);
  const { resolvers = [], ...rest }: SetupChoices = { ...parseChoices(router), ...Object.fromEntries(now) };
  return resolvers.length > 0 ? { ...rest, resolvers } : rest;
}

/** What a router is to have; nothing without a place and an account. */
export async function scriptFor(
  db: Db,
  router: Nas,
  {
    account,
    menus,
    tools,
    mode,
    hotspotName,
    choices = parseChoices(router),
    ...read
  }: {
    /** null: none is told of. */
    account: ApiAccount | null;
    menus: Pick<RouterMenus, "print">;
    tools: Pick<SetupTools, "now" | "findPlace" | "ownAddress">;
    mode: SetupRequest["mode"];
    hotspotName?: string | undefined;
    /** Absent: those of the last set-up. */
    choices?: SetupChoices | undefined;
    /** What was read of it already. */
    model?: RouterModel;
  },
): Promise<RouterScript> {
  const isSetup = mode === "setup";
  const expiredLists = isSetup ? confiningLists(db, router) : [];
  const isConfining = expiredLists.length > 0;
  const place = certifiedPlace(db, router, await tools.findPlace(router, expiredLists));
  const model = read.model ?? (await readModel(menus, router));
  const pools = { expired: findConfined(db, router).pools, paid: paidPools(db, router) };
  return {
    ...place,
    expiredLists,
    hotspotName,
    resolvers: isConfining ? resolversFor(db, router, model, choices.resolvers) : [],
    ...(isSetup && { found: foundOn(model, router.name, { pools, choices, isConfining }) }),
    secret: db.vault.openText(router.secretSealed),
    radsec: isSetup ? requireRadsec(db, router, place, tools.now) : null,
    coaPort: router.coaPort,
    dhcp: router.dhcp === 1,
    interimInterval: setting(db, "acct_interim_interval"),
    apiFiles: setting(db, "config_ftp"),
    api: isSetup ? account : null,
    apiFrom: [await tools.ownAddress(router)],
  };
}

async function readModel(menus: Pick<RouterMenus, "print">, router: Nas): Promise<RouterModel> {
  const version = await readVersion(menus, router);
  return buildModel({ version, menus: await readMenus(menus, modelMenus) });
}

/** Resolvers: the named, the setting's, the router, or its upstream. Throws `refused` for none. */
function resolversFor(
  db: Db,
  { name }: Nas,
  model: RouterModel,
  chosen: readonly string[] = parseResolvers(setting(db, "garden_dns")),
): readonly string[] {
  if (chosen.length > 0) return chosen;
  const [dns = {}] = model.rows("/ip/dns");
  const answers = dns["allow-remote-requests"] ?? "yes";
  if (answers === "true" || answers === "yes") return [];
  const resolvers = parseResolvers(`${dns["servers"] ?? ""},${dns["dynamic-servers"] ?? ""}`).filter(isIPv4);
  if (resolvers.length > 0) return resolvers.slice(0, 2);
  throw new DomainError(
    "refused",
    phrase`${name} answers nobody's questions for names and asks nobody itself, so who is expired would find no page; say whom they ask with --dns ADDRESS, or for every router with: gatehouse settings set garden_dns ADDRESS. Nothing was changed`,
  );
}

async function readVersion(menus: Pick<RouterMenus, "print">, { name }: Nas): Promise<RouterVersion> {
  const [resource] = (await menus.print("/system/resource")) ?? [];
  const version = parseVersion(resource?.["version"] ?? "");
  if (!version)
    throw new DomainError(
      "router_failed",
      phrase`${name} does not say which RouterOS it runs; nothing was changed`,
    );
  if (isSince(version, OLDEST)) return version;
  throw new DomainError(
    "refused",
    phrase`${name} runs RouterOS ${version.text}, and ${OLDEST} is the oldest that is set up; update it, or paste the commands. Nothing was changed`,
  );
}

type Users = NonNullable<Awaited<ReturnType<RouterMenus["print"]>>>;

/** Throws `refused` for too few rights. */
async function permitted(menus: RouterMenus, { name }: Nas, { username }: RouterLogin): Promise<Users> {
  const users = (await menus.print("/user")) ?? [];
  const group = users.find((user) => user["name"] === username)?.["group"];
  const [row] = group === undefined ? [] : ((await menus.print("/user/group", { name: group })) ?? []);
  const allowed = row?.["policy"]?.split(",");
  const missing = allowed
    ? ["read", "write", "policy", "sensitive"].filter((one) => !allowed.includes(one))
    : [];
  if (missing.length === 0) return users;
  throw new DomainError(
    "refused",
    phrase`${username} may not do this on ${name}: its group ${group} lacks ${missing.join(", ")}. Sign in as somebody of the group full; nothing was changed`,
  );
}

/** Ours if it exists there; else a new one. */
function accountFor(db: Db, { routerosUsername, routerosPasswordSealed }: Nas, users: Users): ApiAccount {
  const there = users.find((user) => user["name"] === routerosUsername);
  const isOurs = routerosUsername === API_USERNAME || !there || there["comment"] === MARK;
  if (routerosUsername !== null && routerosPasswordSealed !== null && isOurs)
    return { username: routerosUsername, password: db.vault.openText(routerosPasswordSealed) };
  return { username: API_USERNAME, password: randomBytes(18).toString("base64url") };
}

async function signsIn(
  router: Nas,
  { login, account, users }: { login: RouterLogin; account: ApiAccount; users: Users },
  { open }: SetupTools,
): Promise<boolean | null> {
  if (router.routerosUsername !== account.username) return null;
  if (!users.some((user) => user["name"] === account.username)) return null;
  try {
    await open(router, { ...login, ...account }, async () => {});
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}

/** The change with its password, inserted last, because it differs each time. */
function withPassword(change: Change, { password }: ApiAccount): Change {
  return change.menu === "/user" && change.values["password"] !== undefined
    ? { ...change, values: { ...change.values, password } }
    : change;
}

function hashDifference({ changes, left }: Plan, version: RouterVersion): Difference {
  const withoutSecrets = (values: Values) =>
    Object.entries(values).map(([name, value]) => [name, isSecret(name) ? "" : value]);
  const steps = changes.map(({ kind, menu, id, key, values, place }) => [
    ...[kind, menu, id, key, place ?? null],
    withoutSecrets(values),
  ]);
  const digest = createHash("sha256").update(JSON.stringify(steps)).digest("hex");
  return { version: version.text, changes, left, digest };
}
