import { Type } from "@sinclair/typebox";
import type { Outage, OutageLine } from "../domain/service/outages/find.ts";
import { declareRecord } from "./record.ts";

const ports = Type.Array(Type.String());
const lost = ({ evidence }: Outage) => (evidence.sign === "lost" ? evidence : undefined);
const silent = ({ evidence }: Outage) => (evidence.sign === "silent" ? evidence : undefined);

export const {
  schema: outageSchema,
  example: exampleOutage,
  toJson: outageToJson,
} = declareRecord<Outage>()({
  id: { kind: "whole", example: 3 },
  kind: { kind: "words", example: "box" },
  nas_id: { kind: "whole", isNullable: true, example: null },
  nas: { kind: "words", isNullable: true, of: "nasName", example: null },
  area_id: { kind: "whole", isNullable: true, example: null },
  area: { kind: "words", isNullable: true, of: "areaName", example: null },
  box_number: { kind: "words", isNullable: true, example: "BOX-77" },
  began_at: { kind: "moment", example: "2030-01-31 14:05:03" },
  found_at: { kind: "moment", example: "2030-01-31 14:05:42" },
  ended_at: { kind: "moment", isNullable: true, example: null },
  lines: { kind: "whole", example: 4 },
  back: { kind: "whole", example: 0 },
  sign: { kind: "words", of: ({ evidence }) => evidence.sign, example: "lost" },
  within: { kind: "whole", isNullable: true, of: (row) => lost(row)?.seconds ?? null, example: 9 },
  answering: { kind: "whole", isNullable: true, of: (row) => lost(row)?.answering ?? null, example: 4 },
  most_before: { kind: "whole", isNullable: true, of: (row) => lost(row)?.most ?? null, example: 1 },
  ports: { shape: ports, of: (row) => lost(row)?.ports ?? [], example: ["5", "6", "7", "8"] },
  answering_ports: {
    shape: ports,
    of: (row) => lost(row)?.answeringPorts ?? [],
    example: ["1", "2", "3", "4"],
  },
  overdue: { kind: "whole", isNullable: true, of: (row) => silent(row)?.overdue ?? null, example: null },
  usual_silence: { kind: "whole", isNullable: true, of: (row) => silent(row)?.usual ?? null, example: null },
});

const line = declareRecord<OutageLine>()({
  user_id: { kind: "whole", of: "subscriberId", example: 42 },
  name: { kind: "words", example: "Sam Miller" },
  username: { kind: "words", example: "user1" },
  mobile_number: { kind: "words", isNullable: true, of: "mobile", example: "+100200300" },
  phone_number: { kind: "words", isNullable: true, of: "phone", example: null },
  address: { kind: "words", isNullable: true, example: "8 Quay Street" },
  box_number: { kind: "words", isNullable: true, example: "BOX-77" },
  port: { kind: "words", isNullable: true, example: "5" },
  dark_at: { kind: "moment", example: "2030-01-31 14:05:03" },
  back_at: { kind: "moment", isNullable: true, example: null },
});
export const { example: exampleLine, toJson: lineToJson } = line;

export const outageWithLinesSchema = Type.Composite([
  outageSchema,
  Type.Object({ members: Type.Array(line.schema) }),
]);

/** Columns of a downloaded file of its lines. */
export const lineColumns = Object.keys(line.schema.properties);
