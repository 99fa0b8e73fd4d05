import { partialRow } from "../../../../db/columns.ts";
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
  /** From 0. */
  readonly nth: number;
}

/** Applies a single operation to many. */
interface BulkOperation {
  /** Its flag is needed too. */
  readonly single: StaffOperation;
  readonly fields: Fields;
  readonly required: readonly string[];
  readonly check?: (input: Input, world: { now: Seconds }) => void;
  /** Throws what the single operation throws. */
  readonly run: (tx: Tx, by: Actor, subscriberId: number, input: Input, turn: Turn) => Effect;
  readonly isDone?: (subscriber: Subscriber, input: Input) => boolean;
}

/** Sessions end by the job for disabled subscribers. */
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
    const columns: object = partialRow(subscribers, subscriberColumns(readFields(fields, input, {})));
    return Object.entries(columns).every(
      ([key, value]) => value === undefined || Reflect.get(subscriber, key) === value,
    );
  },
});

function readExtension(input: Input) {
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
  // sessions not told would end at the old time and reconnect
  extend: {
    single: "extend",
    fields: extensionFields,
    required: ["reason"],
    check: (input) => requireLength(readExtension(input)),
    run: (tx, by, subscriberId, input, world) => {
      const { expiresAt } = extend(tx, by, { subscriberId, ...readExtension(input) }, world);
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
  package: edit({ package_id: id }),
  salesperson: edit({ salesperson_id: id }),
  router: edit({ nas_id: id }),
  sms: edit({ sms_status: flag }),
  auto_renew: edit({ auto_renew: flag }),
  area: {
    ...editArea,
    isDone: (subscriber, input) => editArea.isDone?.(subscriber, { subarea_id: "", ...input }) === true,
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

export const bulkFields: Fields = Object.assign({}, ...Object.values(operations).map(({ fields }) => fields));
