import type { Logger } from "pino";
import type { Db } from "../../db/open.ts";
import type { Config } from "../config/config.ts";
import { formatListen } from "../config/listen.ts";
import { checkBuffers, checkLateLogins } from "../domain/machine/check/buffers.ts";
import { checkSetup } from "../domain/machine/check/check.ts";
import { type Finding, error, ok, warning } from "../domain/machine/check/finding.ts";
import { checkPortal } from "../domain/machine/check/portal.ts";
import { checkScrapes } from "../domain/machine/check/scrapes.ts";
import { checkUpkeep } from "../domain/machine/upkeep/upkeep.ts";
import { hasServerKeys } from "../domain/goods/radsec/keys.ts";
import { operator } from "../domain/core/actor/operator.ts";
import type { Seconds } from "../domain/core/time/time.ts";
import { inEnglish } from "../http/words/own-faults.ts";
import { ownWords } from "../http/words/own.ts";
import type { RadiusServer } from "../radius/server/server.ts";
import { FULL_BUFFER } from "../os/libc.ts";
import { toPortBuffers } from "./buffers.ts";
import { checkCertificate } from "./certificate.ts";
import type { Listeners } from "./listeners.ts";
import { hasOwnPortal } from "./own-portal.ts";
import { version } from "./version.ts";

interface Needs {
  readonly config: Config;
  readonly db: Db;
  readonly radius: RadiusServer;
  readonly listeners: Listeners;
}

export function serverFindings({ config, db, radius, listeners }: Needs, now: Seconds): readonly Finding[] {
  const by = operator("gatehouse", "system");
  return [
    radius.isListening()
      ? ok("RADIUS", "both ports listen")
      : error("RADIUS", "a port does not listen; the log says why", "radius_shut", {}),
    ...checkBuffers(toPortBuffers(radius.buffer), { wanted: FULL_BUFFER, now }),
    ...checkLateLogins(radius.lateLogins(), now),
    ...radsecFindings(db, config, radius),
    ...checkSetup(db, by, { now }),
    ...checkUpkeep(db, by, config.dataDir, { now }),
    ...checkCertificate(config, now),
    ...listeners.findings(),
    ...walledFindings(db, config),
    ...ownWordsFindings(),
    ...checkScrapes(db, by, { hasToken: config.metricsToken !== null }, { now }),
  ];
}

export function walledFindings(db: Db, config: Config): Finding[] {
  return config.walledListen === null ? [] : checkPortal(db, { isServed: hasOwnPortal(config) });
}

function ownWordsFindings(): Finding[] {
  const { faults } = ownWords();
  const [first] = faults;
  if (!first) return [];
  const more = faults.length > 1 ? `; so are ${faults.length - 1} more` : "";
  const message = `not used is ${inEnglish(first)}${more}; see all with: gatehouse words check`;
  return [warning("own words", message, "own_words", { count: faults.length, file: first.file })];
}

function radsecFindings(db: Db, { radsecListen }: Config, radius: RadiusServer): Finding[] {
  if (!hasServerKeys(db)) return [];
  if (radsecListen === null)
    return [
      error(
        "RadSec",
        "it is off by GATEHOUSE_RADSEC_LISTEN, and routers have certificates for it",
        "radsec_off",
        {},
      ),
    ];
  return radius.radsec()
    ? [ok("RadSec", `it is served on ${formatListen(radsecListen)}`)]
    : [
        error(
          "RadSec",
          `it is not served on ${formatListen(radsecListen)}; the log says why`,
          "radsec_shut",
          {},
        ),
      ];
}

export function logFindings(log: Logger, findings: readonly Finding[]): void {
  for (const { severity, subject, message } of findings)
    log[severity === "ok" ? "debug" : severity === "warning" ? "warn" : "error"]({ subject }, message);
}

export function statusLine(findings: readonly Finding[]): string {
  const faults = findings.filter(({ severity }) => severity !== "ok").length;
  const state = faults === 0 ? "all is well" : `${faults} findings, see: gatehouse check`;
  return `gatehouse ${version} serves; ${state}`;
}
