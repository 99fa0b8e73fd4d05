import { type ListedSetting, settingIsps } from "../../../../domain/machine/settings/change.ts";
import { type Actor, narrow } from "../../../../domain/core/actor/actor.ts";
import type { StaffVisit } from "../../guard.ts";

/** Whose settings a page is about. */
export interface Whose {
  readonly by: Actor;
  /** One that the operator looks at; null: the whole box, or the actor's own ISP. */
  readonly isp: { readonly id: number; readonly name: string } | null;
  /** Whether they are an ISP's own values, and not those of the whole box. */
  readonly isOfIsp: boolean;
  /** Among which the operator chooses. */
  readonly isps: readonly { readonly id: number; readonly name: string }[];
}

/** The settings of the actor's ISP; of the operator those of the box, or of the ISP that is named. */
export function whoseSettings({ db, by }: StaffVisit, named: unknown): Whose {
  if (by.scope.ispId !== null) return { by, isp: null, isOfIsp: true, isps: [] };
  const isps = settingIsps(db, by);
  const isp = isps.find(({ id }) => String(id) === named) ?? null;
  if (isp === null) return { by, isp, isOfIsp: false, isps };
  return { by: { ...by, scope: narrow(by.scope, isp.id, null) }, isp, isOfIsp: true, isps };
}

/** Whether a value is another one than it came as; of an ISP whether it has one of its own. */
export function isChanged({ isOfIsp }: Whose, { isSet, value, initially }: ListedSetting): boolean {
  return isOfIsp ? isSet : value !== initially;
}

/** An address below Settings, of the same ISP. */
export function hrefOf(path: string, { isp }: Pick<Whose, "isp">): string {
  return isp === null ? path : `${path}${path.includes("?") ? "&" : "?"}isp=${isp.id}`;
}
