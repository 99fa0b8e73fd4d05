import { type Static, Type } from "@sinclair/typebox";
import type { ConfigChanges } from "../domain/goods/router-config/changes.ts";
import type { ConfigCopy } from "../domain/goods/router-config/copies.ts";
import { configSources } from "../domain/goods/router-config/read.ts";
import { nullable, oneOf, text } from "./kinds.ts";
import { writeTime } from "./time.ts";

/** A saved router configuration, without its text. */
export const configCopySchema = Type.Object({
  id: Type.Integer(),
  kept_at: Type.String(),
  seen_at: Type.String(),
  source: oneOf(...configSources),
  version: Type.String(),
  bytes: Type.Integer(),
  partial: Type.Boolean(),
});

export const exampleConfigCopy: Static<typeof configCopySchema> = {
  id: 12,
  kept_at: "2026-11-22 03:00:04",
  seen_at: "2026-11-28 03:00:03",
  source: "export",
  version: "7.16.1",
  bytes: 18_214,
  partial: false,
};

export function configCopyToJson(copy: ConfigCopy): Static<typeof configCopySchema> {
  const { id, keptAt, seenAt, source, version, bytes, isPartial } = copy;
  return {
    id,
    kept_at: writeTime(keptAt),
    seen_at: writeTime(seenAt),
    source,
    version,
    bytes,
    partial: isPartial,
  };
}

export const configChangesSchema = Type.Object({
  changes: Type.Array(
    Type.Object({
      menu: Type.String(),
      kind: oneOf("added", "removed", "changed", "moved"),
      what: Type.String(),
      values: Type.Array(Type.Object({ name: Type.String(), before: text, after: text })),
    }),
  ),
  missing: nullable(Type.Array(Type.String())),
});

export const exampleConfigChanges: Static<typeof configChangesSchema> = {
  changes: [
    {
      menu: "/ip/service",
      kind: "changed",
      what: "telnet",
      values: [{ name: "disabled", before: "yes", after: null }],
    },
  ],
  missing: [],
};

export const configChangesToJson = ({
  changes,
  missing,
}: ConfigChanges): Static<typeof configChangesSchema> => ({
  changes: changes.map(({ menu, kind, what, values }) => ({ menu, kind, what, values: [...values] })),
  missing: missing && [...missing],
});
