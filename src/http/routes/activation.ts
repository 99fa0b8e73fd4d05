import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Db } from "../../../db/open.ts";
import { type Activated, activate } from "../../domain/activation/activate.ts";
import { id } from "../../domain/fields.ts";
import { shownAmount } from "../../domain/money.ts";
import { type Applied, applyService } from "../../domain/control/apply.ts";
import { disconnect, type Disconnected } from "../../domain/control/disconnect.ts";
import type { Routers } from "../../domain/control/routers.ts";
import { type Clock, formatTime } from "../../domain/time.ts";
import { describeManaged } from "../describe.ts";
import { managementForm, read, within } from "../form.ts";
import type { basicGuard } from "../guards.ts";

/** Activation and disconnect, and apply, which is our own. */
export function activationRoutes({
  db,
  clock,
  guard,
  routers,
}: {
  db: Db;
  clock: Clock;
  guard: ReturnType<typeof basicGuard>;
  routers: Routers;
}) {
  return new Elysia({ prefix: "/api/v1/activation" })
    .use(guard)
    .post(
      "/activate",
      ({ staff, input }) => {
        const { user_id: subscriberId, package_id: packageId, ...place } = read(activateForm, input);
        return activated(activate(db, within(staff, place), { subscriberId, packageId }, { now: clock() }));
      },
      describeActivate,
    )
    .post(
      "/disconnect",
      async ({ staff, input }) => {
        const { user_id: subscriberId, ...place } = read(disconnectForm, input);
        const by = within(staff, place);
        const outcome = await disconnect(db, by, { subscriberId }, { clock, routers });
        return { success: outcomes[outcome] };
      },
      describeDisconnect,
    )
    .post(
      "/apply",
      async ({ staff, input }) => {
        const { user_id: subscriberId, ...place } = read(disconnectForm, input);
        const by = within(staff, place);
        const outcome = await applyService(db, by, { subscriberId }, { clock, routers });
        return { success: applied[outcome] };
      },
      describeApply,
    );
}

const outcomes: Record<Disconnected, string> = {
  confirmed: "Subscriber disconnected: the router has confirmed that the session is gone.",
  disconnected: "Subscriber disconnected: the router has acknowledged it.",
  already_offline: "The subscriber is already offline.",
};

const applied: Record<Applied, string> = {
  changed: "The open session has the current rate now.",
  reconnected: "The session was ended, so that the next login gets the current service.",
  unchanged: "The open session has the current service already.",
  already_offline: "The subscriber is offline; the next login gets the current service.",
};

const disconnectForm = managementForm({ user_id: id }, ["user_id"], { user_id: 42 });

const activateForm = managementForm({ user_id: id, package_id: id }, ["user_id", "package_id"], {
  user_id: 42,
  package_id: 7,
});

function activated({ subscriberId, packageId, expiresAt, charged }: Activated) {
  return {
    success: "Subscriber activated.",
    user_id: subscriberId,
    package_id: packageId,
    new_expiration: formatTime(expiresAt),
    amount_charged: shownAmount(charged),
    note: "An online session keeps its old profile; call /api/v1/activation/disconnect to move it to the new one.",
  };
}

const describeActivate = describeManaged({
  operationId: "activate",
  tags: ["Activation"],
  summary: "Activate, renew or change the package of a subscriber",
  description:
    "Charges the price and writes what RADIUS answers from; does not disconnect an online session.",
  operation: "activate",
  form: activateForm,
  success: {
    description: "Activated.",
    schema: Type.Object({
      success: Type.String(),
      user_id: Type.Integer(),
      package_id: Type.Integer(),
      new_expiration: Type.String(),
      amount_charged: Type.Number(),
      note: Type.String(),
    }),
    example: {
      success: "Subscriber activated.",
      user_id: 42,
      package_id: 7,
      new_expiration: "2030-02-28 12:00:00",
      amount_charged: 15,
      note: "An online session keeps its old profile; call /api/v1/activation/disconnect to move it to the new one.",
    },
  },
  refusals: {
    404: "There is no such subscriber or package.",
    422: "Insufficient balance, no reseller, a disabled subscriber or package, an unsupported connection type, or an end more than ten years ahead.",
    429: "The subscriber was activated less than two minutes ago.",
  },
});

const describeDisconnect = describeManaged({
  operationId: "disconnect",
  tags: ["Activation"],
  summary: "Disconnect the live session of a subscriber on its router",
  operation: "disconnect",
  form: disconnectForm,
  success: {
    description: "Disconnected, or already offline: `success` says which.",
    schema: Type.Object({ success: Type.String() }),
    example: { success: outcomes.disconnected },
  },
  refusals: {
    404: "There is no such subscriber.",
    422: "Disconnecting is switched off in the settings.",
    502: "The router did not do it, and why; the session stays open in the books.",
  },
});

const describeApply = describeManaged({
  operationId: "apply",
  tags: ["Activation"],
  summary: "Give the live session of a subscriber what its service says now (extension)",
  description:
    "Not part of the original interface. Changes the rate on the router without dropping the session; ends it where the address, the pool or the address list changes, or the router cannot change it.",
  operation: "applyService",
  form: disconnectForm,
  success: {
    description: "Done, or nothing to do: `success` says which.",
    schema: Type.Object({ success: Type.String() }),
    example: { success: applied.changed },
  },
  refusals: {
    404: "There is no such subscriber.",
    422: "The connection type has no service, or the session would have to be ended and disconnecting is switched off.",
    502: "The router did not do it, and why; the session stays as it is.",
  },
});
