import { type ListedSetting, settingIsps } from "../../../../domain/machine/settings/change.ts";
import { type Actor, narrow } from "../../../../domain/core/actor/actor.ts";
import type { StaffVisit } from "../../guard.ts";

export interface Whose {
  readonly by: Actor;
  /** null: the whole box, or the actor's own ISP. */
  readonly isp: { readonly id: number; readonly name: string } | null;
  readonly isForIsp: boolean;
  /** For the operator's choice. */
  readonly isps: readonly { readonly id: number; readonly name: string }[];
}

/** Settings of the actor's ISP; for the operator of the box, or of the named ISP. */
export function whoseSettings({ db, by }: StaffVisit, named: unknown): Whose {
  if (by.scope.ispId !== null) return { by, isp: null, isForIsp: true, isps: [] };
  const isps = settingIsps(db, by);
  const isp = isps.find(({ id }) => String(id) === named) ?? null;
  if (isp === null) return { by, isp, isForIsp: false, isps };
  return { by: { ...by, scope: narrow(by.scope, isp.id, null) }, isp, isForIsp: true, isps };
}

export function isChanged({ isForIsp }: Whose, { isSet, value, initially }: ListedSetting): boolean {
  return isForIsp ? isSet : value !== initially;
}

export function ispHref(path: string, { isp }: Pick<Whose, "isp">): string {
  return isp === null ? path : `${path}${path.includes("?") ? "&" : "?"}isp=${isp.id}`;
}
