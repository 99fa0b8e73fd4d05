import { type Static, Type } from "@sinclair/typebox";
import { type StaffRow, staffRecord } from "../domain/people/staff/accounts.ts";
import { nullable } from "./kinds.ts";
import { money } from "./money.ts";

const identity = {
  id: Type.Integer(),
  name: Type.String(),
  email: Type.String(),
  profile_type: Type.Integer(),
  isp_id: Type.Integer(),
  branch_id: Type.Integer(),
};
const own = {
  ...identity,
  username: Type.String(),
  phone: Type.String(),
  status: Type.Integer({ description: "Whether the account may sign in: 1, or any other value." }),
};

export const identitySchema = Type.Object(identity);
export const ownStaffSchema = Type.Object(own);
export const staffSchema = Type.Object({
  ...own,
  role_code: nullable(Type.Integer()),
  credit_limit: money,
});

export const exampleIdentity = {
  id: 1,
  name: "Ada",
  email: "ada@isp.example",
  profile_type: 1,
  isp_id: 1,
  branch_id: 0,
};
export const exampleOwnStaff = { ...exampleIdentity, username: "ada", phone: "100", status: 1 };

export const exampleStaff = { ...exampleOwnStaff, role_code: null, credit_limit: 0 };

export const staffToJson: (row: StaffRow) => Static<typeof staffSchema> = staffRecord;

export function identityToJson(row: StaffRow): Static<typeof identitySchema> {
  const { id, name, email, profile_type, isp_id, branch_id } = staffToJson(row);
  return { id, name, email, profile_type, isp_id, branch_id };
}

export function ownStaffToJson(row: StaffRow): Static<typeof ownStaffSchema> {
  const { role_code: _role, credit_limit: _limit, ...account } = staffToJson(row);
  return account;
}
