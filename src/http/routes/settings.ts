import { phrase } from "../../domain/core/errors/phrase.ts";
import { Type } from "@sinclair/typebox";
import type { Field } from "../../domain/core/fields/fields.ts";
import {
  changeLogo,
  changeSetting,
  listSettings,
  settingByName,
  trySetting,
} from "../../domain/machine/settings/change.ts";
import { exampleSetting, settingSchema, settingToJson } from "../../wire/setting.ts";
import { type ManagementForm, managementForm, type Place } from "../form.ts";
import { listed } from "../list.ts";
import { managed } from "../operation.ts";
import { string } from "../../domain/core/fields/fields.ts";

const PREFIX = "/api/v1/setting";
const tags: [string] = ["Settings"];
const narrowedBy = ["isp_id"] as const;
const whose =
  "An ISP has its own: name, logo and colour, what its portal and its invoices say, tax, methods of payment, and how many days staff may give. An account of the ISP means those; the operator of the box means the whole appliance, whose values hold where an ISP has set none, or names an ISP with isp_id.";

const value: Field<boolean | number | string> = {
  schema: Type.Union([Type.Boolean(), Type.Number(), Type.String({ maxLength: 2000 })]),
  message: phrase`must be a text, a number, true or false`,
  read: (value) =>
    typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : undefined,
  empty: "",
};

const picture: Field<Blob> = {
  schema: Type.String({ format: "binary" }),
  message: phrase`must be a file in a body of multipart/form-data`,
  read: (value) => (value instanceof Blob ? value : undefined),
};

const list = listed({
  path: `${PREFIX}/list`,
  operation: "listSettings",
  operationId: "listSettings",
  tags,
  summary: "List the settings that the caller may change",
  description: whose,
  filters: {},
  sorts: ["key"],
  record: settingSchema,
  example: exampleSetting,
  refusals: { 404: "There is no such ISP." },
  page: ({ db, by }, { limit, offset, descending }) => {
    const all = listSettings(db, by).map(settingToJson);
    all.sort((a, b) => (a.key < b.key ? -1 : 1));
    if (descending) all.reverse();
    return { records: all.slice(offset, offset + limit), total: all.length };
  },
});

const set = managed({
  method: "POST",
  path: `${PREFIX}/set`,
  awaits: true,
  operation: "changeSetting",
  operationId: "setSetting",
  tags,
  summary: "Change a setting",
  description: `${whose} The server takes it up at once.`,
  form: {
    ...managementForm({ key: string(40), value }, ["key", "value"], {
      key: "portal_color",
      value: "#0a7d4f",
    }),
    narrowedBy,
  },
  success: {
    description: "Changed; the value as it is kept.",
    schema: Type.Object({ success: Type.String(), value: settingSchema.properties.value }),
    example: { success: "Setting changed.", value: "#0a7d4f" },
  },
  refusals: {
    400: "The setting does not take this value, is not an ISP's own, or names a folder that cannot be written to.",
    404: "There is no such setting, or no such ISP.",
  },
  run: async ({ db, by, values: { key, value: sent }, now }) => {
    const named = { key, value: sent };
    await trySetting(db, by, named);
    changeSetting(db, by, named, { now });
    return { success: "Setting changed.", value: settingByName(db, by, { key }) };
  },
});

const logoForm = managementForm({ logo: picture }, ["logo"], { logo: "the bytes of logo.png" });

const logo = managed({
  method: "POST",
  path: `${PREFIX}/logo`,
  awaits: true,
  operation: "changeLogo",
  operationId: "uploadLogo",
  tags,
  summary: "Upload the logo of the portal",
  description:
    "A PNG, JPEG, WebP or SVG picture of at most 256 KB, by its content, as multipart/form-data. It is kept in the store, goes into its backups, and takes the place of the one before. The setting `portal_logo` names it; set that to the empty text to remove it.",
  form: { ...logoForm, narrowedBy } satisfies ManagementForm<Place & { logo: Blob }>,
  success: {
    description: "Taken.",
    schema: Type.Object({ success: Type.String() }),
    example: { success: "Logo changed." },
  },
  refusals: { 404: "There is no such ISP." },
  run: async ({ db, by, values: value, now }) => {
    changeLogo(db, by, { content: await value.logo.bytes() }, { now });
    return { success: "Logo changed." };
  },
});

export const settingOperations = [list, set, logo];
