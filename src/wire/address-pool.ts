import { Type } from "@sinclair/typebox";
import type { PoolAddress, PoolUse } from "../domain/goods/address-pools/pools.ts";
import { declareRecord } from "./record.ts";

export const {
  schema: addressPoolSchema,
  example: exampleAddressPool,
  toJson: addressPoolToJson,
} = declareRecord<PoolUse>()({
  id: { kind: "whole", of: ({ pool }) => pool.id, example: 3 },
  isp_id: { kind: "whole", of: ({ pool }) => pool.ispId, example: 1 },
  name: { kind: "words", of: ({ pool }) => pool.name, example: "homes" },
  range: { kind: "words", of: ({ pool }) => pool.range, example: "10.20.0.2-10.20.3.254" },
  length: { kind: "whole", isNullable: true, of: ({ pool }) => pool.length, example: null },
  size: { kind: "whole", example: 1021 },
  used: { kind: "whole", example: 412 },
  reserved: { kind: "whole", example: 3 },
  packages: {
    shape: Type.Array(Type.String()),
    of: ({ packages }) => [...packages],
    example: ["Home 10"],
  },
  created_at: { kind: "moment", of: ({ pool }) => pool.createdAt, example: "2030-01-01 09:00:00" },
});

export const {
  schema: poolAddressSchema,
  example: examplePoolAddress,
  toJson: poolAddressToJson,
} = declareRecord<PoolAddress>()({
  address: { kind: "words", example: "10.20.0.2" },
  user_id: { kind: "whole", of: "subscriberId", example: 5150 },
  name: { kind: "words", example: "Amina Haddad" },
  username: { kind: "words", example: "amina" },
  current_expiration_date: {
    kind: "moment",
    isNullable: true,
    of: "expiresAt",
    example: "2030-02-01 09:00:00",
  },
});
