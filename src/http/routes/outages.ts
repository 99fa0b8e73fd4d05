import { flag, from, id, oneOf, text, to } from "../../domain/core/fields/fields.ts";
import { listOutages, outageById, type OutageKind, outageKinds } from "../../domain/service/outages/find.ts";
import {
  exampleLine,
  exampleOutage,
  lineColumns,
  outageSchema,
  outageWithLinesSchema,
  lineToJson,
  outageToJson,
} from "../../wire/outage.ts";
import { noForm } from "../form.ts";
import { file, logged } from "../list.ts";
import { managed } from "../operation.ts";

const tags: [string] = ["Sessions and logins"];

const list = logged({
  path: "/api/v1/outage/list",
  operation: "listOutages",
  operationId: "listOutages",
  tags,
  summary: "List outages of routers, areas and boxes, the newest first",
  description:
    "Lines that went dark together, found within about a minute, and over when three of four are back. `sign` says what showed it: `silent`, a router that should have reported and did not, or `lost`, ends of sessions that nobody wanted. Who sees a part of an ISP sees the outages of its own subscribers, and counts those.",
  filters: {
    open: flag,
    kind: oneOf<OutageKind>(...outageKinds),
    nas_id: id,
    area_id: id,
    box_number: text(100),
    from,
    to,
  },
  record: outageSchema,
  example: exampleOutage,
  page: ({ db, by, values: value }, page) => {
    const { nas_id: nasId, area_id: areaId, box_number: boxNumber, open, kind, from, to } = value;
    return listOutages(db, by, { open, kind, nasId, areaId, boxNumber, from, to }, page).map(outageToJson);
  },
});

const one = managed({
  method: "GET",
  path: "/api/v1/outage/get/:id",
  operation: "outageById",
  operationId: "getOutage",
  tags,
  summary: "Read an outage with its lines: who is to be called",
  description:
    "Those who are dark come first, by box and port. `Accept: text/csv` answers a file of the lines.",
  ids: { id: "outage" },
  form: noForm,
  success: {
    description: "The outage.",
    schema: outageWithLinesSchema,
    example: { ...exampleOutage, members: [exampleLine] },
  },
  refusals: { 404: "There is no such outage." },
  run: ({ db, by, ids: { id } }) => {
    const outage = outageById(db, by, id);
    return { ...outageToJson(outage), members: outage.members.map(lineToJson) };
  },
  csv: ({ db, by, ids: { id } }, line) =>
    file(`outage-${id}`, lineColumns, [outageById(db, by, id).members.map(lineToJson)].values(), { line }),
});

export const outageOperations = [list, one];
