import { type Static, Type } from "@sinclair/typebox";
import type { Change, Left } from "../domain/goods/router-setup/plan.ts";
import type { SetUp } from "../domain/goods/router-setup/setup.ts";
import { isSecret } from "../domain/goods/router-setup/values.ts";
import type { Values } from "../domain/goods/router-setup/wanted.ts";

const oneOf = <const V extends string>(...kinds: V[]) => Type.Union(kinds.map((kind) => Type.Literal(kind)));
const values = Type.Record(Type.String(), Type.String());

export const setupSchema = Type.Object({
  outcome: oneOf("shown", "done", "undone", "halfway", "other"),
  reason: Type.Union([Type.String(), Type.Null()]),
  version: Type.String(),
  digest: Type.String(),
  changes: Type.Array(
    Type.Object({
      change: oneOf("add", "set", "remove"),
      menu: Type.String(),
      values,
      before: values,
    }),
  ),
  left: Type.Array(Type.Object({ reason: Type.String(), what: Type.String() })),
});

/** A difference, and what came of it; `shown`: nothing was done. Secrets are the empty text. */
export function shownSetup({
  difference,
  outcome,
}: Pick<SetUp, "difference"> & { outcome?: SetUp["outcome"] }): Static<typeof setupSchema> {
  const { version, digest, changes, left } = difference;
  const reason = outcome && "reason" in outcome ? outcome.reason : null;
  return {
    ...{ outcome: outcome?.kind ?? "shown", reason, version, digest },
    changes: changes.map(shownChange),
    left: left.map(({ reason: why, what }: Left) => ({ reason: why, what })),
  };
}

const shownChange = ({ kind: change, menu, values: written, before }: Change) => ({
  change,
  menu,
  values: withoutSecrets(written),
  before: withoutSecrets(before),
});

function withoutSecrets(row: Values): Record<string, string> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, isSecret(name) ? "" : value]));
}
