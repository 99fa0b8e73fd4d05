import { type Static, Type } from "@sinclair/typebox";
import type { SessionInScope } from "../domain/service/sessions/in-scope.ts";
import { formatTime } from "../domain/core/time/time.ts";
import { nullable, text } from "./kinds.ts";

export const sessionSchema = Type.Object({
  id: Type.Integer(),
  username: Type.String(),
  name: text,
  user_id: nullable(Type.Integer()),
  ip: text,
  ipv6_prefix: text,
  ipv6_delegated_prefix: text,
  mac: text,
  nas: text,
  nas_ip: Type.String(),
  session_id: Type.String(),
  start_time: Type.String(),
  last_update: Type.String(),
  stop_time: text,
  terminate_cause: text,
  session_time: Type.Integer(),
  input_octets: Type.Integer(),
  output_octets: Type.Integer(),
});

/** A session as staff see it; `user_id` is null for a name that we do not know. */
export function shownSession({
  session,
  nasName,
  subscriberName,
}: SessionInScope): Static<typeof sessionSchema> {
  return {
    id: session.id,
    username: session.username,
    name: subscriberName,
    user_id: session.subscriberId,
    ip: session.framedIp,
    ipv6_prefix: session.framedIpv6Prefix,
    ipv6_delegated_prefix: session.delegatedIpv6Prefix,
    mac: session.mac,
    nas: nasName,
    nas_ip: session.nasIp ?? session.nasAddress,
    session_id: session.acctSessionId,
    start_time: formatTime(session.startedAt),
    last_update: formatTime(session.updatedAt),
    stop_time: session.stoppedAt === null ? null : formatTime(session.stoppedAt),
    terminate_cause: session.terminateCause,
    session_time: session.sessionTime,
    input_octets: session.inputOctets,
    output_octets: session.outputOctets,
  };
}

export const exampleSession: Static<typeof sessionSchema> = {
  id: 5120,
  username: "user1",
  name: "Sam Miller",
  user_id: 42,
  ip: "10.5.0.2",
  ipv6_prefix: null,
  ipv6_delegated_prefix: null,
  mac: "AA:BB:CC:DD:EE:FF",
  nas: "core",
  nas_ip: "10.0.0.1",
  session_id: "81000001",
  start_time: "2030-01-31 08:00:00",
  last_update: "2030-01-31 12:00:00",
  stop_time: null,
  terminate_cause: null,
  session_time: 14_400,
  input_octets: 52_428_800,
  output_octets: 734_003_200,
};
