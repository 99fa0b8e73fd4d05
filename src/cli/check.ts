import { walledFindings } from "./server-findings.ts";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Command } from "commander";
import type { Config } from "../config/config.ts";
import { formatListen, type Listen } from "../config/listen.ts";
import { type Db, openReader } from "../../db/open.ts";
import { nodeLinkState } from "../domain/machine/access-boxes/link-state.ts";
import { type OwnStanding, ownStanding } from "../domain/machine/access-boxes/own-standing.ts";
import { makeBoxReport } from "../domain/machine/access-boxes/report.ts";
import { accessState } from "../domain/machine/access-boxes/state.ts";
import { checkOwnBox } from "../domain/machine/check/access-boxes.ts";
import { checkBuffers, checkLateLogins } from "../domain/machine/check/buffers.ts";
import { checkStore } from "../domain/machine/check/check.ts";
import { checkUpkeep } from "../domain/machine/upkeep/upkeep.ts";
import { checkHeld } from "../domain/machine/check/held.ts";
import { checkScrapes } from "../domain/machine/check/scrapes.ts";
import { error, type Finding, ok, printed, warning } from "../domain/machine/check/finding.ts";
import { hasServerKeys } from "../domain/goods/radsec/keys.ts";
import type { Seconds } from "../domain/core/time/time.ts";
import { errorCode, ListenError } from "../listen-error.ts";
import { FULL_BUFFER } from "../os/libc.ts";
import { bindPort, closePort } from "../os/server-socket.ts";
import { buffersIn, lateLoginsIn, toPortBuffers } from "./buffers.ts";
import { checkCertificate } from "./certificate.ts";
import { machineClock } from "../os/machine.ts";
import type { Cli } from "./cli.ts";
import { explainStore } from "./explain.ts";
import { printState } from "./cells.ts";
import { CommandError, printJson } from "./io.ts";
import { version } from "./version.ts";

export function addCheckCommand(program: Command, cli: Cli): void {
  program
    .command("check")
    .description("look for what is wrong: database, money, settings, certificate, ports, clock")
    .option("--serving", "only whether the server answers; exit code 1 when it does not")
    .option("--json", "print JSON")
    .action(async ({ serving, json }: { serving?: boolean; json?: boolean }) => {
      const { config, io } = cli;
      if (serving) {
        if (await isServing(config)) return;
        throw new CommandError("gatehouse does not serve; start it with: systemctl start gatehouse");
      }
      const findings = [
        ...(await checkData(cli)),
        ...checkPrivacy(config.dataDir),
        ...checkCertificate(config, cli.now()),
        ...(await checkPorts(config, cli.now())),
      ];
      if (json) printJson(io, findings.map(printed));
      else
        for (const { severity, subject, message } of findings)
          printState(io, severity, 7, `${subject}: ${message}`);
      const errors = findings.filter(({ severity }) => severity === "error").length;
      if (errors > 0)
        throw new CommandError(
          `${errors} of ${findings.length} findings are errors; correct them and run: gatehouse check`,
        );
    });
}

/** The state of an access box, as its server wrote it last. */
function ownStandingNow(db: Db, { config, now }: Cli): OwnStanding {
  const elapsed = machineClock();
  const report = makeBoxReport(db, {
    folder: config.dataDir,
    version,
    clock: now,
    elapsed,
    begun: elapsed.uptime(),
  });
  return ownStanding(db, { link: nodeLinkState(db), report, now: now() });
}

async function checkData(cli: Cli): Promise<Finding[]> {
  const { dataDir, metricsToken } = cli.config;
  try {
    return await cli.readStore((db) => [
      ...checkHeld(db),
      ...checkStore(db, cli.by, { now: cli.now() }),
      ...(accessState(db).role === "access" ? checkOwnBox(ownStandingNow(db, cli), cli.now()) : []),
      ...(accessState(db).role === "access" ? [] : checkUpkeep(db, cli.by, dataDir, { now: cli.now() })),
      ...(accessState(db).role === "access" ? [] : walledFindings(db, cli.config)),
      ...checkScrapes(db, cli.by, { hasToken: metricsToken !== null }, { now: cli.now() }),
    ]);
  } catch (cause) {
    const message = explainStore(cause, () => dataDir);
    if (message === undefined) throw cause;
    return [error("database", message, "books_damaged", { wrong: 1 })];
  }
}

/** Whoever reads the key and the database knows every password. */
function checkPrivacy(folder: string): Finding[] {
  const subject = "files";
  const open = ["secret.key", "gatehouse.db"]
    .map((name) => join(folder, name))
    .filter((file) => existsSync(file) && (statSync(file).mode & 0o077) !== 0);
  if (open.length === 0)
    return [{ severity: "ok", subject, message: "the key and the database are their owner's alone" }];
  return open.map((file) =>
    warning(
      subject,
      `${file} is accessible to others than its owner; run: chmod 600 ${file}`,
      "files_open",
      {},
    ),
  );
}

