import { moveIn } from "../../../../../src/domain/machine/imports/move-in.ts";
import { listMoves, moveById } from "../../../../../src/domain/machine/imports/moves.ts";
import { undoMove } from "../../../../../src/domain/machine/imports/undo.ts";
import { type Call, done, moveOptions, nothingMoved, nowhere, through, world, written } from "./call.ts";

/** Moves from other systems, which have no branch. */
export const ofMoves = {
  moveIn: {
    call: through((db, by) => moveIn(db, by, nothingMoved, moveOptions)),
    operator: done,
    ...nowhere,
  },
  listMoves: {
    call: (db, by) => listMoves(db, by, { limit: 10 }).map(({ id }) => id),
    operator: [1],
    ...nowhere,
    otherIsp: [],
  },
  moveById: { call: (db, by) => moveById(db, by, 1).source, operator: "csv", ...written },
  undoMove: {
    call: (db, by) => undoMove(db, by, 1, world),
    operator: { archived: 0, voided: 0, stayed: [] },
    ...written,
  },
} satisfies Record<string, Call>;
