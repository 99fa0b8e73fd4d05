import { Random } from "./random.ts";

/** Subscribers up to this one are described in scripts/demo-isp.ts; those after it have a history. */
export const DESCRIBED = 200;

/** Seconds between two reports of a session, as the demo's routers send them. */
export const INTERIM = 300;

/** Routers of the large demo ISP, on this machine, by how many of a hundred subscribers each has. */
export const routers = [
  { id: 1, name: "Tower-1", address: "127.0.0.1", share: 42 },
  { id: 2, name: "Harbour-2", address: "127.0.2.1", share: 28 },
  { id: 3, name: "Hill-3", address: "127.0.3.1", share: 19 },
  { id: 4, name: "Market-4", address: "127.0.4.1", share: 11 },
] as const;

export const areas = ["Quayside", "Old Town", "Hillside", "Market", "Lakeshore", "Station"];
const streets = ["Quay Street", "Mill Lane", "Harbour Road", "Hill View", "Market Square", "Station Road"];
const colors = ["blue", "orange", "green", "brown", "grey", "white", "red", "black"];
const first =
  "Amara Joseph Leila Bilal Nadia Kwame Rosa Viktor Mbali Aisha Chen Dina Emil Farah Goran Hana Ivan Jana Kofi Lucia Mateo Noor Omar Priya Rafael Sana Tariq Uma Yusuf Zola Grace Samuel Ingrid Paulo Mei Anton Fatima Diego Ruth Elias".split(
    " ",
  );
const last =
  "Okafor Mwangi Haddad Saleh Rahman Boateng Quispe Sokolov Dlamini Karim Wei Petrov Silva Novak Mensah Larsen Costa Njeri Adeyemi Lindqvist Moreau Tanaka Khan Ortiz Becker Nguyen Hassan Romero Kimani Varga Osei Fischer Patel Abebe Santos Ibrahim Kowalski Banda Reyes Yilmaz".split(
    " ",
  );

/** A subscriber with a history, in the import format; it has neither money nor a service before that. */
export function person(id: number) {
  const random = new Random(id);
  const name = `${first[random.between(0, first.length - 1)]} ${last[random.between(0, last.length - 1)]}`;
  const nas = random.pick(routers.map((router) => [router, router.share] as const));
  const area = random.between(0, areas.length - 1);
  return {
    id,
    isp_id: 1,
    branch_id: (area % 2) + 1,
    name,
    username: `${name.toLowerCase().replace(" ", ".")}${id}`,
    password: `demo-${id}`,
    package_id: random.pick([
      [1, 26],
      [2, 44],
      [4, 18],
      [3, 12],
    ]),
    connection_type_id: 1,
    salesperson_id: random.pick([
      [1, 70],
      [4, 18],
      [5, 12],
    ]),
    nas_id: nas.id,
    nic_number: `NIC-${id}`,
    sms_status: id % 2,
    mobile_number: `+1555${String(1_000_000 + id * 37).slice(-7)}`,
    phone_number: null,
    email: random.next() < 0.5 ? `${name.toLowerCase().replace(" ", ".")}${id}@customers.example` : null,
    address: `${random.between(1, 180)} ${streets[area]}, Riverton`,
    city_id: 1,
    area_id: 3 + area,
    box_number: `BOX-${Math.ceil(id / 8)}`,
    uplink_port: String((id % 8) + 1),
    fiber_color: colors[id % colors.length],
    mac_address: makeMac(id),
    mac_lock: random.next() < 0.2 ? 1 : 0,
    auto_renew: random.next() < 0.18 ? 1 : 0,
    balance: "0.00",
    current_expiration_date: null,
    status: random.next() < 0.01 ? 0 : 1,
  };
}

const makers = ["48:57:DD", "D8:07:B6", "4C:5E:0C", "9C:3D:CF", "14:CC:20"];

/** The device of a subscriber; another number is another device. */
export function makeMac(id: number, device = 0): string {
  const digits = (id * 7919 + device * 104_729) % 0x1000000;
  const rest = digits.toString(16).toUpperCase().padStart(6, "0").match(/../g) ?? [];
  return [makers[(id + device) % makers.length], ...rest].join(":");
}
