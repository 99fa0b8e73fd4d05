import { type Static, Type } from "@sinclair/typebox";
import type { Activated } from "../domain/service/activation/activate.ts";
import { formatMinor } from "../domain/core/amounts/money.ts";
import { writeTime } from "./time.ts";
import { money } from "./money.ts";

const NOTE =
  "An online session keeps its old profile; call /api/v1/activation/disconnect to move it to the new one.";

export const activationSchema = Type.Object({
  success: Type.String(),
  user_id: Type.Integer(),
  package_id: Type.Integer(),
  new_expiration: Type.String(),
  amount_charged: money,
  note: Type.String(),
  credited: Type.Optional(
    Type.Number({
      description: "What was given back of periods that ended now; only where it was asked for.",
    }),
  ),
});

export const exampleActivation = {
  success: "Subscriber activated.",
  user_id: 42,
  package_id: 7,
  new_expiration: "2030-02-28 12:00:00",
  amount_charged: 15,
  note: NOTE,
};

export function activationToJson(
  { subscriberId, packageId, expiresAt, charged, credited }: Activated,
  { isCreditRequested = false }: { isCreditRequested?: boolean } = {},
): Static<typeof activationSchema> {
  return {
    success: "Subscriber activated.",
    user_id: subscriberId,
    package_id: packageId,
    new_expiration: writeTime(expiresAt),
    amount_charged: formatMinor(charged),
    note: NOTE,
    ...(isCreditRequested && { credited: formatMinor(credited) }),
  };
}
