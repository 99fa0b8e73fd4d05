import { type Static, Type } from "@sinclair/typebox";
import type { ListedSetting } from "../domain/machine/settings/change.ts";

const value = Type.Union([Type.Boolean(), Type.Number(), Type.String()]);

export const settingSchema = Type.Object({
  key: Type.String(),
  value,
  default: value,
  is_set: Type.Boolean(),
  meaning: Type.String(),
});

export const exampleSetting = {
  key: "portal_color",
  value: "#0a7d4f",
  default: "#1f5eff",
  is_set: true,
  meaning: "colour of the subscriber's pages; lightened or darkened where text would be hard to read",
};

export function shownSetting(listed: ListedSetting): Static<typeof settingSchema> {
  const { key, value: shown, initially, isSet, meaning } = listed;
  return { key, value: shown, default: initially, is_set: isSet, meaning };
}
