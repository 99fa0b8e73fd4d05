import type { Command } from "commander";
import { isIP } from "node:net";
import type { Db } from "../../db/open.ts";
import { apiOf, type ApiNas } from "../domain/control/routers.ts";
import { isOtherKind } from "../domain/nas/kind.ts";
import { API_USERNAME } from "../domain/nas/api-account.ts";
import { lastHeard } from "../domain/nas/last-heard.ts";
import type { Nas } from "../domain/nas/find.ts";
import { nasNamed } from "../domain/nas/nas.ts";
import { setting } from "../domain/settings/settings.ts";
import { formatTime, type Seconds } from "../domain/time.ts";
import { CoaClient } from "../radius/client/coa.ts";
import { type CoaProbe, probeCoa } from "../radius/client/coa-probe.ts";
import { RouterosClient } from "../routeros/client.ts";
import { RouterosError } from "../routeros/fault.ts";
import { probePermissions, readClock } from "../routeros/probe.ts";
import type { Cli } from "./cli.ts";
import { printState } from "./cells.ts";
import { CommandError, printJson } from "./io.ts";
import { ownAddressTowards } from "./nas-script.ts";

/** One thing that was looked at; `remedy` is the RouterOS command that corrects it, null for a router of another kind. */
interface Finding {
  check: "reachable" | "coa" | "secret" | "api" | "permissions" | "clock";
  status: "ok" | "failed" | "skipped";
  detail: string;
  remedy: string | null;
}

/** Seconds by which a router's clock may differ: certificates and its own log suffer beyond that, RADIUS does not. */
const CLOCK_TOLERANCE = 120;
const CONNECT = 5000;

export function addNasTest(nas: Command, cli: Cli): void {
  nas
    .command("test")
    .description(
      "ask a router for what a disconnect needs, and print the RouterOS command that adds what is missing",
    )
    .argument("<nas>", "its name, address or id")
    .option("--address <address>", "the router to ask, where the NAS is a network")
    .option("--json", "print JSON")
    .action(async (named: string, { address, json }: { address?: string; json?: boolean }) => {
      const findings = await cli.withStore(async (db) => {
        const router = nasNamed(db, cli.by, named);
        const all = await testRouter(db, router, cli, address);
        return isOtherKind(db, router) ? all.map(inPlainWords) : all;
      });
      // mend is the name that remedy had in 0.1, for programs that read it; it goes after 0.2
      if (json)
        printJson(
          cli.io,
          findings.map((finding) => ({ ...finding, mend: finding.remedy })),
        );
      else for (const finding of findings) printState(cli.io, finding.status, 7, shown(finding));
      const failed = findings.filter(({ status }) => status === "failed").map(({ check }) => check);
      if (failed.length > 0) throw new CommandError(`${named} failed: ${failed.join(", ")}`);
    });
}

/** What to do on a router that has no use for commands of RouterOS. */
function inPlainWords(finding: Finding): Finding {
  const { check, status, detail } = finding;
  const words = status === "failed" ? remediesInWords[check] : undefined;
  return { ...finding, detail: words === undefined ? detail : `${detail}; ${words}`, remedy: null };
}

const remediesInWords: { readonly [K in Finding["check"]]?: string } = {
  coa: "let the router take dynamic authorization (RFC 5176) from this server, at the coa_port of the NAS and through its firewall",
  secret: "set the same RADIUS secret on both sides",
};

function shown({ check, detail, remedy }: Finding): string {
  const line = `${check.padEnd(11)}  ${detail}`;
  return remedy === null ? line : `${line}; remedy: ${remedy}`;
}

async function testRouter(db: Db, router: Nas, cli: Cli, address: string | undefined): Promise<Finding[]> {
  const heard = lastHeard(db, router.id);
  const asked = address ?? (router.address.includes("/") ? heard?.nasAddress : router.address);
  if (asked === undefined || isIP(asked) === 0)
    throw new CommandError(
      `${router.name} is a network, ${router.address}; name one router of it: --address ADDRESS`,
    );
  const server = await ownAddressTowards(router, cli.config.radiusAuthListen.host);
  const client = new CoaClient();
  try {
    const [probe, api] = await Promise.all([
      probeCoa(client, {
        address: asked,
        port: router.coaPort,
        secret: db.vault.open(router.secretSealed),
        localAddress: heard?.nasAddress === asked ? heard.localAddress : null,
        wait: setting(db, "max_coa_wait") * 1000,
        messageAuthenticator: setting(db, "coa_message_authenticator"),
        eventTimestamp: router.coaEventTimestamp === 1,
      }),
      testApi(apiOf(db, router), server, cli.now),
    ]);
    const coa = coaFinding(probe, router, server);
    return [
      await reachable(asked, server, probe, api),
      coa,
      secretFinding(probe, server, heard?.at),
      ...(coa.status === "ok" && isOptional(router) ? api.map(excused) : api),
    ];
  } finally {
    client.close();
  }
}

/** An answer of any kind is proof; where there is none, the system's ping decides. */
async function reachable(address: string, server: string, coa: CoaProbe, api: Finding[]): Promise<Finding> {
  const isProven =
    coa.kind !== "silent" || api.some(({ check, status }) => check === "api" && status === "ok");
  if (isProven) return ok("reachable", `${address} answers`);
  const isPinged = await pings(address);
  if (isPinged) return ok("reachable", `${address} answers ping`);
  const tried = isPinged === undefined ? "CoA nor its API" : "CoA nor its API nor ping";
  return failed(
    "reachable",
    `${address} answers neither ${tried}; check cable, address and route first`,
    `/ip/firewall/filter/add chain=input action=accept src-address=${server} place-before=0 comment=gatehouse`,
  );
}

