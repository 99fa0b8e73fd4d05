import { HOUSE_MAC } from "./place.ts";

const MONTH = 86_400 * 30;

/** `YYYY-MM-DD hh:mm:ss` of so many seconds from now, in UTC as the appliance has it. */
const inSeconds = (seconds: number) =>
  new Date(Date.now() + seconds * 1000).toISOString().slice(0, 19).replace("T", " ");

const aPackage = (id: number, name: string, terms: object) => ({
  id,
  isp_id: 1,
  name,
  price: "15.00",
  billing_type: "prepaid",
  duration: 1,
  duration_unit: "month",
  rate_limit: "10M/20M",
  ...terms,
});

/** The row of an import; with so many seconds left. */
export const subscriber = (id: number, username: string, expires: number, more: object = {}) => ({
  id,
  isp_id: 1,
  name: username,
  username,
  password: makePassword(username),
  package_id: 1,
  connection_type_id: 1,
  salesperson_id: 1,
  nic_number: `N${id}`,
  mobile_number: `M${id}`,
  current_expiration_date: inSeconds(expires),
  ...more,
});

export const makePassword = (username: string): string => `pw-${username}`;

export const STAFF = { username: "ada", password: "secret-ada" };

/** Who has paid, who has not, and a line by its device. User 1 is the one of the sabotages. */
export const PAID = "user1";
export const EXPIRED = "late";

export const isp = () => ({
  settings: { acct_interim_interval: 60 },
  isps: [{ id: 1, name: "Northlink" }],
  staff: [{ id: 1, isp_id: 1, name: "Ada", email: "ada@isp.example", profile_type: 1, status: 1, ...STAFF }],
  packages: [
    aPackage(1, "Home", {
      expired_address_list: "expired",
      framed_ipv6_pool: "links",
      delegated_ipv6_pool: "houses",
    }),
    aPackage(2, "Street", { expired_pool: "poor" }),
  ],
  subscribers: [
    subscriber(1, PAID, MONTH, { mac_address: "AA:BB:CC:00:00:01" }),
    subscriber(2, EXPIRED, -MONTH),
    subscriber(3, "plugged", MONTH, { mac_address: HOUSE_MAC, mac_login: 1 }),
  ],
});
