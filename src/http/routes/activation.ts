import { Type } from "@sinclair/typebox";
import { activate } from "../../domain/service/activation/activate.ts";
import { applyService } from "../../domain/service/control/apply.ts";
import { appliedWords } from "../../domain/service/control/apply-change.ts";
import { disconnect, type Disconnected } from "../../domain/service/control/disconnect.ts";
import { flag, id } from "../../domain/core/fields/fields.ts";
import { activationSchema, exampleActivation, activationToJson } from "../../wire/activation.ts";
import { managementForm } from "../form.ts";
import { subscriberById } from "../../domain/goods/subscribers/find.ts";
import { managed } from "../operation.ts";

const PREFIX = "/api/v1/activation";
const tags: [string] = ["Activation"];
const userForm = managementForm({ user_id: id }, ["user_id"], { user_id: 42 });

export const activationForm = managementForm(
  { user_id: id, package_id: id, credit_unused: flag },
  ["user_id", "package_id"],
  { user_id: 42, package_id: 7 },
);

const activation = managed({
  method: "POST",
  path: `${PREFIX}/activate`,
  operation: "activate",
  operationId: "activate",
  tags,
  summary: "Activate, renew or change the package of a subscriber",
  description:
    "Charges the price and writes what RADIUS answers from; does not disconnect an online session.",
  form: activationForm,
  success: {
    description: "Activated.",
    schema: activationSchema,
    example: exampleActivation,
  },
  refusals: {
    404: "There is no such subscriber or package.",
    422: "Insufficient balance, no reseller, a disabled subscriber or package, an unsupported connection type, or an end more than ten years ahead.",
    429: "The subscriber was activated less than two minutes ago.",
  },
  once: ({ db, by, values: { user_id } }) => void subscriberById(db, by.scope, user_id),
  run: ({ db, by, values: { user_id: subscriberId, package_id: packageId, credit_unused }, now }) => {
    const isCreditRequested = credit_unused === 1;
    const activation = { subscriberId, packageId, creditUnused: isCreditRequested };
    return activationToJson(activate(db, by, activation, { now }), { isCreditRequested });
  },
});

const disconnected: Record<Disconnected, string> = {
  confirmed: "Subscriber disconnected: the router has confirmed that the session is gone.",
  disconnected: "Subscriber disconnected: the router has acknowledged it.",
  already_offline: "The subscriber is already offline.",
};

const disconnection = managed({
  method: "POST",
  path: `${PREFIX}/disconnect`,
  awaits: true,
  operation: "disconnect",
  operationId: "disconnect",
  tags,
  summary: "Disconnect the live session of a subscriber on its router",
  form: userForm,
  success: {
    description: "Disconnected, or already offline: `success` says which.",
    schema: Type.Object({ success: Type.String() }),
    example: { success: disconnected.disconnected },
  },
  refusals: {
    404: "There is no such subscriber.",
    422: "Disconnecting is switched off in the settings.",
    502: "The router did not do it, and why; the session stays open in the books.",
  },
  run: async ({ db, by, values: { user_id: subscriberId }, clock, routers }) => ({
    success: disconnected[await disconnect(db, by, { subscriberId }, { clock, routers })],
  }),
});

const application = managed({
  method: "POST",
  path: `${PREFIX}/apply`,
  awaits: true,
  operation: "applyService",
  operationId: "apply",
  tags,
  summary: "Give the live session of a subscriber what its service says now (extension)",
  description:
    "Not part of the original interface. Changes the rate on the router without dropping the session, and lets it last until the new end of a service that was renewed or extended; ends it where the address, the pool or the address list changes, or the router cannot change it.",
  form: userForm,
  success: {
    description: "Done, or nothing to do: `success` says which.",
    schema: Type.Object({ success: Type.String() }),
    example: { success: appliedWords.changed.toString() },
  },
  refusals: {
    404: "There is no such subscriber.",
    422: "The connection type has no service, or the session would have to be ended and disconnecting is switched off.",
    502: "The router did not do it, and why; the session stays as it is.",
  },
  run: async ({ db, by, values: { user_id: subscriberId }, clock, routers }) => ({
    success: appliedWords[await applyService(db, by, { subscriberId }, { clock, routers })].toString(),
  }),
});

export const activationOperations = [activation, disconnection, application];
