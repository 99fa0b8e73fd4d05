import { aPackage, aSubscriber, NAS_SECRET } from "../../test/support/isp.ts";

export const STAFF = { username: "ada", password: "secret-1" };
/** The header of a call of the API by STAFF. */
export const authorization = `Basic ${btoa(`${STAFF.username}:${STAFF.password}`)}`;
export const SECRET = NAS_SECRET;

/** Name and password of the subscriber with an id, as `aSubscriber` gives them. */
export const makeLogin = (id: number) => ({ username: `user${id}`, password: `pw-${id}` });

/** An ISP with so many active subscribers, of these values, in the import format, and a NAS on loopback, with so many more at 127.0.1.1 and after it. */
export function dataSet(
  subscribers: number,
  values: Readonly<Record<string, unknown>> = {},
  routers = 0,
): string {
  return JSON.stringify({
    isps: [{ id: 1, name: "Northlink" }],
    staff: [
      {
        ...STAFF,
        id: 1,
        isp_id: 1,
        branch_id: 0,
        name: "Ada",
        email: "ada@isp.example",
        phone: "100",
        profile_type: 1,
        status: 1,
      },
    ],
    nas: [
      { id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: SECRET },
      ...Array.from({ length: routers }, (_, index) => ({
        ...{ id: 2 + index, isp_id: 1, name: `tower-${1 + index}` },
        ...{ address: `127.0.1.${1 + index}`, secret: SECRET },
      })),
    ],
    packages: [aPackage(1)],
    subscribers: Array.from({ length: subscribers }, (_, index) => aSubscriber(index + 1, values)),
  });
}
