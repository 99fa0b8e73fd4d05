import { type Static, Type } from "@sinclair/typebox";
import type { Why } from "../domain/service/access/why.ts";
import type { BoxMember } from "../domain/goods/subscribers/box.ts";
import type { Hit } from "../domain/desk/search/search.ts";
import { nullable, profileStatus, text } from "./kinds.ts";
import { declareRecord } from "./record.ts";

export const {
  schema: hitSchema,
  example: exampleHit,
  toJson: hitToJson,
} = declareRecord<Hit>()({
  id: { kind: "whole", example: 42 },
  name: { kind: "words", example: "Sam Doe" },
  username: { kind: "words", example: "sam" },
  mobile_number: { kind: "words", isNullable: true, of: "mobile", example: "070 123 456" },
  package_name: { kind: "words", of: "package", example: "Home" },
  profile_status: { shape: profileStatus, of: "status", example: "active" },
  online: { shape: Type.Boolean(), example: true },
  archived: { shape: Type.Boolean(), example: false },
  matched: {
    shape: Type.Array(Type.String()),
    of: ({ matched }) => [...matched],
    example: ["username", "email"],
  },
});

export const {
  schema: boxMemberSchema,
  example: exampleBoxMember,
  toJson: boxMemberToJson,
} = declareRecord<BoxMember>()({
  id: { kind: "whole", example: 42 },
  name: { kind: "words", example: "Sam Doe" },
  username: { kind: "words", example: "sam" },
  mobile_number: { kind: "words", isNullable: true, of: "mobile", example: "070 123 456" },
  uplink_port: { kind: "words", isNullable: true, example: "3" },
  switch_port: { kind: "words", isNullable: true, example: null },
  fiber_code: { kind: "words", isNullable: true, example: "F-17" },
  fiber_color: { kind: "words", isNullable: true, example: "blue" },
  profile_status: { shape: profileStatus, of: "status", example: "active" },
  online: { shape: Type.Boolean(), example: false },
  since: { kind: "moment", isNullable: true, example: "2030-01-15 11:58:00" },
});

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
  user_id: 42,
  username: "sam",
  profile_status: "active",
  online: false,
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
export function whyToJson(
  subscriberId: number,
  { sentence, remedy, explanation }: Why,
): Static<typeof whySchema> {
  const { username, status, online, decisions, findings } = explanation;
  return {
    user_id: subscriberId,
    username,
    profile_status: status ?? "inactive",
    online: online !== null,
    sentence,
    remedy,
    decisions,
    findings,
  };
}
