import type { Static } from "@sinclair/typebox";
import { keyOf } from "../../db/columns.ts";
import { packages } from "../../db/schema.ts";
import { packageRecord } from "../domain/goods/packages/fields.ts";
import type { PricedPackage } from "../domain/goods/packages/packages.ts";
import { recordExample, recordSchema, recordShaper } from "./record.ts";

export const packageSchema = recordSchema(packageRecord);
export type ShownPackage = Static<typeof packageSchema>;
export const examplePackage: ShownPackage = recordExample(packageRecord);

export const shownPackage: (row: PricedPackage) => ShownPackage = recordShaper(packageRecord, (name) =>
  name === "net" || name === "tax" ? name : keyOf(packages, name),
);
