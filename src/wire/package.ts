import { packageRecord } from "../domain/goods/packages/fields.ts";
import type { PricedPackage } from "../domain/goods/packages/packages.ts";
import { recordOf } from "./record.ts";

export const {
  schema: packageSchema,
  example: examplePackage,
  toJson: packageToJson,
} = recordOf<PricedPackage>()(packageRecord);
