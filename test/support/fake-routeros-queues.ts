import type { Menu } from "./fake-routeros-config.ts";
import type { FakeRow } from "./fake-routeros.ts";

/** Kinds of queue, and who has them: from 7.1 on FQ-CoDel and CAKE are among the kinds. */
export function queueMenus(): Readonly<Record<string, Menu>> {
  const profile = ["name", "queue-type", "rate-limit", "comment"];
  return {
    "/queue/type": { takes: ["name", "kind", "pfifo-limit", "cake-bandwidth", "cake-nat"] },
    "/ip/hotspot/user/profile": { takes: [...profile, "shared-users"] },
  };
}

/** What a router has of them before anybody sets it up. */
export function queueRows(version: string): Readonly<Record<string, FakeRow[]>> {
  const usual = queueTypeAs(version, "default-small");
  return {
    "/queue/type": [
      { ".id": "*0", name: "default", kind: "pfifo", "pfifo-limit": "50" },
      { ".id": "*9", name: "default-small", kind: "pfifo", "pfifo-limit": "10" },
    ],
    "/ip/hotspot/user/profile": [{ ".id": "*0", name: "default", "queue-type": usual }],
  };
}

/** As a version prints it: from 7.19 on one each way. */
export function queueTypeAs(version: string, type: string): string {
  const [major = 0, minor = 0] = version.split(".").map((part) => Number.parseInt(part, 10));
  const isApart = major > 7 || (major === 7 && minor >= 19);
  return isApart && !type.includes("/") ? `${type}/${type}` : type;
}
