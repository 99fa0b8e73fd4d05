import { unknownFields } from "../../../core/fields/nearest.ts";
import type { Tx } from "../../../../../db/open.ts";
import type { Faults } from "../../../core/errors/errors.ts";
import {
  addFault,
  id,
  type Input,
  ipv4,
  mac,
  readFields,
  text,
  time,
  type Values,
  wholeNumber,
} from "../../../core/fields/fields.ts";
import { fold } from "../../../core/fields/text.ts";
import { items, object } from "./rows.ts";
import type { Staging } from "./staging.ts";

const octets = wholeNumber(0, Number.MAX_SAFE_INTEGER);

/** A session open elsewhere, which its router will report to us. */
const sessionFields = {
  /** The User-Name of its packets. */
  username: text(253),
  /** Where the username does not tell. */
  subscriber_id: id,
  nas_address: text(45),
  acct_session_id: text(253),
  started_at: time,
  updated_at: time,
  session_time: octets,
  input_octets: octets,
  output_octets: octets,
  framed_ip: ipv4,
  mac_address: mac,
  nas_port_id: text(253),
  called_station_id: text(253),
};

const required = [
  ...["username", "nas_address", "acct_session_id", "started_at", "updated_at"],
  ...["session_time", "input_octets", "output_octets"],
] as (keyof typeof sessionFields)[]; // names of that list

type SessionRow = Values<typeof sessionFields>;

export function readSessions(file: Input, faults: Faults): SessionRow[] {
  const unknown = unknownFields(Object.keys(sessionFields));
  return items(file["sessions"], "/sessions", faults).flatMap((item, index) => {
    const place = `/sessions/${index}`;
    const row = object(item, place, faults);
    if (!row) return [];
    const found: Faults = {};
    const values = readFields(sessionFields, row, found, { required });
    for (const name of Object.keys(row))
      if (!Object.hasOwn(sessionFields, name)) addFault(found, name, unknown(name));
    for (const [name, messages] of Object.entries(found)) faults[`${place}/${name}`] = messages;
    return [values];
  });
}

const columns = [
  ...[
    "username",
    "username_key",
    "subscriber_id",
    "nas_address",
    "acct_session_id",
    "started_at",
    "updated_at",
  ],
  ...[
    "session_time",
    "input_octets",
    "output_octets",
    "framed_ip",
    "mac",
    "nas_port_id",
    "called_station_id",
  ],
];

/** Untouched sessions follow the file; those with packets of their own are the router's. */
export function stageSessions(staging: Staging, rows: readonly SessionRow[]) {
  const { table, insert } = staging.inserter("sessions", columns);
  for (const row of rows) {
    const { username = "", framed_ip = null, mac_address = null, nas_port_id = null } = row;
    insert.run(
      ...[username, fold(username ?? ""), row.subscriber_id ?? null, row.nas_address ?? null],
      ...[row.acct_session_id ?? null, row.started_at ?? null, row.updated_at ?? null, row.session_time ?? 0],
      ...[row.input_octets ?? 0, row.output_octets ?? 0, framed_ip, mac_address, nas_port_id],
      row.called_station_id ?? null,
    );
  }
  const write = ({ $client }: Tx) => {
    if (rows.length === 0) return;
    const same = `stored.acct_session_id = given.acct_session_id AND stored.nas_address = given.nas_address
      AND stored.username = given.username`;
    $client.run(
      `UPDATE sessions AS stored SET updated_at = given.updated_at, session_time = given.session_time,
         input_octets = given.input_octets, output_octets = given.output_octets, counter_input = given.input_octets,
         counter_output = given.output_octets, stopped_at = NULL, closed_by = NULL, terminate_cause = NULL
       FROM ${table} AS given
       WHERE ${same} AND stored.moved_in = 1 AND given.updated_at > stored.updated_at`,
    );
    $client.run(
      `INSERT INTO sessions (nas_id, nas_address, acct_session_id, username, subscriber_id, nas_port_id, called_station_id, mac,
         framed_ip, started_at, updated_at, session_time, input_octets, output_octets, counter_input, counter_output, moved_in)
       SELECT (SELECT id FROM nas WHERE address = given.nas_address), nas_address, acct_session_id, username,
         coalesce(subscriber_id, (SELECT id FROM subscribers AS s WHERE s.username_key = given.username_key)),
         nas_port_id, called_station_id, mac, framed_ip, started_at, updated_at, session_time, input_octets, output_octets,
         input_octets, output_octets, 1
       FROM ${table} AS given WHERE NOT EXISTS (SELECT 1 FROM sessions AS stored WHERE ${same})`,
    );
  };
  return { given: rows.length, write };
}
