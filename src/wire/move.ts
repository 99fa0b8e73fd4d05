import { type Static, Type } from "@sinclair/typebox";
import type { MoveRecord } from "../domain/machine/moving/moves.ts";
import { formatTime } from "../domain/core/time/time.ts";
import { nullable, text } from "./kinds.ts";

const counts = Type.Object({
  found: Type.Integer(),
  new: Type.Integer(),
  changed: Type.Integer(),
  same: Type.Integer(),
  refused: Type.Integer(),
});

const listed = {
  id: Type.Integer(),
  isp_id: Type.Integer(),
  source: Type.String(),
  files: Type.Array(Type.String()),
  started_by: Type.String(),
  started_at: Type.String(),
  undone_at: text,
  subscribers: counts,
  packages: counts,
  routers: counts,
  sessions: counts,
  vouchers: counts,
  passwords: Type.Integer(),
};

/** A move from another system as lists have it. */
export const moveSchema = Type.Object(listed);

/** One by itself, with its report. */
export const wholeMoveSchema = Type.Object({
  ...listed,
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

const none = { found: 0, new: 0, changed: 0, same: 0, refused: 0 };

export const exampleMove = {
  id: 2,
  isp_id: 1,
  source: "routeros",
  files: ["gatehouse.rsc"],
  started_by: "ada",
  started_at: "2030-01-15 12:00:00",
  undone_at: null,
  subscribers: { found: 412, new: 9, changed: 21, same: 381, refused: 1 },
  packages: { found: 6, new: 0, changed: 0, same: 6, refused: 0 },
  routers: none,
  sessions: none,
  vouchers: none,
  passwords: 2,
};

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

export function shownMove(move: MoveRecord): Static<typeof moveSchema> {
  const { id, ispId, source, files, actor, startedAt, undoneAt, report } = move;
  const { subscribers, packages, routers, sessions, vouchers } = report.counts;
  return {
    ...{ id, isp_id: ispId, source, files: [...files], started_by: actor },
    ...{ started_at: formatTime(startedAt), undone_at: undoneAt === null ? null : formatTime(undoneAt) },
    ...{ subscribers, packages, routers, sessions, vouchers, passwords: report.passwords },
  };
}

export function shownWholeMove(move: MoveRecord): Static<typeof wholeMoveSchema> {
  const { zone, packages, cards = [], told, afterwards } = move.report;
  return {
    ...shownMove(move),
    zone,
    became: packages.map(({ name, key, holders, terms, price }) => ({ name, key, holders, terms, price })),
    cards: [...cards],
    told: told.map(({ kind, heading, count, rows }) => ({
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
