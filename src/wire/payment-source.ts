import { type Static, Type } from "@sinclair/typebox";
import { presets } from "../domain/desk/incoming/presets.ts";
import { providerSchema } from "../domain/desk/incoming/provider.ts";
import { providerOf, type Source } from "../domain/desk/incoming/sources.ts";
import { formatTime } from "../domain/core/time/time.ts";
import { nullable, text } from "./kinds.ts";

export const sourceSchema = Type.Object({
  id: Type.Integer(),
  isp_id: Type.Integer(),
  kind: Type.Union([Type.Literal("provider"), Type.Literal("signed")]),
  name: Type.String(),
  method: Type.String(),
  path: text,
  has_secret: Type.Integer(),
  settings: nullable(providerSchema),
  disabled_at: text,
  created_at: Type.String(),
});
type ShownSource = Static<typeof sourceSchema>;

export function shownSource(row: Source): ShownSource {
  return {
    ...{ id: row.id, isp_id: row.ispId, kind: row.kind, name: row.name, method: row.method },
    path: row.key === null ? null : `/pay/${row.key}`,
    has_secret: row.hasSecret ? 1 : 0,
    settings: row.kind === "signed" ? null : providerOf(row),
    disabled_at: row.disabledAt === null ? null : formatTime(row.disabledAt),
    created_at: formatTime(row.createdAt),
  };
}

export const exampleSource: ShownSource = {
  ...{ id: 2, isp_id: 1, kind: "provider", name: "Paystack", method: "online" },
  ...{ path: "/pay/3f1c0a6a4be8d07d3ab2e2f3b1d0c9aa", has_secret: 1, settings: presets.paystack },
  ...{ disabled_at: null, created_at: "2030-01-15 12:00:00" },
};
