import type { BatchChoice } from "../../../../domain/service/cards/batch-list.ts";
import { id } from "../../../../domain/core/fields/fields.ts";
import { cardKinds } from "../../../../../db/schema.ts";
import { type StockName, stockNames } from "./stock-bar.tsx";

export type BatchQuery = Pick<BatchChoice, "kind" | "packageId" | "resellerId" | "isOpen">;

export function readQuery(query: URLSearchParams): BatchQuery {
  const number = (name: string) => id.read(query.get(name) ?? "");
  return {
    kind: cardKinds.find((kind) => kind === query.get("kind")),
    packageId: number("package"),
    resellerId: query.get("reseller") === "none" ? 0 : number("reseller"),
    isOpen: query.get("show") === "open",
  };
}

export function isNarrowed({ kind, packageId, resellerId, isOpen }: BatchQuery): boolean {
  return kind !== undefined || packageId !== undefined || resellerId !== undefined || isOpen === true;
}

export function standingQuery(query: URLSearchParams): StockName | undefined {
  return stockNames.find((name) => name === query.get("standing"));
}
