import { type Static, Type } from "@sinclair/typebox";
import type { Change } from "../domain/goods/router-setup/plan.ts";
import type { Left } from "../domain/goods/router-setup/parts.ts";
import type { SetUp } from "../domain/goods/router-setup/setup.ts";
import { isSecret, type Values } from "../domain/goods/router-setup/values.ts";
import { oneOf, text } from "./kinds.ts";

const values = Type.Record(Type.String(), Type.String());

export const changesSchema = Type.Array(
  Type.Object({
    change: oneOf("add", "set", "remove"),
    menu: Type.String(),
    values,
    before: values,
  }),
);

export const setupSchema = Type.Object({
  outcome: oneOf("shown", "done", "undone", "halfway", "other"),
  reason: text,
  version: Type.String(),
  digest: Type.String(),
  changes: changesSchema,
  left: Type.Array(Type.Object({ reason: Type.String(), what: Type.String() })),
});

/** A difference and its outcome; `shown`: not applied. Secrets are empty. */
export function setupToJson({
  difference,
  outcome,
}: Pick<SetUp, "difference"> & { outcome?: SetUp["outcome"] }): Static<typeof setupSchema> {
  const { version, digest, changes, left } = difference;
  const reason = outcome && "reason" in outcome ? outcome.reason : null;
  return {
    outcome: outcome?.kind ?? "shown",
    reason: reason === null ? null : reason.toString(),
    version,
    digest,
    changes: changes.map(changeToJson),
    left: left.map(({ reason: why, what }: Left) => ({ reason: why, what })),
  };
}

/** Secrets are empty. */
export const changeToJson = ({ kind: change, menu, values: written, before }: Change) => ({
  change,
  menu,
  values: withoutSecrets(written),
  before: withoutSecrets(before),
});

function withoutSecrets(row: Values): Record<string, string> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, isSecret(name) ? "" : value]));
}
