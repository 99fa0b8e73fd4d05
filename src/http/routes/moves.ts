import { listMoves, moveById } from "../../domain/machine/imports/moves.ts";
import {
  exampleMove,
  exampleWholeMove,
  moveSchema,
  moveToJson,
  wholeMoveToJson,
  wholeMoveSchema,
} from "../../wire/move.ts";
import { noForm } from "../form.ts";
import { logged } from "../list.ts";
import { managed } from "../operation.ts";

const PREFIX = "/api/v1/move";
const tags: [string] = ["Moving in"];

const list = logged({
  path: `${PREFIX}/list`,
  operation: "listMoves",
  operationId: "listMoves",
  tags,
  summary: "List what was moved in from other systems",
  description:
    "The runs of `gatehouse migrate` and of Settings, Import that were written. An account of one branch and a Reseller see none: 403, for moves are the whole ISP's.",
  filters: {},
  record: moveSchema,
  example: exampleMove,
  page: ({ db, by }, paging) => listMoves(db, by, paging).map(moveToJson),
});

const get = managed({
  method: "GET",
  path: `${PREFIX}/get/:id`,
  operation: "moveById",
  operationId: "getMove",
  tags,
  summary: "Get a move with its report",
  form: noForm,
  ids: { id: "move" },
  success: { description: "The move.", schema: wholeMoveSchema, example: exampleWholeMove },
  refusals: { 404: "There is no such move." },
  run: ({ db, by, ids: { id } }) => wholeMoveToJson(moveById(db, by, id)),
});

export const moveOperations = [list, get];