/** undefined where the system has no ping. */
async function pings(address: string): Promise<boolean | undefined> {
  const ping = Bun.which("ping");
  if (!ping) return undefined;
  const child = Bun.spawn([ping, "-c", "1", "-W", "1", address], { stdout: "ignore", stderr: "ignore" });
  return (await child.exited) === 0;
}

function coaFinding(probe: CoaProbe, { coaPort }: Nas, server: string): Finding {
  const accept = `/radius/incoming/set accept=yes port=${coaPort}`;
  if (probe.kind === "silent") {
    const firewall = `/ip/firewall/filter/add chain=input action=accept protocol=udp src-address=${server} dst-port=${coaPort} place-before=0 comment=gatehouse-coa`;
    return failed("coa", `port ${coaPort} does not answer`, `${accept} ; ${firewall}`);
  }
  if (probe.port !== coaPort)
    return failed("coa", `port ${coaPort} does not answer, port ${probe.port} does instead`, accept);
  return ok("coa", `port ${coaPort} answers${probe.kind === "answers" ? `: ${probe.words}` : ""}`);
}

function secretFinding(probe: CoaProbe, server: string, heardAt: Seconds | undefined): Finding {
  if (probe.kind === "answers") return ok("secret", "its answer is signed with our secret");
  const remedy = `/radius/set [find address=${server}] secret=<the secret of: gatehouse nas script>`;
  if (probe.kind === "forged") return failed("secret", "its answer is signed with another secret", remedy);
  if (heardAt !== undefined)
    return ok("secret", `the accounting that came at ${formatTime(heardAt)} was signed with our secret`);
  return { check: "secret", status: "skipped", detail: "unknown while CoA does not answer", remedy: null };
}

async function testApi(router: ApiNas | undefined, server: string, now: () => Seconds): Promise<Finding[]> {
  const skipped = (check: Finding["check"], detail: string): Finding => ({
    check,
    status: "skipped",
    detail,
    remedy: null,
  });
  const rest = (detail: string) => [skipped("permissions", detail), skipped("clock", detail)];
  if (!router)
    return [skipped("api", "the RouterOS API is not set up for this NAS"), ...rest("needs the API")];
  const { host, port, username } = router;
  let client: RouterosClient | undefined;
  try {
    client = await RouterosClient.open(router, CONNECT);
    return [
      ok("api", `${host}:${port} accepts the login of ${username}`),
      await permissionsFinding(client),
      await clockFinding(client, now),
    ];
  } catch (error) {
    if (!(error instanceof RouterosError)) throw error;
    const remedy = client ? null : apiRemedy(error, router, server);
    return [failed("api", `${host}:${port}: ${error.message}`, remedy), ...rest("needs the API")];
  } finally {
    client?.close();
  }
}

/** Whether nobody set the API up but `nas script`, and only what CoA cannot do would need it. */
function isOptional({ address, disconnectMethod, routerosHost, routerosUsername }: Nas): boolean {
  return disconnectMethod !== "routeros" && routerosHost === address && routerosUsername === API_USERNAME;
}

function excused(finding: Finding): Finding {
  if (finding.check !== "api" || finding.status !== "failed") return finding;
  const detail = `${finding.detail}; CoA works without it, as long as no subscriber is of connection type 3 or 4`;
  return { ...finding, status: "skipped", detail };
}

function apiRemedy({ code }: RouterosError, { tls, port, username }: ApiNas, server: string): string | null {
  const service = tls ? "api-ssl" : "api";
  switch (code) {
    case "login":
      return `/user/set ${username} password=<the password of the NAS> disabled=no address=${server}`;
    case "tls":
      return `/certificate/add name=gatehouse common-name=gatehouse ; /certificate/sign gatehouse ; /ip/service/set api-ssl certificate=gatehouse disabled=no`;
    case "certificate":
      return `/certificate/print detail`;
    default:
      return `/ip/service/set ${service} disabled=no port=${port} address=${server}`;
  }
}

async function permissionsFinding(client: RouterosClient): Promise<Finding> {
  const refusal = await probePermissions(client);
  if (refusal === undefined) return ok("permissions", "it may read who is online and end sessions");
  return failed("permissions", refusal, "/user/group/set gatehouse policy=api,read,write");
}

async function clockFinding(client: RouterosClient, now: () => Seconds): Promise<Finding> {
  const clock = await readClock(client);
  const remedy = "/system/ntp/client/set enabled=yes servers=pool.ntp.org";
  if (clock === undefined) return failed("clock", "the router does not say what time it is", remedy);
  const difference = clock - now();
  const words = `${Math.abs(difference)} s ${difference < 0 ? "behind" : "ahead of"} ours`;
  return Math.abs(difference) > CLOCK_TOLERANCE
    ? failed("clock", `it is ${words}`, remedy)
    : ok("clock", `it is ${words}`);
}

function ok(check: Finding["check"], detail: string): Finding {
  return { check, status: "ok", detail, remedy: null };
}

function failed(check: Finding["check"], detail: string, remedy: string | null): Finding {
  return { check, status: "failed", detail, remedy };
}
