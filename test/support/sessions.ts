import type { Db } from "../../db/open.ts";
import { sessions } from "../../db/schema.ts";
import { decide } from "../../src/domain/service/access/decide.ts";
import { grantedBy } from "../../src/domain/service/access/granted.ts";
import { AccessReader } from "../../src/domain/service/access/reader.ts";
import type { Session } from "../../src/domain/service/sessions/advance.ts";
import type { Granted } from "../../src/domain/service/sessions/session-class.ts";
import { NOW } from "./store.ts";

/** An open session of user1, subscriber 1, at the NAS 1 on 127.0.0.1, unless said otherwise. */
export function aSession(values: Partial<Session> = {}): Session {
  return {
    id: 1,
    nasId: 1,
    nasAddress: "127.0.0.1",
    localAddress: null,
    acctSessionId: "81000001",
    username: "user1",
    subscriberId: 1,
    class: null,
    nasPort: null,
    nasPortId: null,
    nasPortType: null,
    nasIp: null,
    nasIdentifier: null,
    calledStationId: null,
    mac: null,
    framedIp: null,
    framedIpv6Prefix: null,
    delegatedIpv6Prefix: null,
    movedIn: 0,
    cardId: null,
    viaBox: null,
    startedAt: NOW - 3600,
    updatedAt: NOW - 60,
    stoppedAt: null,
    sessionTime: 3540,
    inputOctets: 1000,
    outputOctets: 2000,
    counterInput: 1000,
    counterOutput: 2000,
    terminateCause: null,
    closedBy: null,
    acceptedAs: null,
    grantedTerms: null,
    grantedRate: null,
    rateInput: null,
    rateOutput: null,
    rateRefused: null,
    ...values,
  };
}

/** Puts sessions into the books as accounting would have. */
export function insertSessions(db: Db, ...all: Partial<Session>[]): Session[] {
  return all.map((values) => {
    const { id: _, ...row } = aSession(values);
    return db.insert(sessions).values(row).returning().get();
  });
}

/** What a login is granted at a time, as the Class carries it to the session. */
export function grantedAt(db: Db, username = "user1", now = NOW): Granted {
  const candidate = new AccessReader(db).candidate(username);
  if (!candidate) throw new Error(`there is no ${username}`);
  const decision = decide(candidate, {
    ispId: null,
    nasAddress: "127.0.0.1",
    mac: undefined,
    kind: "other",
    passwordIsRight: true,
    sessions: () => [],
    pending: () => 0,
    replacesAtNasPort: () => false,
    takesLists: true,
    expiredSessionTimeout: 300,
    gardenRate: "512k/512k",
    now,
  });
  if (!decision.accept) throw new Error(`${username} is not accepted: ${decision.reason}`);
  return grantedBy(decision);
}
