import { type Static, Type } from "@sinclair/typebox";
import type { PoolAddress, PoolUse } from "../domain/goods/address-pools/pools.ts";
import { formatTime } from "../domain/core/time/time.ts";
import { nullable } from "./kinds.ts";

export const addressPoolSchema = Type.Object({
  id: Type.Integer(),
  isp_id: Type.Integer(),
  name: Type.String(),
  range: Type.String(),
  length: nullable(Type.Integer()),
  size: Type.Integer(),
  used: Type.Integer(),
  reserved: Type.Integer(),
  packages: Type.Array(Type.String()),
  created_at: Type.String(),
});
export type ShownAddressPool = Static<typeof addressPoolSchema>;

export const exampleAddressPool: ShownAddressPool = {
  id: 3,
  isp_id: 1,
  name: "homes",
  range: "10.20.0.2-10.20.3.254",
  length: null,
  size: 1021,
  used: 412,
  reserved: 3,
  packages: ["Home 10"],
  created_at: "2030-01-01 09:00:00",
};

export function shownAddressPool({ pool, size, used, reserved, packages }: PoolUse): ShownAddressPool {
  const { id, ispId, name, range, length, createdAt } = pool;
  return {
    ...{ id, isp_id: ispId, name, range, length, size, used, reserved },
    packages: [...packages],
    created_at: formatTime(createdAt),
  };
}

export const poolAddressSchema = Type.Object({
  address: Type.String(),
  user_id: Type.Integer(),
  name: Type.String(),
  username: Type.String(),
  current_expiration_date: nullable(Type.String()),
});
type ShownPoolAddress = Static<typeof poolAddressSchema>;

export const examplePoolAddress: ShownPoolAddress = {
  address: "10.20.0.2",
  user_id: 5150,
  name: "Amina Haddad",
  username: "amina",
  current_expiration_date: "2030-02-01 09:00:00",
};

export function shownPoolAddress({
  address,
  subscriberId,
  name,
  username,
  expiresAt,
}: PoolAddress): ShownPoolAddress {
  return {
    ...{ address, user_id: subscriberId, name, username },
    current_expiration_date: expiresAt === null ? null : formatTime(expiresAt),
  };
}
