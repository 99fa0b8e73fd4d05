import { Type } from "@sinclair/typebox";
import type { ListedSetting } from "../domain/machine/settings/change.ts";
import { declareRecord } from "./record.ts";

const value = Type.Union([Type.Boolean(), Type.Number(), Type.String()]);

export const {
  schema: settingSchema,
  example: exampleSetting,
  toJson: settingToJson,
} = declareRecord<ListedSetting>()({
  key: { kind: "words", example: "portal_color" },
  value: { shape: value, example: "#0a7d4f" },
  default: { shape: value, of: "initially", example: "#1f5eff" },
  is_set: { shape: Type.Boolean(), example: true },
  meaning: {
    kind: "words",
    example: "colour of the subscriber's pages; lightened or darkened where text would be hard to read",
  },
});
