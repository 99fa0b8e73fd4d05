import { type Static, Type } from "@sinclair/typebox";
import type { RouterFinding, RouterReading } from "../domain/service/router-watch/findings.ts";
import { watchLevels, type WatchKind } from "../domain/service/router-watch/found.ts";
import type { Mended } from "../domain/service/router-watch/mend.ts";
import { nullable, oneOf, text } from "./kinds.ts";
import { changesSchema, changeToJson } from "./nas-setup.ts";
import { writeTime, writeTimeOrNull } from "./time.ts";

const kinds = Object.keys(watchLevels) as WatchKind[];
const finding = oneOf(...kinds);

export const findingSchema = Type.Object({
  id: Type.Integer(),
  nas_id: Type.Integer(),
  router: Type.String(),
  finding,
  key: Type.String(),
  level: oneOf("error", "warning"),
  about: Type.Record(Type.String(), Type.String()),
  commands: Type.Array(Type.String()),
  mendable: Type.Boolean(),
  found_at: Type.String(),
  counted_at: text,
  hidden: nullable(Type.Object({ at: Type.String(), by: Type.String(), reason: Type.String() })),
});

export const exampleFinding = {
  id: 1,
  nas_id: 1,
  router: "core",
  finding: "ppp_name" as const,
  key: "ann",
  level: "error" as const,
  about: { of: "subscriber", who: "ann", name: "ann" },
  commands: ["/ppp secret set [find name=ann] disabled=yes"],
  mendable: true,
  found_at: "2026-11-22 09:20:00",
  counted_at: "2026-11-22 09:30:00",
  hidden: null,
};

/** Counts are texts too: client generators have no type for one of several scalars. */
const toTexts = (values: object): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));

export function findingToJson(finding: RouterFinding): Static<typeof findingSchema> {
  const { id, nasId, router, kind, key, level, values, commands, isMendable, hidden } = finding;
  return {
    id,
    nas_id: nasId,
    router,
    finding: kind,
    key,
    level,
    about: toTexts(values),
    commands: [...commands],
    mendable: isMendable,
    found_at: writeTime(finding.foundAt),
    counted_at: writeTimeOrNull(finding.countedAt),
    hidden: hidden && { at: writeTime(hidden.at), by: hidden.by, reason: hidden.reason },
  };
}

export const readingSchema = Type.Object({
  nas_id: Type.Integer(),
  router: Type.String(),
  tried_at: Type.String(),
  read_at: text,
  failure: text,
  version: text,
  not_looked_at: Type.Array(Type.Object({ finding, reason: Type.String() })),
});

export const exampleReading = {
  nas_id: 1,
  router: "core",
  tried_at: "2026-11-22 09:30:00",
  read_at: "2026-11-22 09:30:00",
  failure: null,
  version: "7.21",
  not_looked_at: [],
};

export function readingToJson(reading: RouterReading): Static<typeof readingSchema> {
  const { nasId, name, triedAt, readAt, failure, version, unlooked } = reading;
  return {
    nas_id: nasId,
    router: name,
    tried_at: writeTime(triedAt),
    read_at: writeTimeOrNull(readAt),
    failure,
    version,
    not_looked_at: unlooked.map(({ kind, reason }) => ({ finding: kind, reason })),
  };
}

export const mendSchema = Type.Object({
  outcome: oneOf("shown", "done", "undone", "halfway", "other"),
  reason: text,
  version: Type.String(),
  digest: Type.String(),
  gone: Type.Integer(),
  changes: changesSchema,
});

/** What a repair changes, and its outcome; `shown`: nothing was done. */
export function mendToJson({
  difference,
  outcome,
}: Pick<Mended, "difference"> & Partial<Pick<Mended, "outcome">>): Static<typeof mendSchema> {
  const { version, digest, gone, changes } = difference;
  const reason = outcome && "reason" in outcome ? outcome.reason : null;
  return {
    outcome: outcome?.kind ?? "shown",
    reason: reason === null ? null : reason.toString(),
    version,
    digest,
    gone,
    changes: changes.map(changeToJson),
  };
}
