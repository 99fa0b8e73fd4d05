import { extend } from "../../../../domain/service/activation/extend.ts";
import { once } from "../../../../domain/core/once/once.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { subscriberById } from "../../../../domain/goods/subscribers/find.ts";
import type { StaffVisit } from "../../guard.ts";

type Extension = Parameters<typeof extend>[2];

/** Once for the form's key. */
export function extendOnce({ db, by, now, path }: StaffVisit, extension: Extension, key: unknown) {
  const keyed = {
    path,
    key: typeof key === "string" && key !== "" ? key : crypto.randomUUID(),
    input: { ...extension },
  };
  return once(db, by, keyed, { now }, (tx) => {
    permit(by, "extend");
    subscriberById(tx, by.scope, extension.subscriberId);
    return () => extend(tx, by, extension, { now });
  });
}
