import { isIP } from "node:net";
import type { Db } from "../../db/open.ts";
import { toApiNas, type ApiNas } from "../domain/service/control/routers.ts";
import { DomainError } from "../domain/core/errors/errors.ts";
import { type Phrase, phrase, phrases, verbatim } from "../domain/core/errors/phrase.ts";
import { API_USERNAME } from "../domain/goods/router-setup/api-account.ts";
import type { Nas } from "../domain/goods/nas/find.ts";
import { FIRST_RULE, NTP } from "../domain/goods/router-setup/script.ts";
import { lastSeen } from "../domain/goods/nas/last-seen.ts";
import type { TestStep } from "../domain/goods/nas/test.ts";
import { setting } from "../domain/core/settings/settings.ts";
import { type Clock, formatTime, type Seconds } from "../domain/core/time/time.ts";
import { CoaClient } from "../radius/client/coa.ts";
import { type CoaProbe, probeCoa } from "../radius/client/coa-probe.ts";
import { RouterosClient } from "../routeros/client.ts";
import { RouterosError } from "../routeros/fault.ts";
import { probePermissions, readClock } from "../routeros/probe.ts";
import { ownAddressTowards } from "./own-address.ts";

/** Seconds. A clock that is further off spoils certificates and the router's log; RADIUS does not mind. */
const CLOCK_TOLERANCE = 120;
const CONNECT = 5000;

/** Probes what a disconnect needs; `listen` is our RADIUS port. Rejects with `refused` for a network, which is no single router. */
export async function askRouter(
  db: Db,
  router: Nas,
  { address, listen, clock }: { address: string | undefined; listen: string; clock: Clock },
): Promise<TestStep[]> {
  const seen = lastSeen(db, router.id);
  const target = address ?? (router.address.includes("/") ? seen?.nasAddress : router.address);
  if (target === undefined || isIP(target) === 0)
    throw new DomainError(
      "refused",
      phrase`${router.name} is a network, ${router.address}; name one router of it: --address ADDRESS`,
    );
  const server = await ownAddressTowards(router, listen);
  const client = new CoaClient();
  try {
    if (router.radsec === 1)
      return await askByRadsec(db, router, { target, server, clock, heardAt: seen?.at });
    const [probe, api] = await Promise.all([
      probeCoa(client, {
        address: target,
        port: router.coaPort,
        secret: db.vault.open(router.secretSealed),
        localAddress: seen?.nasAddress === target ? seen.localAddress : null,
        wait: setting(db, "max_coa_wait") * 1000,
        messageAuthenticator: setting(db, "coa_message_authenticator"),
        eventTimestamp: router.coaEventTimestamp === 1,
      }),
      testApi(toApiNas(db, router), server, clock),
    ]);
    const coa = coaFinding(probe, router, server);
    return [
      await reachable(target, server, probe, api),
      coa,
      secretFinding(probe, server, seen?.at),
      ...(coa.status === "ok" && isOptional(router) ? api.map(excused) : api),
    ];
  } finally {
    client.close();
  }
}

/** A router with RadSec has no CoA port to probe: its API alone is left, where it has one. */
async function askByRadsec(
  db: Db,
  router: Nas,
  {
    target,
    server,
    clock,
    heardAt,
  }: { target: string; server: string; clock: Clock; heardAt: Seconds | undefined },
): Promise<TestStep[]> {
  const api = await testApi(toApiNas(db, router), server, clock);
  const isReached = api.some(({ check, status }) => check === "api" && status === "ok");
  return [
    isReached
      ? ok("reachable", phrase`${target} answers`)
      : skipped(
          "reachable",
          phrase`it asks by RadSec and dials us, from wherever it is; nothing has to reach it but for its API`,
        ),
    skipped("coa", phrase`there is no CoA by RadSec`),
    heardAt === undefined
      ? skipped("secret", phrase`nothing has come from it yet`)
      : ok(
          "secret",
          phrase`the accounting that came at ${formatTime(heardAt)} was proven by its certificate or our secret`,
        ),
    ...api,
  ];
}

/** An answer of any kind is proof; where there is none, the system's ping decides. */
async function reachable(address: string, server: string, coa: CoaProbe, api: TestStep[]): Promise<TestStep> {
  const isProven =
    coa.kind !== "silent" || api.some(({ check, status }) => check === "api" && status === "ok");
  if (isProven) return ok("reachable", phrase`${address} answers`);
  const isPinged = await pings(address);
  if (isPinged) return ok("reachable", phrase`${address} answers ping`);
  return failed(
    "reachable",
    isPinged === undefined
      ? phrase`${address} answers neither CoA nor its API; check cable, address and route first`
      : phrase`${address} answers neither CoA nor its API nor ping; check cable, address and route first`,
    `/ip firewall filter add chain=input action=accept src-address=${server} comment=gatehouse ; ${FIRST_RULE}`,
  );
}

/** Whether the router answers a ping; undefined where the system has no ping. */
async function pings(address: string): Promise<boolean | undefined> {
  const ping = Bun.which("ping");
  if (!ping) return undefined;
  const child = Bun.spawn([ping, "-c", "1", "-W", "1", address], { stdout: "ignore", stderr: "ignore" });
  return (await child.exited) === 0;
}

