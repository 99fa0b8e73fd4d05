import { permit as permitFlag, type Actor } from "./actor.ts";

/** The operations that staff call, and the flag of the role that each needs; an Admin needs none. */
export const permissions = {
  listRoles: "role_view",
  roleByCode: "role_view",
  permissionsOf: "role_view",
  createRole: "role_manage",
  renameRole: "role_manage",
  deleteRole: "role_manage",
  updatePermissions: "role_manage",

  listSubscribers: "subscriber_view",
  subscriberRecord: "subscriber_view",
  usageNow: "subscriber_view",
  notesRecord: "subscriber_view",
  createSubscriber: "subscriber_add",
  updateSubscriber: "subscriber_edit",
  setGlobalNote: "subscriber_note",
  resetPassword: "subscriber_password",
  lockMac: "subscriber_mac",
  unlockMac: "subscriber_mac",
  changeMac: "subscriber_mac",
  activate: "subscriber_activate",

  disconnect: "subscriber_disconnect",
  applyService: "subscriber_disconnect",
  endSessionsOf: "subscriber_disconnect",
} as const;

export type StaffOperation = keyof typeof permissions;

/** Throws `forbidden` unless the actor may do this to what its scope reaches. */
export function permit(by: Actor, operation: StaffOperation): void {
  permitFlag(by, permissions[operation]);
}
