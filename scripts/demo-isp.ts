import { INTERIM, areas, DESCRIBED, person, routers } from "./demo.d/people.ts";
import { rolePermissions } from "./demo-roles.ts";

/*
 * Prints a demo ISP in the import format: the same every time, but for dates, which are around today. demo-isp.ts [SUBSCRIBERS]:
 * those beyond 200 get what they have from scripts/demo-history.ts.
 * DEMO_NOW is the time (UTC seconds) that it is made for, where that is not the present.
 */

const count = Number(process.argv[2] ?? DESCRIBED);
const isLarge = count > DESCRIBED;

const DAY = 86_400_000;
const now = Number(process.env["DEMO_NOW"] ?? Date.now() / 1000) * 1000;
const isp = { isp_id: 1 };

/** A time in the server's zone, days from now. */
function inDays(days: number): string {
  const at = Temporal.Instant.fromEpochMilliseconds(now + days * DAY);
  const local = at.toZonedDateTimeISO(Temporal.Now.timeZoneId()).toPlainDateTime();
  return local.toString({ smallestUnit: "second" }).replace("T", " ");
}

const firstNames = ["Amara", "Bilal", "Chen", "Dina", "Emil", "Farah", "Goran", "Hana", "Ivan", "Jana"];
const lastNames = [
  "Okafor",
  "Haddad",
  "Wei",
  "Petrov",
  "Silva",
  "Rahman",
  "Novak",
  "Mensah",
  "Larsen",
  "Costa",
];

/** What makes a subscriber interesting; the rest are active. The login of each is demo001 and so on, in this order. */
const cases: Record<number, object> = {
  1: { package_id: 1, current_expiration_date: inDays(20), balance: "100.00" },
  2: {
    package_id: 1,
    current_expiration_date: inDays(-3),
    balance: "2.50",
    global_note: "Expired, too little money",
  },
  3: { package_id: 2, current_expiration_date: null, balance: "100.00", global_note: "Never activated" },
  4: { package_id: 2, status: 0, global_note: "Disabled by staff" },
  5: { mac_address: "02:00:00:00:00:05", mac_lock: 1, global_note: "Locked to its router" },
  6: {
    package_id: 3,
    static_ip: "10.20.0.6",
    balance: "-45.00",
    global_note: "Postpaid with a static address",
  },
  7: { package_id: 5, connection_type_id: 2, current_expiration_date: inDays(0.5), global_note: "Hotspot" },
  8: { connection_type_id: 3, current_expiration_date: null, global_note: "PPPoE through the router's API" },
  9: {
    connection_type_id: 4,
    current_expiration_date: null,
    global_note: "Hotspot through the router's API",
  },
  10: {
    connection_type_id: 5,
    static_ip: "10.20.0.10",
    current_expiration_date: null,
    global_note: "Static address",
  },
  11: { package_id: 3, current_expiration_date: inDays(-1), global_note: "Expired, in the walled garden" },
  12: { package_id: 4, current_expiration_date: inDays(5), global_note: "Slower after 50 GB" },
  13: {
    salesperson_id: null,
    current_expiration_date: null,
    global_note: "No reseller: activation is refused",
  },
  14: {
    username: "02:00:00:00:00:0e",
    mac_address: "02:00:00:00:00:0E",
    mac_login: 1,
    connection_type_id: 2,
    package_id: 5,
  },
  ...Object.fromEntries(
    Array.from({ length: 9 }, (_, index) => [
      16 + index,
      { package_id: 9, quota_used: (index * 70 + 65) * 1e9 },
    ]),
  ),
  15: { framed_ipv6_prefix: "2001:db8:15::/64", delegated_ipv6_prefix: "2001:db8:1500::/56" },
};

function subscriber(id: number) {
  const digits = String(id).padStart(3, "0");
  const reseller = id % 3;
  return {
    id,
    ...isp,
    branch_id: (id % 2) + 1,
    name: `${firstNames[id % 10]} ${lastNames[Math.floor(id / 10) % 10]}`,
    username: `demo${digits}`,
    password: `demo-${digits}`,
    package_id: (id % 4) + 1,
    connection_type_id: 1,
    salesperson_id: reseller === 0 ? 1 : reseller + 3,
    nas_id: 1,
    nic_number: `NIC-${digits}`,
    mobile_number: `+1555010${digits}`,
    sms_status: id % 2,
    phone_number: id % 4 === 0 ? `+1555020${digits}` : null,
    email: id % 2 === 0 ? `demo${digits}@customers.example` : null,
    address: `${id} Harbour Road`,
    city_id: (id % 2) + 1,
    area_id: (id % 2) + 1,
    subarea_id: (id % 2) + 1,
    latitude: (515_000 + id) / 10_000,
    longitude: (id - 1_200) / 10_000,
    box_number: `BOX-${Math.ceil(id / 8)}`,
    balance: ((id * 7) % 60).toFixed(2),
    current_expiration_date:
      id % 9 === 0 ? inDays(-(id % 40) - 1) : id % 13 === 0 ? null : inDays((id % 28) + 1),
    status: id % 37 === 0 ? 0 : 1,
    staff_notes: id % 20 === 0 ? [{ note: "Called about the speed", added_by: 2 }] : [],
    ...cases[id],
  };
}