/** A port is good when a running gatehouse serves it, or when it is free for one. */
async function checkPorts(config: Config, now: Seconds): Promise<Finding[]> {
  const answer = await askHealth(config);
  if (answer !== undefined && !answer.isServing)
    return [
      error(
        "ports",
        `gatehouse runs on ${formatListen(config.httpListen)} and serves nobody${answer.says === null ? "; see: journalctl -u gatehouse" : `: ${answer.says}`}`,
        "server_stopped",
        {},
      ),
    ];
  if (answer)
    return [
      { severity: "ok", subject: "ports", message: `gatehouse serves on ${formatListen(config.httpListen)}` },
      ...(await metricFindings(config, now)),
      ...(config.publicListen ? await checkPublic(config.publicListen) : []),
      ...(await checkRadsec(config)),
    ];
  const findings = await Promise.all([
    checkPort("HTTP", config.httpListen, bindTcp),
    ...(config.publicListen ? [checkPort("public HTTP", config.publicListen, bindTcp)] : []),
    ...(config.walledListen ? [checkPort("walled garden HTTP", config.walledListen, bindTcp)] : []),
    checkPort("RADIUS authentication", config.radiusAuthListen, bindUdp),
    checkPort("RADIUS accounting", config.radiusAcctListen, bindUdp),
  ]);
  return [
    warning(
      "ports",
      "gatehouse is not serving; start it with: systemctl start gatehouse",
      "server_stopped",
      {},
    ),
    ...findings,
  ];
}

/** A running server opens no public listener without a certificate for it. */
async function checkPublic(listen: Listen): Promise<Finding[]> {
  const { host, port } = reachable(listen);
  try {
    const socket = await Bun.connect({ hostname: host, port, socket: { data() {} } });
    socket.end();
    return [];
  } catch {
    const message = `the public listener ${formatListen(listen)} is shut: journalctl -u gatehouse says why`;
    return [error("ports", message, "public_shut", {})];
  }
}

/** A running server serves RadSec once a router has a certificate. */
async function checkRadsec({ dataDir, radsecListen }: Config): Promise<Finding[]> {
  const db = openReader(dataDir);
  const isWanted = hasServerKeys(db);
  db.$client.close();
  if (!isWanted) return [];
  const subject = "RadSec";
  if (radsecListen === null)
    return [
      error(
        subject,
        "it is off by GATEHOUSE_RADSEC_LISTEN, and routers have certificates for it",
        "radsec_off",
        {},
      ),
    ];
  try {
    await bindTcp(radsecListen);
  } catch {
    // a connection without a certificate would be a line in its log
    return [ok(subject, `it is served on ${formatListen(radsecListen)}`)];
  }
  return [
    error(
      subject,
      `it is not served on ${formatListen(radsecListen)}: journalctl -u gatehouse says why`,
      "radsec_shut",
      {},
    ),
  ];
}

function reachable({ host, port }: Listen): Listen {
  return { host: host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host, port };
}

export async function isServing(config: Config): Promise<boolean> {
  return (await askHealth(config))?.isServing ?? false;
}

const healthAnswer = Type.Object({ status: Type.String(), says: Type.Optional(Type.String()) });

/** Milliseconds after which a server does not answer: one of a busy machine does within seconds. */
const PATIENCE = 5000;

function askServer({ httpListen, tls }: Pick<Config, "httpListen" | "tls">, path: string, headers = {}) {
  // it is our own certificate, and may be for another name
  return fetch(`${tls?.lan ? "https" : "http"}://${formatListen(reachable(httpListen))}${path}`, {
    headers,
    signal: AbortSignal.timeout(PATIENCE),
    tls: { rejectUnauthorized: false },
  });
}

/** What the metrics of a running server tell of its RADIUS ports; nothing where it refuses us. */
async function metricFindings({ metricsToken, ...config }: Config, now: Seconds): Promise<Finding[]> {
  try {
    const response = await askServer(config, "/metrics", { authorization: `Bearer ${metricsToken}` });
    const metrics = await response.text();
    return [
      ...checkBuffers(toPortBuffers(buffersIn(metrics)), { wanted: FULL_BUFFER, now }),
      ...checkLateLogins(lateLoginsIn(metrics), now),
    ];
  } catch {
    return [];
  }
}

/** Health of a server with this configuration; undefined: none answers. */
async function askHealth({
  httpListen,
  tls,
}: Config): Promise<{ isServing: boolean; says: string | null } | undefined> {
  try {
    const response = await askServer({ httpListen, tls }, "/healthz");
    const body: unknown = await response.json();
    if (!Value.Check(healthAnswer, body)) return undefined; // another program
    return { isServing: response.ok, says: body.says ?? null };
  } catch {
    return undefined;
  }
}

async function checkPort(
  name: string,
  listen: Listen,
  bind: (listen: Listen) => Promise<void>,
): Promise<Finding> {
  const subject = "ports";
  try {
    await bind(listen);
    return { severity: "ok", subject, message: `${name} can listen on ${formatListen(listen)}` };
  } catch (cause) {
    const { reason } = new ListenError("http", listen, { code: errorCode(cause), message: String(cause) });
    return error(subject, `${name} cannot listen on ${formatListen(listen)}: ${reason}`, "port_taken", {});
  }
}

async function bindTcp({ host, port }: Listen): Promise<void> {
  Bun.listen({ hostname: host, port, socket: { data() {} } }).stop(true);
}

async function bindUdp(listen: Listen): Promise<void> {
  closePort(bindPort(listen));
}
