import { type Static, Type } from "@sinclair/typebox";
import type { Outage, OutageLine } from "../domain/service/outages/find.ts";
import { formatTime, type Seconds } from "../domain/core/time/time.ts";
import { nullable, text } from "./kinds.ts";

const count = nullable(Type.Integer());
const ports = Type.Array(Type.String());

export const outageSchema = Type.Object({
  id: Type.Integer(),
  kind: Type.String(),
  nas_id: count,
  nas: text,
  area_id: count,
  area: text,
  box_number: text,
  began_at: Type.String(),
  found_at: Type.String(),
  ended_at: text,
  lines: Type.Integer(),
  back: Type.Integer(),
  sign: Type.String(),
  within: count,
  answering: count,
  most_before: count,
  ports,
  answering_ports: ports,
  overdue: count,
  usual_silence: count,
});

const lineSchema = Type.Object({
  user_id: Type.Integer(),
  name: Type.String(),
  username: Type.String(),
  mobile_number: text,
  phone_number: text,
  address: text,
  box_number: text,
  port: text,
  dark_at: Type.String(),
  back_at: text,
});

export const outageWithLinesSchema = Type.Composite([
  outageSchema,
  Type.Object({ members: Type.Array(lineSchema) }),
]);

const timeOrNull = (at: Seconds | null) => (at === null ? null : formatTime(at));

/** An outage as staff see it; what does not belong to its sign is null. */
export function shownOutage(outage: Outage): Static<typeof outageSchema> {
  const { evidence } = outage;
  const lost = evidence.sign === "lost" ? evidence : undefined;
  const silent = evidence.sign === "silent" ? evidence : undefined;
  return {
    id: outage.id,
    kind: outage.kind,
    nas_id: outage.nasId,
    nas: outage.nasName,
    area_id: outage.areaId,
    area: outage.areaName,
    box_number: outage.boxNumber,
    began_at: formatTime(outage.beganAt),
    found_at: formatTime(outage.foundAt),
    ended_at: timeOrNull(outage.endedAt),
    lines: outage.lines,
    back: outage.back,
    sign: evidence.sign,
    within: lost?.seconds ?? null,
    answering: lost?.answering ?? null,
    most_before: lost?.most ?? null,
    ports: lost?.ports ?? [],
    answering_ports: lost?.answeringPorts ?? [],
    overdue: silent?.overdue ?? null,
    usual_silence: silent?.usual ?? null,
  };
}

/** A line of it, and who is to be called. */
export function shownLine(line: OutageLine): Static<typeof lineSchema> {
  return {
    user_id: line.subscriberId,
    name: line.name,
    username: line.username,
    mobile_number: line.mobile,
    phone_number: line.phone,
    address: line.address,
    box_number: line.boxNumber,
    port: line.port,
    dark_at: formatTime(line.darkAt),
    back_at: timeOrNull(line.backAt),
  };
}

/** The columns of a file of its lines. */
export const lineColumns = Object.keys(lineSchema.properties);

export const exampleOutage: Static<typeof outageSchema> = {
  id: 3,
  kind: "box",
  nas_id: null,
  nas: null,
  area_id: null,
  area: null,
  box_number: "BOX-77",
  began_at: "2030-01-31 14:05:03",
  found_at: "2030-01-31 14:05:42",
  ended_at: null,
  lines: 4,
  back: 0,
  sign: "lost",
  within: 9,
  answering: 4,
  most_before: 1,
  ports: ["5", "6", "7", "8"],
  answering_ports: ["1", "2", "3", "4"],
  overdue: null,
  usual_silence: null,
};

export const exampleLine: Static<typeof lineSchema> = {
  user_id: 42,
  name: "Sam Miller",
  username: "user1",
  mobile_number: "+100200300",
  phone_number: null,
  address: "8 Quay Street",
  box_number: "BOX-77",
  port: "5",
  dark_at: "2030-01-31 14:05:03",
  back_at: null,
};
