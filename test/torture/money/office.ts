import { aPackage, newSubscriber } from "../../support/isp.ts";

export interface Clerk {
  readonly id: number;
  readonly username: string;
  readonly profileType: 1 | 2 | 3;
  readonly role?: number;
  /** Minor units; of a Reseller. */
  readonly creditLimit?: number;
}

export const passwordOf = ({ username }: Clerk) => `${username}-5-Kestrel`;

/** Two Admins, a manager, two who take money, and two Resellers. */
export const clerks: readonly Clerk[] = [
  { id: 1, username: "ada", profileType: 1 },
  { id: 2, username: "rex", profileType: 3, role: 1, creditLimit: 6000 },
  { id: 3, username: "rey", profileType: 3, role: 1, creditLimit: 0 },
  { id: 4, username: "max", profileType: 2, role: 2 },
  { id: 5, username: "mia", profileType: 2, role: 3 },
  { id: 6, username: "kim", profileType: 2, role: 3 },
  { id: 7, username: "ben", profileType: 1 },
];

export const SUBSCRIBERS = 14;
/** Most are a Reseller's. */
export const sellerOf = (id: number): number => [2, 3, 1, 2][id % 4] ?? 1;
export const PACKAGES = [1, 2, 3, 4];

/** A time as the product shows it, whose zone is UTC. */
export const utc = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ");

const money = ["payment_take", "payment_reverse", "payment_refund", "payment_view", "subscriber_activate"];
const managing = ["wallet_adjust", "closing_manage", "subscriber_extend", "subscriber_status"];
const withFlags = (flags: readonly string[]) =>
  Object.fromEntries(["api_access", "subscriber_view", ...flags].map((flag) => [flag, 1]));
const roles = [
  { code: 1, isp_id: 1, name: "Reseller", permissions: withFlags([...money, "invoice_void"]) },
  {
    code: 2,
    isp_id: 1,
    name: "Manager",
    permissions: withFlags([...money, ...managing, "closing_own", "invoice_void", "subscriber_edit"]),
  },
  { code: 3, isp_id: 1, name: "Clerk", permissions: withFlags([...money, "closing_own"]) },
];

/** An ISP whose periods are so short that they end, and whose subscribers are so few that they are in each other's way. */
export function anOffice(now: number): string {
  return JSON.stringify({
    isps: [{ id: 1, name: "Northlink" }],
    settings: { backup_every_hours: 0, audit_days: 36_500 },
    roles,
    staff: clerks.map(anAccount),
    nas: [{ id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: "core-secret-Osprey" }],
    packages: [
      aPackage(1, { price: "22.00", reseller_price: "18.00", duration: 1, duration_unit: "day" }),
      aPackage(2, {
        price: "20.00",
        reseller_price: "15.00",
        billing_type: "postpaid",
        duration: 2,
        duration_unit: "hour",
      }),
      aPackage(3, { price: "30.00", reseller_price: "24.50", duration: 1, duration_unit: "month" }),
      aPackage(4, { price: "3.33", reseller_price: "2.99", duration: 1, duration_unit: "hour" }),
    ],
    subscribers: Array.from({ length: SUBSCRIBERS }, (_, index) => aCustomer(index + 1, now)),
  });
}

function anAccount(clerk: Clerk): Record<string, unknown> {
  const { id, username, profileType, role = null, creditLimit = 0 } = clerk;
  return {
    id,
    isp_id: 1,
    name: username,
    username,
    password: passwordOf(clerk),
    status: 1,
    profile_type: profileType,
    role_code: role,
    credit_limit: (creditLimit / 100).toFixed(2),
  };
}

function aCustomer(id: number, now: number): Record<string, unknown> {
  const values = {
    package_id: PACKAGES[id % PACKAGES.length],
    salesperson_id: sellerOf(id),
    balance: ["0.00", "40.00", "-7.50"][id % 3],
    auto_renew: id % 2,
  };
  const row = newSubscriber(id, values);
  return id % 5 === 0 ? row : { ...row, current_expiration_date: utc(now + id * 600) };
}
