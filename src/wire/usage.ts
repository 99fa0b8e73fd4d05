import { type Static, Type } from "@sinclair/typebox";
import type { Usage } from "../domain/service/sessions/usage.ts";
import { formatTime } from "../domain/core/time/time.ts";
import { nullable, text } from "./kinds.ts";

export const usageSchema = Type.Object({
  user_id: Type.Integer(),
  username: Type.String(),
  online: Type.Boolean(),
  session: nullable(
    Type.Object({
      ip: text,
      nas_ip: Type.String(),
      session_id: Type.String(),
      mac: text,
      start_time: Type.String(),
      last_update: Type.String(),
    }),
  ),
  data_quota: Type.Object({
    enabled: Type.Boolean(),
    total_bytes: Type.Integer(),
    used_bytes: Type.Integer(),
  }),
});

export const exampleUsage = {
  user_id: 42,
  username: "sam",
  online: true,
  session: {
    ip: "10.0.0.7",
    nas_ip: "192.0.2.1",
    session_id: "80a00001",
    mac: "AA:BB:CC:DD:EE:FF",
    start_time: "2030-01-15 12:00:00",
    last_update: "2030-01-15 12:05:00",
  },
  data_quota: { enabled: true, total_bytes: 10_000_000_000, used_bytes: 1_234_567 },
};

export function shownUsage({ subscriberId, username, session, quota }: Usage): Static<typeof usageSchema> {
  return {
    user_id: subscriberId,
    username,
    online: session !== null,
    session: session && {
      ip: session.ip,
      nas_ip: session.nasIp,
      session_id: session.sessionId,
      mac: session.mac,
      start_time: formatTime(session.startedAt),
      last_update: formatTime(session.updatedAt),
    },
    data_quota: { enabled: quota.total > 0, total_bytes: quota.total, used_bytes: quota.used },
  };
}
