import { randomUUID } from "node:crypto";
import type { Db } from "../../../../db/open.ts";
import { type Actor, requireWholeIsp } from "../../core/actor/actor.ts";
import { type Phrase, phrase } from "../../core/errors/phrase.ts";
import { permit } from "../../core/actor/permissions.ts";
import { type Clock, formatTime, type Seconds } from "../../core/time/time.ts";
import type { Arrivals } from "../nas/arrivals.ts";
import { firstWords } from "../nas/first-words.ts";
import { type AskRouter, testNas, type TestStep } from "../nas/test.ts";
import type { RouterMenus } from "./menus.ts";
import { MARK } from "./mark.ts";

export interface ProofStep extends Omit<TestStep, "check"> {
  readonly check: TestStep["check"] | "login" | "heard";
}

/** `isTried`: a packet is on its way. */
export interface RouterTry {
  readonly step: ProofStep;
  readonly isTried: boolean;
}

/** Has the router send a login for nobody, where it can (an unauthenticated hotspot guest); else reads its counters. */
export async function tryFromRouter(menus: RouterMenus): Promise<RouterTry> {
  const hosts = (await menus.print("/ip/hotspot/host")) ?? [];
  const no = (value: string | undefined) => value !== "true" && value !== "yes";
  const guest = hosts.find((host) => no(host["authorized"]) && no(host["bypassed"]) && host["mac-address"]);
  if (!guest) return { step: await readCounters(menus), isTried: false };
  const answer = await menus.run("/ip/hotspot/active/login", {
    user: `gatehouse-test-${randomUUID()}`,
    password: randomUUID(),
    "mac-address": guest["mac-address"] ?? "",
    ip: guest["address"] ?? "",
  });
  const refusal = "refusal" in answer ? answer.refusal : "";
  const isSeen = !/not responding|timed? ?out/i.test(refusal);
  const detail = isSeen
    ? phrase`it asked for a login of nobody, and heard our refusal: ${refusal || "refused"}`
    : phrase`it asked for a login and heard no answer that it believes: ${refusal}`;
  return { step: step(isSeen ? "ok" : "failed", detail), isTried: isSeen };
}

async function readCounters(menus: RouterMenus): Promise<ProofStep> {
  const rows = (await menus.print("/radius")) ?? [];
  const ours = rows.filter((row) => row["comment"] === MARK);
  let [requests, answered, bad, timeouts] = [0, 0, 0, 0];
  for (const { ".id": id = "" } of ours) {
    const answer = await menus.run("/radius/monitor", { ".id": id, once: "" });
    const [row = {}] = "refusal" in answer ? [] : answer;
    requests += Number(row["requests"] ?? 0);
    answered += Number(row["accepts"] ?? 0) + Number(row["rejects"] ?? 0);
    bad += Number(row["bad-replies"] ?? 0);
    timeouts += Number(row["timeouts"] ?? 0);
  }
  if (requests === 0)
    return step(
      "skipped",
      phrase`RouterOS has no command that tries a login where no guest of a hotspot waits; whoever dials in next is the test`,
    );
  const counted = phrase`by its counters it asked ${requests} times, ${answered} were answered, ${timeouts} timed out`;
  return bad > 0
    ? step("failed", phrase`${counted}, and ${bad} answers were not signed with the secret that it has`)
    : step(answered > 0 ? "ok" : "failed", counted);
}

const step = (status: ProofStep["status"], detail: Phrase): ProofStep => ({
  check: "login",
  status,
  detail,
  remedy: null,
});

export interface ProofTools {
  readonly clock: Clock;
  readonly arrivals: Arrivals;
  readonly ask: AskRouter;
  readonly pause: (milliseconds: number) => Promise<void>;
}

export interface Proven {
  readonly nasId: number;
  readonly login: RouterTry;
  readonly since: Seconds;
  /** Earlier packets prove nothing then. */
  readonly isChanged: boolean;
}

/** Polls for a packet. */
const TRIES = 12;
const EVERY = 250;

/** Step by step. Throws `not_found`, `refused`. */
export async function proveSetup(
  db: Db,
  by: Actor,
  { nasId, login, since, isChanged }: Proven,
  { clock, arrivals, ask, pause }: ProofTools,
): Promise<ProofStep[]> {
  permit(by, "proveSetup");
  requireWholeIsp(by, "routers");
  const heardSince = () => {
    const { lastSeen, isWrongNow } = firstWords(db, by, { nasId }, { now: clock(), arrivals });
    return { last: lastSeen?.last, isWrongNow };
  };
  let { last, isWrongNow } = heardSince();
  for (let tries = 0; login.isTried && (last ?? 0) < since && tries < TRIES; tries++) {
    await pause(EVERY);
    ({ last, isWrongNow } = heardSince());
  }
  const isBefore = isChanged && last !== undefined && last < since;
  return [
    login.step,
    lastSeenStep(last, { isWrongNow, isBefore }),
    ...(await testNas(db, by, { nasId }, { ask })),
  ];
}

function lastSeenStep(
  last: Seconds | undefined,
  { isWrongNow, isBefore }: { isWrongNow: boolean; isBefore: boolean },
): ProofStep {
  const lastSeen = { check: "heard" as const, remedy: null };
  if (last === undefined)
    return {
      ...lastSeen,
      status: "skipped",
      detail: phrase`nothing has come from it yet; it speaks when somebody dials in`,
    };
  if (isBefore)
    return {
      ...lastSeen,
      status: "skipped",
      detail: phrase`the last packet came at ${formatTime(last)}, before it was set up; the next one proves it`,
    };
  const at = formatTime(last);
  return isWrongNow
    ? { ...lastSeen, status: "failed", detail: phrase`a packet came from it at ${at}, with another secret` }
    : { ...lastSeen, status: "ok", detail: phrase`a packet came from it at ${at}` };
}
