import { packageRecord } from "../domain/goods/packages/fields.ts";
import type { PricedPackage } from "../domain/goods/packages/packages.ts";
import { declareRecord } from "./record.ts";

export const {
  schema: packageSchema,
  example: examplePackage,
  toJson: packageToJson,
} = declareRecord<PricedPackage>()(packageRecord);
