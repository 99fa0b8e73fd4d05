import { type Db, write } from "../../../../db/open.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { channelById, listChannels } from "./channels.ts";
import type { ReadyName } from "./ready/names.ts";
import { readyRules } from "./ready/ready.ts";
import { createRule, listRules, type Rule } from "./rules.ts";
import { ispForNewRow } from "../../core/references/references.ts";
import { addReadyTemplates } from "./templates.ts";

const QUIET = { quiet_from: "21:00", quiet_to: "08:00" };

/** The rules that nearly every ISP has, by their texts. */
export const usualRules = ["welcome", "payment_receipt", "expires_soon", "expired", "quota_80"] as const;
export type UsualRule = (typeof usualRules)[number];

/** Adds missing rules by one channel; those of `on` enabled. Returns them. Throws `invalid`. */
export function addUsualRules(
  db: Db,
  by: Actor,
  input: {
    ispId?: number | null | undefined;
    channelId: number;
    on: readonly string[];
    /** For the list. */
    names: Readonly<Record<UsualRule, string>>;
    quietFrom: string;
    quietTo: string;
  },
  at: { readonly now: Seconds },
): Rule[] {
  permit(by, "addUsualRules");
  return write(db, () => {
    const { channelId, on, names } = input;
    const ispId = ispForNewRow(db, by, input.ispId);
    addReadyTemplates(db, by, { ispId }, at);
    const pushes = new Set(
      listChannels(db, by).flatMap(({ id, settings }) => (settings.kind === "push" ? [id] : [])),
    );
    const there = new Set(
      listRules(db, by)
        .filter((rule) => rule.ispId === ispId && !pushes.has(rule.channelId))
        .map(({ template }) => template),
    );
    return usualRules
      .filter((name) => !there.has(name))
      .map((name) => {
        const { on: kind, eventType, offset } = readyRules[name];
        return createRule(
          db,
          by,
          {
            isp_id: ispId,
            name: names[name],
            on: kind,
            audience: "subscriber",
            template: name,
            ...(eventType && { event_type: eventType }),
            offset: offset ?? 0,
            channel_id: channelId,
            is_enabled: on.includes(name) ? 1 : 0,
            quiet_from: input.quietFrom,
            quiet_to: input.quietTo,
          },
          at,
        );
      });
  });
}

/** Rules of notifications: to subscribers where nothing is said, else to staff with a flag. */
const pushRules = {
  expires_soon: { offset: -86_400 },
  payment_receipt: {},
  online_again: {},
  router_silent: { flag: "nas_view" },
  router_back: { flag: "nas_view" },
  payment_unmatched: { flag: "payment_match" },
} as const satisfies Partial<Record<ReadyName, { offset?: number; flag?: string }>>;
type PushRule = keyof typeof pushRules;

/** Adds rules that a channel of notifications lacks, all enabled; subscribers have a quiet night. Throws `not_found`, `invalid`. */
export function addPushRules(
  db: Db,
  by: Actor,
  { channelId, names }: { channelId: number; names: Readonly<Record<PushRule, string>> },
  at: { readonly now: Seconds },
): Rule[] {
  permit(by, "addPushRules");
  return write(db, () => {
    const ispId = ispForNewRow(db, by, channelById(db, by, { id: channelId }).ispId);
    addReadyTemplates(db, by, { ispId }, at);
    const there = listRules(db, by).filter((rule) => rule.ispId === ispId && rule.channelId === channelId);
    return (Object.keys(pushRules) as PushRule[])
      .filter((name) => !there.some(({ template }) => template === name))
      .map((name) => {
        const { offset = 0, flag }: { offset?: number; flag?: string } = pushRules[name];
        const { on, eventType } = readyRules[name];
        const whom = flag === undefined ? { audience: "subscriber", ...QUIET } : { audience: "staff", flag };
        return createRule(
          db,
          by,
          {
            isp_id: ispId,
            name: names[name],
            on,
            template: name,
            ...(eventType && { event_type: eventType }),
            offset,
            channel_id: channelId,
            ...whom,
          },
          at,
        );
      });
  });
}
