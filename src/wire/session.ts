import type { SessionInScope } from "../domain/service/sessions/in-scope.ts";
import { declareRecord } from "./record.ts";

/** A session for staff; `user_id` is null for an unknown name. */
export const {
  schema: sessionSchema,
  example: exampleSession,
  toJson: sessionToJson,
} = declareRecord<SessionInScope>()({
  id: { kind: "whole", of: ({ session }) => session.id, example: 5120 },
  username: { kind: "words", of: ({ session }) => session.username, example: "user1" },
  name: { kind: "words", isNullable: true, of: "subscriberName", example: "Sam Miller" },
  user_id: { kind: "whole", isNullable: true, of: ({ session }) => session.subscriberId, example: 42 },
  ip: { kind: "words", isNullable: true, of: ({ session }) => session.framedIp, example: "10.5.0.2" },
  ipv6_prefix: {
    kind: "words",
    isNullable: true,
    of: ({ session }) => session.framedIpv6Prefix,
    example: null,
  },
  ipv6_delegated_prefix: {
    kind: "words",
    isNullable: true,
    of: ({ session }) => session.delegatedIpv6Prefix,
    example: null,
  },
  mac: { kind: "words", isNullable: true, of: ({ session }) => session.mac, example: "AA:BB:CC:DD:EE:FF" },
  nas: { kind: "words", isNullable: true, of: "nasName", example: "core" },
  nas_ip: { kind: "words", of: ({ session }) => session.nasIp ?? session.nasAddress, example: "10.0.0.1" },
  session_id: { kind: "words", of: ({ session }) => session.acctSessionId, example: "81000001" },
  start_time: { kind: "moment", of: ({ session }) => session.startedAt, example: "2030-01-31 08:00:00" },
  last_update: { kind: "moment", of: ({ session }) => session.updatedAt, example: "2030-01-31 12:00:00" },
  stop_time: { kind: "moment", isNullable: true, of: ({ session }) => session.stoppedAt, example: null },
  terminate_cause: {
    kind: "words",
    isNullable: true,
    of: ({ session }) => session.terminateCause,
    example: null,
  },
  session_time: { kind: "whole", of: ({ session }) => session.sessionTime, example: 14_400 },
  input_octets: { kind: "whole", of: ({ session }) => session.inputOctets, example: 52_428_800 },
  output_octets: { kind: "whole", of: ({ session }) => session.outputOctets, example: 734_003_200 },
});
