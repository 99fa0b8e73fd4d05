import { rowOf } from "../../../../db/columns.ts";
import type { Tx } from "../../../../db/open.ts";
import { subscribers } from "../../../../db/schema.ts";
import { extend, extensionFields, requireLength } from "../../service/activation/extend.ts";
import { type Fields, flag, id, type Input, oneOf, readFields } from "../../core/fields/fields.ts";
import { wordsForm } from "../messages/by-hand.ts";
import { requireWords, writeAmongMany } from "../messages/write.ts";
import type { Actor } from "../../core/actor/actor.ts";
import type { StaffOperation } from "../../core/actor/permissions.ts";
import { archiveOne } from "../../desk/subscriber-page/archive.ts";
import { subscriberColumns } from "../../goods/subscribers/columns.ts";
import { type Subscriber, subscriberById } from "../../goods/subscribers/find.ts";
import { setSubscriberStatus } from "../../goods/subscribers/status.ts";
import { updateSubscriber } from "../../goods/subscribers/update.ts";
import type { Seconds } from "../../core/time/time.ts";

export interface Effect {
  readonly expiresAt?: Seconds;
  readonly to?: string;
}

export interface Turn {
  readonly now: Seconds;
  readonly startedAt: Seconds;
  /** Its place among them, from 0. */
  readonly nth: number;
}

/** What can be done to many subscribers: to each of them as the operation that does it to one. */
interface BulkOperation {
  /** The single operation, whose flag is needed as well. */
  readonly single: StaffOperation;
  /** What it takes beside the subscribers. */
  readonly fields: Fields;
  readonly required: readonly string[];
  /** Throws where the fields do not agree with each other, whoever the subscriber is. */
  readonly check?: (input: Input, world: { now: Seconds }) => void;
  /** Does it to one subscriber; `given` are values of the fields that were read before. Throws what the single operation throws. */
  readonly run: (tx: Tx, by: Actor, subscriberId: number, input: Input, turn: Turn) => Effect;
  /** Whether somebody is as it would make them, and nothing happens. */
  readonly isDone?: (subscriber: Subscriber, input: Input) => boolean;
}

/** Sessions of who is disabled so end as those of everybody who is disabled: by the job that looks for them. */
const setStatus = (enabled: boolean): BulkOperation => ({
  single: "setSubscriberStatus",
  fields: {},
  required: [],
  run: (tx, by, subscriberId, _, world) => {
    setSubscriberStatus(tx, by, { subscriberId, enabled }, world);
    return {};
  },
  isDone: ({ status }) => status === (enabled ? 1 : 0),
});

/** Changes these fields of the profile, by the rules of every update. */
const edit = (fields: Fields, required: readonly string[] = Object.keys(fields)): BulkOperation => ({
  single: "updateSubscriber",
  fields,
  required,
  run: (tx, by, subscriberId, input, world) => {
    const { username } = subscriberById(tx, by.scope, subscriberId);
    updateSubscriber(tx, by, { ...input, username }, { now: world.now, toJson: (record) => record });
    return {};
  },
  isDone: (subscriber, input) => {
    const columns: object = rowOf(subscribers, subscriberColumns(readFields(fields, input, {})));
    return Object.entries(columns).every(
      ([key, value]) => value === undefined || Reflect.get(subscriber, key) === value,
    );
  },
});

/** How long, why, and whether on trust, of fields that were read before. */
function extensionOf(input: Input) {
  const { hours, until, reason, trust } = readFields(extensionFields, input, {});
  return { hours: hours ?? undefined, until: until ?? undefined, reason: reason ?? "", trust: trust === 1 };
}

const editArea = edit({ city_id: id, area_id: id, subarea_id: id }, ["area_id"]);

const operations = {
  enable: setStatus(true),
  disable: setStatus(false),
  archive: {
    single: "archiveSubscriber",
    fields: {},
    required: [],
    run: (tx, by, subscriberId, _, world) => {
      archiveOne(tx, by, { subscriberId }, world);
      return {};
    },
  },
  // an open session that is not told of it lasts until the old end, and is let in again at once
  extend: {
    single: "extend",
    fields: extensionFields,
    required: ["reason"],
    check: (input) => requireLength(extensionOf(input)),
    run: (tx, by, subscriberId, input, world) => {
      const { expiresAt } = extend(tx, by, { subscriberId, ...extensionOf(input) }, world);
      return { expiresAt };
    },
  },
  message: {
    single: "writeMessage",
    fields: wordsForm,
    required: ["channel_id"],
    check: requireWords,
    run: (tx, by, subscriberId, input, turn) => {
      const { to } = writeAmongMany(tx, by, { subscriberId, values: input }, turn);
      return { to };
    },
  },
  // the service keeps its package until it is renewed
  package: edit({ package_id: id }),
  salesperson: edit({ salesperson_id: id }),
  router: edit({ nas_id: id }),
  sms: edit({ sms_status: flag }),
  auto_renew: edit({ auto_renew: flag }),
  area: {
    ...editArea,
    isDone: (subscriber, input) => editArea.isDone?.(subscriber, { subarea_id: "", ...input }) === true,
    // nobody keeps the subarea of an area that it has left
    run: (tx, by, subscriberId, input, world) =>
      editArea.run(tx, by, subscriberId, { subarea_id: "", ...input }, world),
  },
} satisfies Record<string, BulkOperation>;

export type BulkName = keyof typeof operations;

const bulkNames = Object.keys(operations) as BulkName[];

export const bulkName = oneOf<BulkName>(...bulkNames);

export function bulkOperation(name: BulkName): BulkOperation {
  return operations[name];
}

/** What all of them take, for the description of the call that starts one. */
export const bulkFields: Fields = Object.assign({}, ...Object.values(operations).map(({ fields }) => fields));