function coaFinding(probe: CoaProbe, { coaPort }: Nas, server: string): TestStep {
  const accept = `/radius incoming set accept=yes port=${coaPort}`;
  if (probe.kind === "silent") {
    const firewall = `/ip firewall filter add chain=input action=accept protocol=udp src-address=${server} dst-port=${coaPort} comment=gatehouse ; ${FIRST_RULE}`;
    return failed("coa", phrase`port ${coaPort} does not answer`, `${accept} ; ${firewall}`);
  }
  if (probe.port !== coaPort)
    return failed("coa", phrase`port ${coaPort} does not answer, port ${probe.port} does instead`, accept);
  if (probe.kind === "refuses")
    return failed("coa", phrase`port ${coaPort} answers and refuses: ${probe.words}`, accept);
  return ok(
    "coa",
    probe.kind === "answers"
      ? phrase`port ${coaPort} answers: ${probe.words}`
      : phrase`port ${coaPort} answers`,
  );
}

function secretFinding(probe: CoaProbe, server: string, heardAt: Seconds | undefined): TestStep {
  if (probe.kind === "answers" || probe.kind === "refuses")
    return ok("secret", phrase`its answer is signed with our secret`);
  const remedy = `/radius set [find address=${server}] secret=<the secret of: gatehouse nas script>`;
  if (probe.kind === "forged")
    return failed("secret", phrase`its answer is signed with another secret`, remedy);
  if (heardAt !== undefined)
    return ok(
      "secret",
      phrase`the accounting that came at ${formatTime(heardAt)} was signed with our secret`,
    );
  return skipped("secret", phrase`unknown while CoA does not answer`);
}

async function testApi(router: ApiNas | undefined, server: string, now: () => Seconds): Promise<TestStep[]> {
  const rest = (detail: Phrase) => [skipped("permissions", detail), skipped("clock", detail)];
  if (!router)
    return [
      skipped("api", phrase`the RouterOS API is not set up for this NAS`),
      ...rest(phrase`needs the API`),
    ];
  const { host, port, username } = router;
  let client: RouterosClient | undefined;
  try {
    client = await RouterosClient.open(router, CONNECT);
    return [
      ok("api", phrase`${host}:${port} accepts the login of ${username}`),
      await permissionsFinding(client),
      await clockFinding(client, now),
    ];
  } catch (error) {
    if (!(error instanceof RouterosError)) throw error;
    const remedy = client ? null : apiFix(error, router, server);
    return [
      failed("api", phrases([verbatim(`${host}:${port}`), error.phrase], ": "), remedy),
      ...rest(phrase`needs the API`),
    ];
  } finally {
    client?.close();
  }
}

/** Whether `nas script` alone set the API up, and nothing but a change of speed, which CoA cannot do, would need it. */
function isOptional({ address, disconnectMethod, routerosHost, routerosUsername }: Nas): boolean {
  return disconnectMethod !== "routeros" && routerosHost === address && routerosUsername === API_USERNAME;
}

function excused(finding: TestStep): TestStep {
  if (finding.check !== "api" || finding.status !== "failed") return finding;
  const detail = phrase`${finding.detail}; CoA works without it, as long as no subscriber is of connection type 3 or 4`;
  return { ...finding, status: "skipped", detail };
}

function apiFix({ code }: RouterosError, { tls, port, username }: ApiNas, server: string): string | null {
  const service = tls ? "api-ssl" : "api";
  switch (code) {
    case "login":
      return `/user set ${username} password=<the password of the NAS> disabled=no address=${server}`;
    case "tls":
      return `/certificate add name=gatehouse common-name=gatehouse ; /certificate sign gatehouse ; /ip service set api-ssl certificate=gatehouse disabled=no`;
    case "certificate":
      return `/certificate print detail`;
    default:
      return `/ip service set ${service} disabled=no port=${port} address=${server}`;
  }
}

async function permissionsFinding(client: RouterosClient): Promise<TestStep> {
  const refusal = await probePermissions(client);
  if (refusal === undefined) return ok("permissions", phrase`it may read who is online and end sessions`);
  return failed("permissions", refusal, "/user group set gatehouse policy=api,read,write");
}

async function clockFinding(client: RouterosClient, now: () => Seconds): Promise<TestStep> {
  const clock = await readClock(client);
  const remedy = NTP;
  if (clock === undefined) return failed("clock", phrase`the router does not say what time it is`, remedy);
  const difference = clock - now();
  const seconds = Math.abs(difference);
  const detail =
    difference < 0 ? phrase`it is ${seconds} s behind ours` : phrase`it is ${seconds} s ahead of ours`;
  return seconds > CLOCK_TOLERANCE ? failed("clock", detail, remedy) : ok("clock", detail);
}

function skipped(check: TestStep["check"], detail: Phrase): TestStep {
  return { check, status: "skipped", detail, remedy: null };
}

function ok(check: TestStep["check"], detail: Phrase): TestStep {
  return { check, status: "ok", detail, remedy: null };
}

function failed(check: TestStep["check"], detail: Phrase, remedy: string | null): TestStep {
  return { check, status: "failed", detail, remedy };
}
