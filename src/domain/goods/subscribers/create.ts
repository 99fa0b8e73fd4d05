import { partialRow } from "../../../../db/columns.ts";
import { insert } from "../../../../db/insert.ts";
import { type Db, write } from "../../../../db/open.ts";
import { subscribers } from "../../../../db/schema.ts";
import { audit } from "../../core/audit/audit.ts";
import { type Faults, rejectFaults } from "../../core/errors/errors.ts";
import { type Input, readFields } from "../../core/fields/fields.ts";
import { type Actor, requireFlag } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { checkNewIsp, storedReferences } from "../../core/references/references.ts";
import { fold } from "../../core/fields/text.ts";
import type { Seconds } from "../../core/time/time.ts";
import { subscriberColumns } from "./columns.ts";
import { profileFields, type RequiredField, requiredProfileFields } from "./fields.ts";
import { requireWithinScope } from "./profile.ts";
import { findSubscriberFaults } from "./rules.ts";

/**
 * Without a service. `required`: further fields, such as programs' ID number. Returns the id. Throws `forbidden` outside the
 * scope, for mac_login without `subscriber_mac`, reply_attributes without `package_manage`; `invalid` with every fault.
 */
export function createSubscriber(
  db: Db,
  by: Actor,
  input: Input,
  { now, required = requiredProfileFields }: { now: Seconds; required?: readonly RequiredField[] },
): number {
  permit(by, "createSubscriber");
  const faults: Faults = {};
  const values = readFields(profileFields, input, faults, { required });
  values.branch_id ??= by.scope.branchId;
  requireWithinScope(by, values);
  if (values.mac_login) requireFlag(by, "subscriber_mac");
  if (values.reply_attributes) requireFlag(by, "package_manage");
  return write(db, (tx) => {
    const isp = checkNewIsp(storedReferences(tx), values.isp_id, faults, { own: by.scope.ispId });
    findSubscriberFaults(tx, { id: 0, isp, values }, faults);
    rejectFaults(faults);
    const { isp_id, name, username, password, package_id, connection_type_id, mobile_number } = values;
    if (!isp_id || !name || !username || !password || !package_id || !connection_type_id || !mobile_number)
      throw new Error("a required field was not checked");
    const id = insert(tx, subscribers, {
      ...partialRow(subscribers, subscriberColumns(values)),
      ispId: isp_id,
      name,
      username,
      usernameKey: fold(username),
      passwordSealed: tx.vault.seal(password),
      packageId: package_id,
      connectionTypeId: connection_type_id,
      mobileNumber: mobile_number,
      createdAt: now,
      updatedAt: now,
    });
    const { password: _, ...visible } = values;
    audit(tx, by, now, {
      action: "subscriber.create",
      entity: "subscriber",
      entityId: id,
      ispId: isp_id,
      after: visible,
    });
    return id;
  });
}
