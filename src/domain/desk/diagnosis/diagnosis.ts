import type { Db } from "../../../../db/open.ts";
import { staleAfter } from "../../service/sessions/in-scope.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { subscriberIn } from "../../goods/subscribers/find.ts";
import type { Head } from "../subscriber-page/head.ts";
import type { Seconds } from "../../core/time/time.ts";
import { loginRuns } from "../../service/access/login-runs.ts";
import { findCause } from "./diagnosis-cause.ts";
import {
  failedRenewal,
  isUnsigned,
  type DiagnosisFacts,
  newestStateChange,
  openOutage,
  passwordChangedAt,
} from "./diagnosis-facts.ts";
import type { Evidence, Diagnosis } from "./diagnosis-kinds.ts";

const RUNS = 4;

/** The diagnosis from head and store; words are the viewer's. Throws not_found. */
export function diagnose(
  db: Db,
  by: Actor,
  head: Head,
  { now }: { now: Seconds },
): { diagnosis: Diagnosis; evidence: readonly Evidence[] } {
  permit(by, "diagnose");
  const read = db.$client.transaction(() => readFacts(db, by, head, now));
  const facts = read();
  return { diagnosis: findCause(facts), evidence: collectEvidence(facts) };
}

function readFacts(db: Db, by: Actor, head: Head, now: Seconds): DiagnosisFacts {
  const { id: subscriberId, nasId } = subscriberIn(db, by.scope, head.subscriber);
  const runs = loginRuns(db, { subscriberId, limit: RUNS, ispId: by.scope.ispId });
  return {
    head,
    runs,
    now,
    outage: openOutage(db, subscriberId),
    change: newestStateChange(db, subscriberId),
    renewal: head.money && head.service ? failedRenewal(db, subscriberId, head.service.expiresAt) : null,
    passwordChangedAt: passwordChangedAt(db, subscriberId),
    patience: staleAfter(db),
    isUnsigned: isUnsigned(db, runs[0]?.nasId ?? nasId, now),
  };
}

function collectEvidence({ runs, head, renewal }: DiagnosisFacts): Evidence[] {
  const { open, last, money } = head;
  const sessions: Evidence[] =
    open.length > 0 || last === null ? [] : [{ kind: "session", at: endOf(last), of: last }];
  const decisions = runs.map((run): Evidence => ({ kind: "login", at: run.at, run }));
  const failed: Evidence[] = renewal && head.status === "expired" ? [{ kind: "renewal", ...renewal }] : [];
  const owed: Evidence[] = (money?.owed ?? []).map((invoice) => ({
    kind: "invoice",
    at: invoice.createdAt,
    invoice,
  }));
  return [...decisions, ...sessions, ...failed, ...owed].sort((a, b) => b.at - a.at).slice(0, RUNS);
}

const endOf = ({ session }: Head["open"][number]) => session.stoppedAt ?? session.updatedAt;
