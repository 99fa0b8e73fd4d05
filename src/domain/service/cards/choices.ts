import { selectColumns } from "../../../../db/columns.ts";
import { all, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { packages } from "../../../../db/schema.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { RESELLER } from "../../core/actor/profile-types.ts";
import { staffCondition } from "../../core/actor/reach.ts";

export type CardPackage = typeof packages.$inferSelect;

export interface CardReseller {
  readonly id: number;
  readonly ispId: number | null;
  readonly name: string;
}

/** Choices for a batch: packages on sale and enabled resellers, by name. */
export interface CardChoices {
  readonly packages: readonly CardPackage[];
  readonly resellers: readonly CardReseller[];
}

export function cardChoices({ $client }: Db, by: Actor): CardChoices {
  permit(by, "cardChoices");
  const isp = all(equal("p.isp_id", by.scope.ispId));
  const staff = staffCondition(by.scope);
  return {
    packages: $client
      .query<CardPackage, Value[]>(
        `SELECT ${selectColumns(packages, "p")} FROM packages p WHERE p.status = 1 AND ${isp.text} ORDER BY p.name COLLATE NOCASE`,
      )
      .all(...isp.values),
    resellers: $client
      .query<CardReseller, Value[]>(
        `SELECT a.id, a.isp_id AS ispId, a.name FROM staff a
         WHERE a.profile_type = ${RESELLER} AND a.status = 1 AND ${staff.text} ORDER BY a.name COLLATE NOCASE`,
      )
      .all(...staff.values),
  };
}
