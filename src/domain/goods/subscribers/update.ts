import { partialRow } from "../../../../db/columns.ts";
import { type Db, type Tx, write } from "../../../../db/open.ts";
import { subscribers } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { giveByService } from "../address-pools/give.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError, type Faults, rejectFaults } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { type Input, readFields } from "../../core/fields/fields.ts";
import { type Actor, requireFlag } from "../../core/actor/actor.ts";
import { everything } from "../../core/actor/operator.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { subscriberColumns } from "./columns.ts";
import { profileFields, type ProfileValues, type RequiredField, requiredProfileFields } from "./fields.ts";
import { type Subscriber, subscriberById, subscriberByUsername } from "./find.ts";
import {
  type IgnoredField,
  ignoredFields,
  namesBesideProfile,
  readableRecord,
  type ToJson,
} from "./ignored-fields.ts";
import { setPassword } from "./reset-password.ts";
import { requireWithinScope } from "./profile.ts";
import { findSubscriberFaults } from "./rules.ts";
import { differences } from "./differences.ts";
import { type Expected, requireUnchanged } from "./unchanged.ts";

/** Key fields. */
const finds = new Set(["username", "isp_id"]);

/**
 * Updates by `username`; absent stays, empty clears, the service keeps its package until the next activation. Passwords need
 * `subscriber_password`, mac_login `subscriber_mac`, reply_attributes `package_manage`. Returns ignored fields. Throws
 * `invalid` with every fault, `not_found`, `forbidden`, `conflict` for `expected` fields that changed.
 */
export function updateSubscriber(
  db: Db,
  by: Actor,
  input: Input,
  {
    now,
    toJson,
    expected = {},
    required = requiredProfileFields,
  }: { now: Seconds; toJson: ToJson; expected?: Expected; required?: readonly RequiredField[] },
): { id: number; isUpdated: boolean; ignored: IgnoredField[] } {
  permit(by, "updateSubscriber");
  const faults: Faults = {};
  const values = readFields(profileFields, input, faults, { required, partial: true });
  const { username, isp_id } = values;
  if (!username) {
    faults["username"] ??= [phrase`is required`];
    rejectFaults(faults);
    throw new Error("a username that is missing is a fault");
  }
  // an equal one too, which would confirm a guess
  if (values.password) requireFlag(by, "subscriber_password");
  const others = namesBesideProfile(input);
  return write(db, (tx) => {
    const before = subscriberByUsername(tx, by.scope, username);
    if (isp_id && isp_id !== before.ispId) {
      throw new DomainError(
        "not_found",
        phrase`there is no subscriber with the username ${username} in ISP ${isp_id}`,
      );
    }
    requireUnchanged(before, expected);
    // an unchanged value is no choice
    if (values.connection_type_id && values.connection_type_id !== before.connectionTypeId)
      values.any_connection ??= 0;
    requireWithinScope(by, values);
    const { macLogin = before.macLogin, replyAttributes = before.replyAttributes } = partialRow(
      subscribers,
      subscriberColumns(values),
    );
    if (macLogin !== before.macLogin) requireFlag(by, "subscriber_mac");
    // a line may set the rate, which packages sell
    if (replyAttributes !== before.replyAttributes) requireFlag(by, "package_manage");
    findSubscriberFaults(tx, { id: before.id, isp: before.ispId, values }, faults);
    rejectFaults(faults);
    const recordBefore = others.length > 0 ? readableRecord(tx, before, { now, by, toJson }) : {};
    const isUpdated = Object.entries(values).some(([name, value]) => value !== undefined && !finds.has(name));
    const after = isUpdated ? change(tx, before, values, { now, by }) : before;
    const recordAfter = others.length > 0 ? readableRecord(tx, after, { now, by, toJson }) : {};
    return { id: before.id, isUpdated, ignored: ignoredFields(input, others, recordBefore, recordAfter) };
  });
}

/** Writes the values and what they changed. */
function change(
  tx: Tx,
  before: Subscriber,
  values: ProfileValues,
  { now, by }: { now: Seconds; by: Actor },
): Subscriber {
  const after = store(tx, before, values, now);
  const isNewPassword = values.password ? setPassword(tx, before, values.password, now) : false;
  const changes = differences(before, after);
  audit(tx, by, now, {
    action: "subscriber.update",
    entity: "subscriber",
    entityId: before.id,
    ispId: before.ispId,
    before: changes.before,
    after: { ...changes.after, ...(isNewPassword && { password_changed: true }) },
  });
  return after;
}

/** Stores values whose required fields are not null. */
function store(
  tx: Tx,
  { id }: Subscriber,
  { username: _username, isp_id: _ispId, ...values }: ProfileValues,
  now: Seconds,
): Subscriber {
  update(tx, subscribers, { ...partialRow(subscribers, subscriberColumns(values)), updatedAt: now }, { id });
  if (values.static_ip !== undefined || values.delegated_ipv6_prefix !== undefined)
    giveByService(tx, id, now);
  return subscriberById(tx, everything, id);
}
