import { after, changed, quoted } from "./trigger.ts";

const DIVIDERS = [" ", "-", "(", ")", "+", ".", "/"];
/** Telephone numbers without separators. */
const plain = (column: string) =>
  DIVIDERS.reduce((text, divider) => `replace(${text}, '${divider}', '')`, `coalesce(NEW.\`${column}\`, '')`);

/** What is searched, by column of `subscriber_search`. */
const texts = {
  name: "NEW.`name`",
  username: "NEW.`username`",
  phone: `${plain("mobile_number")} || ' ' || ${plain("phone_number")}`,
  nic: "NEW.`nic_number`",
  address: "NEW.`address`",
  box: "coalesce(NEW.`box_number`, '') || ' ' || coalesce(NEW.`box_address`, '')",
  mac: "NEW.`mac_address` || ' ' || replace(NEW.`mac_address`, ':', '')",
  static_ip: "NEW.`static_ip`",
  email: "NEW.`email`",
};
const values = `(\`rowid\`, ${quoted(Object.keys(texts))}) VALUES (NEW.\`id\`, ${Object.values(texts).join(", ")});`;

/** Searchable columns. */
const searched = [
  ...["name", "username", "mobile_number", "phone_number", "nic_number", "address", "box_number"],
  ...["box_address", "mac_address", "static_ip", "email"],
];

export function search(): string[] {
  const table = "subscribers";
  return [
    after(
      { name: "subscribers_search_inserted", table, event: "INSERT" },
      `INSERT INTO \`subscriber_search\` ${values}`,
    ),
    after(
      {
        name: "subscribers_search_updated",
        table,
        event: "UPDATE",
        of: searched,
        when: changed(searched),
      },
      `INSERT OR REPLACE INTO \`subscriber_search\` ${values}`,
    ),
    after(
      { name: "subscribers_search_deleted", table, event: "DELETE" },
      "DELETE FROM `subscriber_search` WHERE `rowid` = OLD.`id`;",
    ),
  ];
}
