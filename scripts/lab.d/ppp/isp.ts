import { address, SECRET } from "./access-server.ts";

/** Who dials in: the house has the name, and so has the password, `pw-NAME`. */
export const houses = {
  pap: 1,
  chap: 2,
  mschap: 3,
  expired: 4,
  fixed: 5,
  brief: 6,
  restart: 7,
  away: 8,
  cable: 9,
  killed: 10,
  plain: 11,
  switch: 12,
} as const;
export type House = keyof typeof houses;

export const FIXED = "10.50.0.7";
export const makePassword = (house: House): string => `pw-${house}`;

/** `YYYY-MM-DD hh:mm:ss` of so many seconds from now, in UTC as the guest has it. */
export const inSeconds = (seconds: number): string =>
  new Date(Date.now() + seconds * 1000).toISOString().slice(0, 19).replace("T", " ");

/** The row of an import. */
export const subscriber = (house: House, expires: string) => ({
  id: houses[house],
  isp_id: 1,
  name: house,
  username: house,
  password: makePassword(house),
  package_id: 1,
  connection_type_id: 1,
  salesperson_id: 1,
  nas_id: 1,
  nic_number: `N${houses[house]}`,
  mobile_number: `M${houses[house]}`,
  current_expiration_date: expires,
  ...(house === "fixed" && { static_ip: FIXED }),
});

/** Two minutes of silence are a lost session: updates as often as pppd sends them at the most, and one of them missed. */
export const isp = () => ({
  settings: { acct_interim_interval: 60, stale_session_after: 1 },
  isps: [{ id: 1, name: "Northlink" }],
  staff: [
    {
      id: 1,
      isp_id: 1,
      name: "Ada",
      username: "ada",
      email: "ada@isp.example",
      password: "secret-ada",
      profile_type: 1,
      status: 1,
    },
  ],
  nas: [
    {
      id: 1,
      isp_id: 1,
      name: "lab",
      address: address.accessServer,
      secret: SECRET,
      mppe: "required",
      coa_event_timestamp: true,
    },
  ],
  packages: [
    {
      id: 1,
      isp_id: 1,
      name: "Home",
      price: "15.00",
      billing_type: "prepaid",
      duration: 1,
      duration_unit: "month",
      rate_limit: "10M/20M",
    },
  ],
  subscribers: (Object.keys(houses) as House[]).map((house) =>
    subscriber(house, house === "expired" ? inSeconds(-86_400) : inSeconds(86_400 * 30)),
  ),
});
