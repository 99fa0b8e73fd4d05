import { type Actor, may, seesWholeIsp } from "../../../../domain/core/actor/actor.ts";
import { permissions } from "../../../../domain/core/actor/permissions.ts";

/** Where the pages of moves from other systems are. */
export const IMPORT = "/console/settings/import";
export const runPath = (id: string) => `${IMPORT}/runs/${id}`;
export const movePath = (id: number) => `${IMPORT}/moves/${id}`;
export const newPath = (source: string) => `${IMPORT}/new/${source}`;

/** Whether somebody is led there: what is brought in is the whole ISP's. */
export const mayMoveIn = (by: Actor) => may(by, permissions.moveIn) && seesWholeIsp(by.scope);
