import { type Static, Type } from "@sinclair/typebox";
import type { Login } from "../domain/service/access/log.ts";
import { formatTime } from "../domain/core/time/time.ts";
import { nullable, text } from "./kinds.ts";

export const loginSchema = Type.Object({
  id: Type.Integer(),
  at: Type.String(),
  username: Type.String(),
  user_id: nullable(Type.Integer()),
  name: text,
  accepted: Type.Integer(),
  reason: Type.String(),
  words: Type.String(),
  method: text,
  mac: text,
  nas_id: nullable(Type.Integer()),
  nas: text,
  nas_ip: Type.String(),
});

/** A decision about a login as staff see it; `user_id` is null for a name that was nobody's. */
export function shownLogin(login: Login): Static<typeof loginSchema> {
  return {
    id: login.id,
    at: formatTime(login.at),
    username: login.username,
    user_id: login.subscriberId,
    name: login.subscriberName,
    accepted: login.accepted,
    reason: login.reason,
    words: login.words,
    method: login.method,
    mac: login.mac,
    nas_id: login.nasName === null ? null : login.nasId,
    nas: login.nasName,
    nas_ip: login.nasAddress,
  };
}

export const exampleLogin: Static<typeof loginSchema> = {
  id: 88_120,
  at: "2030-01-31 08:00:00",
  username: "user1",
  user_id: 42,
  name: "Sam Miller",
  accepted: 0,
  reason: "expired",
  words: "rejected: expired; activate a package",
  method: "chap",
  mac: "AA:BB:CC:DD:EE:FF",
  nas_id: 1,
  nas: "core",
  nas_ip: "10.0.0.1",
};
