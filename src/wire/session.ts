import { type Static, Type } from "@sinclair/typebox";
import type { SessionInScope } from "../domain/sessions/in-scope.ts";
import { formatTime } from "../domain/time.ts";
import { nullable, text } from "./kinds.ts";

export const sessionSchema = Type.Object({
  username: Type.String(),
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
export function shownSession({ session, nasName }: SessionInScope): Static<typeof sessionSchema> {
  return {
    username: session.username,
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
