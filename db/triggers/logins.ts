import { getTableColumns } from "drizzle-orm";
import { services } from "../schema.ts";
import { loginKeys } from "../service-keys.ts";
import { after } from "./trigger.ts";

const STAMP = "random() & 281474976710655";
/** Columns of a service that change a login, beside byte counts. */
const decisive: ReadonlySet<string> = new Set([
  ...["subscriberId", "packageId", "passwordSealed", "ntHashSealed", "activatedAt"],
  ...loginKeys,
]);

/**
 * Written with `quota_used` where a volume or tiers count. A service without either updates `quota_used` alone, which fires no
 * trigger: checking cost each report a twentieth.
 */
const COUNTED = "free_bytes";

const updateStamp = (row: "NEW" | "OLD") =>
  `UPDATE \`login_stamps\` SET \`stamp\` = ${STAMP} WHERE \`username_key\` = (SELECT \`username_key\` FROM \`subscribers\` WHERE \`id\` = ${row}.\`subscriber_id\`);`;
const stampNew = `INSERT OR REPLACE INTO \`login_stamps\` VALUES (NEW.\`username_key\`, ${STAMP});`;
const forgetOld = "DELETE FROM `login_stamps` WHERE `username_key` = OLD.`username_key`;";

export function logins(): string[] {
  const ofSubscriber = { table: "subscribers" } as const;
  const ofService = { table: "services" } as const;
  const columns = Object.entries(getTableColumns(services));
  return [
    after({ ...ofSubscriber, name: "subscribers_login_inserted", event: "INSERT" }, stampNew),
    after(
      {
        ...ofSubscriber,
        name: "subscribers_login_updated",
        event: "UPDATE",
        when: "NEW.`username_key` IS OLD.`username_key`",
      },
      `UPDATE \`login_stamps\` SET \`stamp\` = ${STAMP} WHERE \`username_key\` = NEW.\`username_key\`;`,
    ),
    after(
      {
        ...ofSubscriber,
        name: "subscribers_login_renamed",
        event: "UPDATE",
        of: ["username_key"],
        when: "NEW.`username_key` IS NOT OLD.`username_key`",
      },
      `${forgetOld} ${stampNew}`,
    ),
    after({ ...ofSubscriber, name: "subscribers_login_deleted", event: "DELETE" }, forgetOld),
    after({ ...ofService, name: "services_login_inserted", event: "INSERT" }, updateStamp("NEW")),
    after(
      {
        ...ofService,
        name: "services_login_updated",
        event: "UPDATE",
        of: columns.filter(([key]) => decisive.has(key)).map(([, { name }]) => name),
      },
      updateStamp("NEW"),
    ),
    after({ ...ofService, name: "services_login_deleted", event: "DELETE" }, updateStamp("OLD")),
    after(
      {
        ...ofService,
        name: "services_login_used",
        event: "UPDATE",
        of: [COUNTED],
        when: "NEW.`quota_total` > 0 OR NEW.`tiers` IS NOT NULL",
      },
      updateStamp("NEW"),
    ),
  ];
}
