import { type Static, Type } from "@sinclair/typebox";
import type { Why } from "../domain/service/access/why.ts";
import type { BoxMember } from "../domain/goods/subscribers/box.ts";
import type { Hit } from "../domain/desk/search/search.ts";
import { formatTime } from "../domain/core/time/time.ts";
import { nullable, text } from "./kinds.ts";

const profileStatus = Type.String({ enum: ["disabled", "inactive", "expired", "active"] });

export const hitSchema = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  username: Type.String(),
  mobile_number: text,
  package_name: Type.String(),
  profile_status: profileStatus,
  online: Type.Boolean(),
  archived: Type.Boolean(),
  matched: Type.Array(Type.String()),
});

export const exampleHit: Static<typeof hitSchema> = {
  id: 42,
  name: "Sam Doe",
  username: "sam",
  mobile_number: "070 123 456",
  package_name: "Home",
  profile_status: "active",
  online: true,
  archived: false,
  matched: ["username", "email"],
};

/** A subscriber that a search found, in short. */
export function shownHit({ mobile, package: packageName, status, ...hit }: Hit): Static<typeof hitSchema> {
  const { id, name, username, online, archived, matched } = hit;
  return {
    ...{ id, name, username, mobile_number: mobile, package_name: packageName, profile_status: status },
    ...{ online, archived, matched: [...matched] },
  };
}

export const boxMemberSchema = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  username: Type.String(),
  mobile_number: text,
  uplink_port: text,
  switch_port: text,
  fiber_code: text,
  fiber_color: text,
  profile_status: profileStatus,
  online: Type.Boolean(),
  since: text,
});

export const exampleBoxMember: Static<typeof boxMemberSchema> = {
  ...{ id: 42, name: "Sam Doe", username: "sam", mobile_number: "070 123 456", uplink_port: "3" },
  ...{ switch_port: null, fiber_code: "F-17", fiber_color: "blue", profile_status: "active" },
  ...{ online: false, since: "2030-01-15 11:58:00" },
};

/** Who hangs on a box. */
export function shownBoxMember(member: BoxMember): Static<typeof boxMemberSchema> {
  const { id, name, username, mobile, uplinkPort, switchPort, fiberCode, fiberColor, since } = member;
  return {
    ...{ id, name, username, mobile_number: mobile, uplink_port: uplinkPort, switch_port: switchPort },
    ...{ fiber_code: fiberCode, fiber_color: fiberColor, profile_status: member.status },
    ...{ online: member.online, since: since === null ? null : formatTime(since) },
  };
}

export const whySchema = Type.Object({
  user_id: Type.Integer(),
  username: Type.String(),
  profile_status: profileStatus,
  online: Type.Boolean(),
  sentence: Type.String(),
  remedy: text,
  decisions: Type.Array(
    Type.Object({
      at: Type.String(),
      accepted: Type.Boolean(),
      reason: Type.String(),
      words: Type.String(),
      nas: Type.String(),
      mac: nullable(Type.String()),
    }),
  ),
  findings: Type.Array(Type.String()),
});

export const exampleWhy: Static<typeof whySchema> = {
  ...{ user_id: 42, username: "sam", profile_status: "active", online: false },
  sentence: "sam is offline: refused at 2030-01-15 11:58:00 by core, locked to another MAC address.",
  remedy: "change the address or unlock it",
  decisions: [
    {
      at: "2030-01-15 11:58:00",
      accepted: false,
      reason: "mac_locked",
      words: "rejected: locked to another MAC address; change the address or unlock it",
      nas: "core",
      mac: "AA:BB:CC:DD:EE:FF",
    },
  ],
  findings: [],
};

/** Why a subscriber is online or not. */
export function shownWhy(
  subscriberId: number,
  { sentence, remedy, explanation }: Why,
): Static<typeof whySchema> {
  const { username, status, online, decisions, findings } = explanation;
  return {
    ...{ user_id: subscriberId, username, profile_status: status ?? "inactive", online: online !== null },
    ...{ sentence, remedy, decisions, findings },
  };
}
