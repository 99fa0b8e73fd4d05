import {
  createEndpoint,
  deleteEndpoint,
  endpointById,
  endpointSecret,
  listEndpoints,
  rotateEndpointSecret,
  setEndpointEnabled,
  updateEndpoint,
} from "../../../../../src/domain/around/webhooks/endpoints.ts";
import {
  deliveryById,
  listDeliveries,
  replayDelivery,
  resendEvents,
  testEndpoint,
} from "../../../../../src/domain/around/webhooks/deliveries.ts";
import { tellBackupFailed } from "../../../../../src/domain/machine/backup/tell-failed.ts";
import { tellLockedLogin } from "../../../../../src/domain/people/staff/locked-logins.ts";
import { endpointHealth } from "../../../../../src/domain/around/webhooks/health.ts";
import { listEvents } from "../../../../../src/domain/around/webhooks/events.ts";
import { planDeliveries } from "../../../../../src/domain/around/webhooks/plan.ts";
import { type Call, done, forOperator, nowhere, through, world, written } from "./call.ts";

const hook = { isp_id: 1, url: "https://receiver.example/hook", types: "*" };
const first = { id: 1 };
const newest = { before: Number.MAX_SAFE_INTEGER, limit: 10 };

const onHook = (work: Call["call"]): Call => ({ call: through(work), operator: done, ...written });

const listing = (call: Call["call"]): Call => ({
  call,
  operator: [1],
  otherIsp: [],
  otherBranch: "forbidden",
  otherReseller: "forbidden",
});

/** Webhooks are the whole ISP's. */
export const ofWebhooks = {
  listEndpoints: listing((db, by) => listEndpoints(db, by).map(({ id }) => id)),
  endpointById: onHook((db, by) => endpointById(db, by, first)),
  endpointHealth: onHook((db, by) => endpointHealth(db, by, { ...first, ispId: 1 })),
  createEndpoint: {
    call: through((db, by) => createEndpoint(db, by, hook, world)),
    operator: done,
    ...nowhere,
  },
  updateEndpoint: onHook((db, by) => updateEndpoint(db, by, { ...first, input: { note: "x" } }, world)),
  setEndpointEnabled: onHook((db, by) => setEndpointEnabled(db, by, { ...first, enabled: false }, world)),
  rotateEndpointSecret: onHook((db, by) => rotateEndpointSecret(db, by, first, world)),
  endpointSecret: onHook((db, by) => endpointSecret(db, by, first, world)),
  deleteEndpoint: onHook((db, by) => deleteEndpoint(db, by, first, world)),
  testEndpoint: onHook((db, by) => testEndpoint(db, by, first, world)),
  listDeliveries: listing((db, by) => listDeliveries(db, by, {}, newest).map(({ id }) => id)),
  deliveryById: onHook((db, by) => deliveryById(db, by, first)),
  resendEvents: onHook((db, by) => resendEvents(db, by, { ...first, from: 1 }, world)),
  listEvents: {
    call: (db, by) => listEvents(db, by, { limit: 100 }).events.map(({ type }) => type),
    operator: [
      ...["payment.received", "invoice.paid", "card.batch_made", "card.first_used", "card.batch_made"],
      ...["webhook.test", "payment.unmatched"],
    ],
    ispOne: [],
    otherIsp: [],
    otherBranch: [],
    otherReseller: [],
  },
  replayDelivery: onHook((db, by) => replayDelivery(db, by, first, world)),
  tellLockedLogin: forOperator((db, by) =>
    tellLockedLogin(db, by, { of: "staff", who: "ada", source: "192.0.2.7", wait: 60 }, world),
  ),
  tellBackupFailed: forOperator((db, by) => tellBackupFailed(db, by, { reason: "no room" }, world)),
  planDeliveries: forOperator((db, by) => planDeliveries(db, by, world)),
} satisfies Record<string, Call>;
