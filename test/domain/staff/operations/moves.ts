import type { Db } from "../../../../db/open.ts";
import type { Moved } from "../../../../src/domain/moving/model.ts";
import { moveIn } from "../../../../src/domain/moving/move-in.ts";
import { listMoves, moveById } from "../../../../src/domain/moving/moves.ts";
import { Tellings } from "../../../../src/domain/moving/told.ts";
import { undoMove } from "../../../../src/domain/moving/undo.ts";
import { operator } from "../../../../src/domain/staff/actor.ts";
import { type Call, done, nowhere, read, through, world, written } from "./call.ts";

const nothing: Moved = {
  ...{ packages: [], routers: [], subscribers: [], sessions: [], vouchers: [], afterwards: [] },
};

const run = (db: Db, by: Parameters<typeof moveIn>[1]) =>
  moveIn(db, by, nothing, {
    ...{ ispId: 1, source: "csv", files: ["a.csv"], told: new Tellings(), zone: "UTC", ...world },
  });

const ran = async (db: Db) => Number((await run(db, operator("root", "cli"))).moveId);

/** Moves from other systems, which have no branch. */
export const ofMoves = {
  moveIn: { call: through(run), operator: done, ...nowhere },
  listMoves: {
    call: async (db, by) => {
      await ran(db);
      return listMoves(db, by, { limit: 10 }).map(({ id }) => id);
    },
    operator: [1],
    otherIsp: [],
    otherBranch: "forbidden",
    otherReseller: "forbidden",
  },
  moveById: {
    call: async (db, by) => moveById(db, by, await ran(db)).source,
    operator: "csv",
    ...{ ...written, ...read },
  },
  undoMove: {
    call: async (db, by) => undoMove(db, by, await ran(db), world),
    operator: { archived: 0, stayed: [] },
    ...written,
  },
} satisfies Record<string, Call>;
