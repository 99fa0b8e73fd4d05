import { freeradius } from "./freeradius.ts";
import { rowsOf } from "./table.ts";
import type { SourceTable } from "./table.ts";

const written = `
  creationdate datetime DEFAULT '0000-00-00 00:00:00'
  creationby varchar(128) DEFAULT NULL
  updatedate datetime DEFAULT '0000-00-00 00:00:00'
  updateby varchar(128) DEFAULT NULL`;
const texts = (names: string): string =>
  names
    .split(" ")
    .map((name) => `${name} varchar(200) DEFAULT NULL`)
    .join("\n");

/** The tables of daloRADIUS 1.3 and 2 besides those of FreeRADIUS. */
export const daloradius: readonly SourceTable[] = [
  ...freeradius,
  {
    name: "userinfo",
    columns: `
      id int(11) unsigned NOT NULL AUTO_INCREMENT
      username varchar(128) DEFAULT NULL
      ${texts("firstname lastname email department company workphone homephone mobilephone address city state")}
      country varchar(100) DEFAULT NULL
      zip varchar(200) DEFAULT NULL
      notes varchar(200) DEFAULT NULL
      changeuserinfo varchar(128) DEFAULT NULL
      portalloginpassword varchar(128) DEFAULT ''
      enableportallogin int(32) DEFAULT 0
      ${written}`,
    rows: rowsOf(
      "id username firstname lastname email company workphone homephone mobilephone address city country notes portalloginpassword creationdate creationby",
      [
        1,
        "ahmad.saleh",
        "Ahmad",
        "Saleh",
        "ahmad@example.net",
        "",
        "",
        "06-5551234",
        "0790000001",
        "12 Rainbow St.\nbehind the bakery",
        "Amman",
        "Jordan",
        "pays on the 5th",
        "$2y$10$portalhash",
        "2023-02-01 10:00:00",
        "administrator",
      ],
      [
        2,
        "O'Neil",
        "Seán",
        "O'Neil",
        "sean@example.net",
        "O'Neil & Sons",
        "",
        "",
        "+962 79 000 0002",
        '5 "Old" Road',
        "Amman",
        "Jordan",
        null,
        "",
        "2023-03-01 10:00:00",
        "administrator",
      ],
      [
        3,
        "omar",
        "Omar",
        "Haddad",
        "omar@example.net",
        "",
        "",
        "",
        "0790000003",
        "",
        "Zarqa",
        "",
        "",
        "",
        "2023-04-01 10:00:00",
        "clerk",
      ],
      [
        4,
        "Omar",
        "Omar",
        "Nasser",
        "omar@example.net",
        "",
        "",
        "",
        "0790000003",
        "",
        "Zarqa",
        "",
        "",
        "",
        "2023-04-02 10:00:00",
        "clerk",
      ],
      [
        5,
        "سمير",
        "سمير",
        "الخطيب",
        "",
        "",
        "",
        "",
        "٠٧٩٠٠٠٠٠٠٥",
        "شارع الجامعة، عمارة ٥",
        "إربد",
        "الأردن",
        "يدفع نقدًا 👍",
        "",
        "2024-01-01 00:00:00",
        null,
      ],
      [
        6,
        "josé",
        "José",
        "Muñoz",
        "root@localhost",
        "",
        "",
        "",
        "0",
        "N/A",
        "-",
        "",
        "",
        "",
        "0000-00-00 00:00:00",
        null,
      ],
      [7, "expired", "", "", "1", "", "", "", "1234", "", "", "", null, "", "2022-01-01 00:00:00", null],
      [
        8,
        "static.ip",
        "Static",
        null,
        null,
        "Clinic",
        "065550000",
        "",
        "",
        "",
        "Amman",
        "",
        null,
        "",
        "2022-01-01 00:00:00",
        null,
      ],
      [
        9,
        "disabled.user",
        "Gone",
        "Away",
        "",
        "",
        "",
        "",
        "",
        "",
        "",
        "",
        "moved out",
        "",
        "2021-01-01 00:00:00",
        null,
      ],
      [
        10,
        "only.in.userinfo",
        "No",
        "Line",
        "",
        "",
        "",
        "",
        "0790000010",
        "",
        "",
        "",
        null,
        "",
        "2021-01-01 00:00:00",
        null,
      ],
    ),
  },
  {
    name: "userbillinfo",
    columns: `
      id int(8) unsigned NOT NULL AUTO_INCREMENT
      username varchar(128) DEFAULT NULL
      planname varchar(128) DEFAULT NULL
      hotspot_id int(32) DEFAULT NULL
      hotspotlocation varchar(32) DEFAULT NULL
      ${texts("contactperson company email phone address city state country zip paymentmethod cash creditcardname creditcardnumber creditcardverification creditcardtype creditcardexp notes")}
      changeuserbillinfo varchar(128) DEFAULT NULL
      ${texts("lead coupon ordertaker billstatus")}
      lastbill date NOT NULL DEFAULT '0000-00-00'
      nextbill date NOT NULL DEFAULT '0000-00-00'
      nextinvoicedue int(32) DEFAULT NULL
      billdue int(32) DEFAULT NULL
      postalinvoice varchar(8) DEFAULT NULL
      faxinvoice varchar(8) DEFAULT NULL
      emailinvoice varchar(8) DEFAULT NULL
      batch_id int(32) DEFAULT NULL
      ${written}`,
    rows: rowsOf(
      "id username planname contactperson email phone address city paymentmethod creditcardname creditcardnumber creditcardverification creditcardexp notes lastbill nextbill batch_id",
      [
        1,
        "ahmad.saleh",
        "Home 10M",
        "Ahmad Saleh",
        "billing@example.net",
        "0790000001",
        "12 Rainbow St.",
        "Amman",
        "cash",
        "AHMAD SALEH",
        "4111111111111111",
        "123",
        "12/27",
        "",
        "2026-11-01",
        "2026-12-01",
        null,
      ],
      [2, "O'Neil", "Home 10M", "", "", "", "", "", "", "", "", "", "", "", "0000-00-00", "0000-00-00", null],
      [3, "Omar", 'Gold "20"', "", "", "", "", "", "", "", "", "", "", "", "2026-11-01", "2026-12-01", null],
      [4, "سمير", "باقة ذهبية", "", "", "", "", "", "", "", "", "", "", "", "0000-00-00", "0000-00-00", null],
      [
        5,
        "aa-bb-cc-00-11-23",
        "Hotspot hour",
        "",
        "",
        "",
        "",
        "",
        "",
        "",
        "",
        "",
        "",
        "",
        "0000-00-00",
        "0000-00-00",
        1,
      ],
      [
        6,
        "only.in.userinfo",
        "No such plan",
        "",
        "",
        "",
        "",
        "",
        "",
        "",
        "",
        "",
        "",
        "",
        "0000-00-00",
        "0000-00-00",
        null,
      ],
    ),
  },
  {
    name: "billing_plans",
    columns: `
      id int(8) NOT NULL AUTO_INCREMENT
      ${texts("planname planid plantype plantimebank plantimetype plantimerefillcost planbandwidthup planbandwidthdown plantraffictotal plantrafficup plantrafficdown plantrafficrefillcost planrecurring planrecurringperiod")}
      planrecurringbillingschedule varchar(128) NOT NULL DEFAULT 'Fixed'
      ${texts("plancost plansetupcost plantax plancurrency plangroup")}
      planactive varchar(32) NOT NULL DEFAULT 'yes'
      ${written}`,
    rows: rowsOf(
      "id planname planid plantype plantimetype plantimebank planbandwidthup planbandwidthdown plantraffictotal planrecurring planrecurringperiod plancost plantax plancurrency plangroup planactive",
      [
        1,
        "Home 10M",
        "1",
        "Prepaid",
        "Accumulative",
        "",
        "2048",
        "10240",
        "",
        "Yes",
        "Monthly",
        "15.50",
        "16",
        "JOD",
        "10M",
        "yes",
      ],
      [
        2,
        'Gold "20"',
        "2",
        "Postpaid",
        "",
        "",
        "",
        "",
        "107374182400",
        "Yes",
        "Monthly",
        "25",
        "",
        "JOD",
        "20M Gold",
        "yes",
      ],
      [
        3,
        "باقة ذهبية",
        "3",
        "Prepaid",
        "",
        "",
        "",
        "",
        "",
        "Yes",
        "Weekly",
        "7,250",
        "",
        "JOD",
        "ذهبي",
        "yes",
      ],
      [
        4,
        "Hotspot hour",
        "4",
        "Prepaid",
        "Time-To-Finish",
        "3600",
        "",
        "",
        "",
        "No",
        "Never",
        "1.00",
        "",
        "JOD",
        "hotspot-1h",
        "yes",
      ],
      [5, "Sold no more", "5", "Prepaid", "", "", "", "", "", "Yes", "Yearly", "", "", "", "", "no"],
    ),
  },
  {
    name: "billing_plans_profiles",
    columns: `
      id int(32) NOT NULL AUTO_INCREMENT
      plan_name varchar(128) NOT NULL
      profile_name varchar(256) DEFAULT NULL`,
    rows: rowsOf(
      "id plan_name profile_name",
      [1, "Home 10M", "10M"],
      [2, 'Gold "20"', "20M Gold"],
      [3, "باقة ذهبية", "ذهبي"],
      [4, "Hotspot hour", "hotspot-1h"],
    ),
  },
  {
    name: "batch_history",
    columns: `
      id int(32) NOT NULL AUTO_INCREMENT
      batch_name varchar(64) DEFAULT NULL
      batch_description varchar(256) DEFAULT NULL
      hotspot_id int(32) DEFAULT 0
      batch_status varchar(128) NOT NULL DEFAULT 'Pending'
      ${written}`,
    rows: rowsOf("id batch_name batch_description batch_status creationdate creationby", [
      1,
      "summer-2026",
      'Cards for the café; 50% "off"',
      "Active",
      "2026-06-01 09:00:00",
      "administrator",
    ]),
  },
  {
    name: "operators",
    columns: `
      id int(32) NOT NULL AUTO_INCREMENT
      username varchar(32) NOT NULL
      password varchar(95) NOT NULL
      firstname varchar(32) NOT NULL DEFAULT ''
      lastname varchar(32) NOT NULL DEFAULT ''`,
    rows: [{ id: 1, username: "administrator", password: "radius" }],
  },
];
