import { type Static, Type } from "@sinclair/typebox";
import type { MoveRecord } from "../domain/machine/imports/moves.ts";
import { nullable, text } from "./kinds.ts";
import { declareRecord } from "./record.ts";

const counts = Type.Object({
  found: Type.Integer(),
  new: Type.Integer(),
  changed: Type.Integer(),
  same: Type.Integer(),
  refused: Type.Integer(),
});
const none = { found: 0, new: 0, changed: 0, same: 0, refused: 0 };

const readCount = (kind: keyof MoveRecord["report"]["counts"]) => (move: MoveRecord) =>
  move.report.counts[kind];

export const {
  schema: moveSchema,
  example: exampleMove,
  toJson: moveToJson,
} = declareRecord<MoveRecord>()({
  id: { kind: "whole", example: 2 },
  isp_id: { kind: "whole", example: 1 },
  source: { kind: "words", example: "routeros" },
  files: { shape: Type.Array(Type.String()), of: ({ files }) => [...files], example: ["gatehouse.rsc"] },
  started_by: { kind: "words", of: "actor", example: "ada" },
  started_at: { kind: "moment", example: "2030-01-15 12:00:00" },
  undone_at: { kind: "moment", isNullable: true, example: null },
  subscribers: {
    shape: counts,
    of: readCount("subscribers"),
    example: { found: 412, new: 9, changed: 21, same: 381, refused: 1 },
  },
  packages: {
    shape: counts,
    of: readCount("packages"),
    example: { found: 6, new: 0, changed: 0, same: 6, refused: 0 },
  },
  routers: { shape: counts, of: readCount("routers"), example: none },
  sessions: { shape: counts, of: readCount("sessions"), example: none },
  vouchers: { shape: counts, of: readCount("vouchers"), example: none },
  passwords: { kind: "whole", of: ({ report }) => report.passwords, example: 2 },
});

export const wholeMoveSchema = Type.Object({
  ...moveSchema.properties,
  zone: Type.String(),
  became: Type.Array(
    Type.Object({
      name: Type.String(),
      key: Type.String(),
      holders: Type.Integer(),
      terms: Type.String(),
      price: text,
    }),
  ),
  cards: Type.Array(
    Type.Object({
      name: text,
      kind: Type.String(),
      package: text,
      price: Type.String(),
      cards: Type.Integer(),
    }),
  ),
  told: Type.Array(
    Type.Object({
      kind: Type.String(),
      heading: Type.String(),
      count: Type.Integer(),
      rows: Type.Array(
        Type.Object({
          file: text,
          line: nullable(Type.Integer()),
          who: Type.String(),
          what: Type.String(),
        }),
      ),
    }),
  ),
  afterwards: Type.Array(Type.String()),
});

export const exampleWholeMove = {
  ...exampleMove,
  zone: "UTC",
  became: [{ name: "home", key: "home", holders: 230, terms: "10M/20M, 1 month", price: null }],
  cards: [],
  told: [
    {
      kind: "refused",
      heading: "Could not come",
      count: 1,
      rows: [{ file: "gatehouse.rsc", line: 88, who: "", what: "has no username" }],
    },
  ],
  afterwards: [],
};

export function wholeMoveToJson(move: MoveRecord): Static<typeof wholeMoveSchema> {
  const { zone, packages, cards = [], told: notices, afterwards } = move.report;
  return {
    ...moveToJson(move),
    zone,
    became: packages.map(({ name, key, holders, terms, price }) => ({ name, key, holders, terms, price })),
    cards: [...cards],
    told: notices.map(({ kind, heading, count, rows }) => ({
      kind,
      heading,
      count,
      rows: rows.map(({ at, who, text: what }) => ({
        file: at?.file ?? null,
        line: at?.line ?? null,
        who,
        what,
      })),
    })),
    afterwards: [...afterwards],
  };
}