const demo = {
  settings: {
    currency: "USD",
    demo_data: true,
    // what scripts/demo-routers.ts reports may begin late, or not at all
    ...(isLarge && { acct_interim_interval: INTERIM, stale_session_after: 100 }),
    disconnect_enabled: true,
    portal_color: "#0f6e84",
    hotspot_address: "login.northlink.example",
    wifi_name: "Northlink Hotspot",
    portal_contact: "help@northlink.example | Monday to Saturday, 9 to 19",
    portal_phone: "+1 555 0100",
    portal_pay_text:
      "By bank transfer to Northlink, IBAN XX00 1234 5678. | In cash at 3 Quay Street, Riverton.",
    isp_address: "Northlink Ltd | 3 Quay Street | Riverton",
    isp_tax_number: "VAT XX123456789",
  },
  isps: [
    {
      id: 1,
      name: "Northlink",
      branches: [
        { id: 1, name: "Centre" },
        { id: 2, name: "Harbour" },
      ],
    },
  ],
  cities: [
    { id: 1, ...isp, name: "Riverton" },
    { id: 2, ...isp, name: "Lakeside" },
  ],
  areas: [
    { id: 1, ...isp, city_id: 1, name: "East" },
    { id: 2, ...isp, city_id: 2, name: "West" },
    ...(isLarge ? areas.map((name, index) => ({ id: 3 + index, isp_id: 1, city_id: 1, name })) : []),
  ],
  subareas: [
    { id: 1, ...isp, area_id: 1, name: "Block 4" },
    { id: 2, ...isp, area_id: 2, name: "Block 7" },
  ],
  permission_flags: ["ticket_view"],
  roles: [
    {
      code: 1,
      ...isp,
      name: "Support",
      permissions: {
        api_access: 1,
        subscriber_view: 1,
        subscriber_note: 1,
        subscriber_mac: 1,
        ticket_view: 1,
      },
    },
    { code: 2, ...isp, name: "Reseller", permissions: rolePermissions("Reseller") },
    { code: 3, ...isp, name: "Warehouse", permissions: null },
    { code: 4, ...isp, name: "Clerk", permissions: rolePermissions("Clerk") },
    { code: 5, ...isp, name: "Technician", permissions: rolePermissions("Technician") },
    { code: 6, ...isp, name: "Manager", permissions: rolePermissions("Manager") },
  ],
  staff: [
    { username: "admin", name: "Ada Admin", profile_type: 1, role_code: null },
    { username: "support", name: "Sol Support", profile_type: 2, role_code: 1 },
    { username: "warehouse", name: "Wim Warehouse", profile_type: 2, role_code: 3 },
    { username: "reseller1", name: "Rita Reseller", profile_type: 3, role_code: 2 },
    { username: "reseller2", name: "Rob Reseller", profile_type: 3, role_code: 2 },
    { username: "clerk", name: "Clara Clerk", profile_type: 2, role_code: 4 },
    { username: "technician", name: "Theo Technician", profile_type: 2, role_code: 5 },
    { username: "manager", name: "Mina Manager", profile_type: 2, role_code: 6 },
  ].map((account, index) =>
    Object.assign(account, isp, {
      id: index + 1,
      branch_id: 0,
      email: `${account.username}@northlink.example`,
      phone: `10${index}`,
      password: `demo-${account.username}`,
    }),
  ),
  nas: isLarge
    ? routers.map(({ id, name, address }) => ({ id, isp_id: 1, name, address, secret: "testing123" }))
    : [{ id: 1, ...isp, name: "core", address: "127.0.0.1", secret: "testing123" }],
  address_pools: [{ id: 1, ...isp, name: "homes", range: "100.64.200.0/24" }],
  packages: [
    { name: "Home 10", price: "15.00", rate_limit: "10M/10M", reseller_price: "12.00" },
    {
      name: "Home 30",
      price: "22.00",
      rate_limit: "30M/30M",
      data_quota_bytes: 100e9,
      quota_exceeded: "reject",
    },
    {
      name: "Business 50",
      price: "45.00",
      billing_type: "postpaid",
      rate_limit: "50M/50M",
      expired_pool: "expired",
      expired_address_list: "expired",
    },
    {
      name: "Family 20",
      price: "18.00",
      rate_limit: "20M/20M",
      data_quota_bytes: 50e9,
      quota_exceeded: "2M/2M",
    },
    {
      name: "Hotspot day",
      price: "1.00",
      duration: 1,
      duration_unit: "day",
      rate_limit: "5M/5M",
      simultaneous_use: 2,
      idle_timeout: 600,
    },
    { name: "Hotspot hour", price: "1.00", duration_unit: "hour", rate_limit: "5M/5M", idle_timeout: 600 },
    { name: "Hotspot 10 hours", price: "4.00", duration: 30, duration_unit: "day", rate_limit: "5M/5M" },
    {
      name: "Hotspot 5 GB",
      price: "6.00",
      duration: 30,
      duration_unit: "day",
      rate_limit: "20M/20M",
      data_quota_bytes: 5e9,
      simultaneous_use: 2,
    },
    {
      name: "Unlimited 40",
      price: "30.00",
      rate_limit: "20M/40M",
      tiers: "200GB 10M/20M; 400GB 4M/8M",
      fair_window: "month",
      hours: "daily 00:00-06:00 free 30M/60M",
      address_pool: "homes",
    },
    { name: "Top-up 50 GB", price: "5.00", rate_limit: "20M/40M", top_up_bytes: 50e9 },
  ].map((sold, index) =>
    Object.assign(
      { id: index + 1, ...isp, billing_type: "prepaid", duration: 1, duration_unit: "month" },
      sold,
    ),
  ),
  subscribers: Array.from({ length: count }, (_, index) =>
    index < DESCRIBED ? subscriber(index + 1) : person(index + 1),
  ),
};

process.stdout.write(`${JSON.stringify(demo, null, 1)}\n`);
