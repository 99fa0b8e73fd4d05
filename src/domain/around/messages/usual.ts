import { type Db, write } from "../../../../db/open.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { readyRules } from "./ready/ready.ts";
import { createRule, listRules, type Rule } from "./rules.ts";
import { ispForNewRow } from "../../core/references/references.ts";
import { addReadyTemplates } from "./templates.ts";

/** The rules that nearly every ISP has, by their texts. */
export const usualRules = ["welcome", "payment_receipt", "expires_soon", "expired", "quota_80"] as const;
export type UsualRule = (typeof usualRules)[number];

/** Missing ones by one channel; those of `on` enabled. Returns them. Throws `invalid`. */
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
    const there = new Set(
      listRules(db, by)
        .filter((rule) => rule.ispId === ispId)
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
