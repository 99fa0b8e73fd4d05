import { rowsOf } from "./table.ts";
import type { Cell, SourceTable } from "./table.ts";

const pairs = (name: string): string => `
  id int(11) unsigned NOT NULL AUTO_INCREMENT
  ${name} varchar(64) NOT NULL DEFAULT ''
  attribute varchar(64) NOT NULL DEFAULT ''
  op char(2) NOT NULL DEFAULT ':='
  value varchar(253) NOT NULL DEFAULT ''`;
const written = `
  created datetime NOT NULL
  modified datetime NOT NULL`;
const MADE = "2024-05-01 10:00:00";

/** Check items, as RADIUSdesk writes them for a user or a voucher. */
const checks: readonly (readonly [string, string, string])[] = [
  ["lina@north", "Cleartext-Password", 'lina\'s "pass\\word"'],
  ["lina@north", "User-Profile", "Home 10M"],
  ["lina@north", "Rd-Realm", "North"],
  ["lina@north", "Rd-Account-Disabled", "0"],
  ["lina@north", "Expiration", "15 Dec 2026"],
  ["lina@north", "Rd-User-Type", "user"],
  ["capped", "Cleartext-Password", "capped-1"],
  ["capped", "User-Profile", "Data 5G"],
  ["capped", "Rd-Realm", "South"],
  ["capped", "Rd-Account-Disabled", "0"],
  ["capped", "Rd-User-Type", "user"],
  ["off", "Cleartext-Password", "off-1"],
  ["off", "User-Profile", "Home 10M"],
  ["off", "Rd-Realm", "South"],
  ["off", "Rd-Account-Disabled", "1"],
  ["off", "Rd-User-Type", "user"],
  ["no.clear", "User-Profile", "Home 10M"],
  ["no.clear", "Rd-User-Type", "user"],
  ["Lina@North", "Cleartext-Password", "another lina"],
  ["Lina@North", "User-Profile", "Home 10M"],
  ["Lina@North", "Rd-User-Type", "user"],
  ["topped.up", "Cleartext-Password", "topped"],
  ["topped.up", "User-Profile", "Prepaid top-up"],
  ["topped.up", "Rd-Total-Data", "3221225472"],
  ["topped.up", "Rd-User-Type", "user"],
  ["ليلى", "Cleartext-Password", "سر"],
  ["ليلى", "User-Profile", "A profile of nothing"],
  ["ليلى", "Rd-User-Type", "user"],
  ["ldap.user", "Rd-Auth-Type", "ldap"],
  ["ldap.user", "User-Profile", "Home 10M"],
  ["ldap.user", "Rd-User-Type", "user"],
  ["second.top", "Cleartext-Password", "second"],
  ["second.top", "User-Profile", "Prepaid top-up"],
  ["second.top", "Rd-Total-Data", "1073741824"],
  ["second.top", "Rd-Account-Activation-Time", "1 Jan 2027"],
  ["second.top", "Rd-User-Type", "user"],
  ["locked", "Cleartext-Password", "locked-1"],
  ["locked", "User-Profile", "Home 10M"],
  ["locked", "Rd-Mac-Check", "1"],
  ["locked", "Rd-User-Type", "user"],
  ["card-0001", "Cleartext-Password", "card-0001"],
  ["card-0001", "User-Profile", "Hour"],
  ["card-0001", "Rd-Realm", "North"],
  ["card-0001", "Rd-Voucher", "1-00-00-00"],
  ["card-0001", "Rd-User-Type", "voucher"],
  ["00-11-22-33-44-55", "Rd-User-Type", "device"],
  ["00-11-22-33-44-55", "Cleartext-Password", "00-11-22-33-44-55"],
  ["00-11-22-33-44-55", "User-Profile", "Home 10M"],
];

const groupPairs: readonly (readonly [string, string, string, string])[] = [
  ["SimpleAdd_1", "Mikrotik-Rate-Limit", "2048k/10240k", "reply"],
  ["SimpleAdd_1", "Fall-Through", "Yes", "reply"],
  ["SimpleAdd_1", "Simultaneous-Use", "1", "check"],
  ["SimpleAdd_2", "WISPr-Bandwidth-Max-Up", "1048576", "reply"],
  ["SimpleAdd_2", "WISPr-Bandwidth-Max-Down", "4194304", "reply"],
  ["SimpleAdd_2", "Fall-Through", "Yes", "reply"],
  ["SimpleAdd_2", "Rd-Reset-Type-Data", "monthly", "check"],
  ["SimpleAdd_2", "Rd-Total-Data", "5368709120", "check"],
  ["SimpleAdd_2", "Rd-Cap-Type-Data", "hard", "check"],
  ["SimpleAdd_3", "Rd-Reset-Type-Data", "never", "check"],
  ["SimpleAdd_3", "Rd-Cap-Type-Data", "hard", "check"],
  ["SimpleAdd_4", "Rd-Reset-Type-Time", "never", "check"],
  ["SimpleAdd_4", "Rd-Total-Time", "3600", "check"],
  ["SimpleAdd_4", "Rd-Cap-Type-Time", "hard", "check"],
  ["Pool-Gold", "Framed-Pool", "gold", "reply"],
  ["Pool-Gold", "Idle-Timeout", "900", "reply"],
];

function groupRows(kind: string): Readonly<Record<string, Cell>>[] {
  return groupPairs
    .filter(([, , , of]) => of === kind)
    .map(([groupname, attribute, value], i) => ({
      id: i + 1,
      groupname,
      attribute,
      op: ":=",
      value,
      created: MADE,
      modified: MADE,
    }));
}

export const radiusdesk: readonly SourceTable[] = [
  {
    name: "permanent_users",
    columns: `
      id int(11) NOT NULL AUTO_INCREMENT
      username varchar(255) NOT NULL
      password varchar(50) NOT NULL
      token char(36) DEFAULT NULL
      name varchar(50) NOT NULL
      surname varchar(50) NOT NULL
      address varchar(255) NOT NULL
      phone varchar(50) NOT NULL
      email varchar(100) NOT NULL
      auth_type varchar(128) NOT NULL DEFAULT 'sql'
      active tinyint(1) NOT NULL DEFAULT 0
      last_accept_time datetime DEFAULT NULL
      last_accept_nas varchar(128) DEFAULT NULL
      perc_time_used int(6) DEFAULT NULL
      perc_data_used int(6) DEFAULT NULL
      data_used bigint(20) DEFAULT NULL
      data_cap bigint(20) DEFAULT NULL
      time_used int(12) DEFAULT NULL
      time_cap int(12) DEFAULT NULL
      time_cap_type enum('hard','soft') DEFAULT 'soft'
      data_cap_type enum('hard','soft') DEFAULT 'soft'
      realm varchar(50) NOT NULL DEFAULT ''
      realm_id int(11) DEFAULT NULL
      profile varchar(50) NOT NULL DEFAULT ''
      profile_id int(11) DEFAULT NULL
      from_date datetime DEFAULT NULL
      to_date datetime DEFAULT NULL
      track_auth tinyint(1) NOT NULL DEFAULT 0
      track_acct tinyint(1) NOT NULL DEFAULT 1
      static_ip varchar(50) NOT NULL DEFAULT ''
      extra_name varchar(100) NOT NULL DEFAULT ''
      extra_value varchar(100) NOT NULL DEFAULT ''
      cloud_id int(11) DEFAULT NULL
      ${written}
      site varchar(100) NOT NULL DEFAULT ''
      ppsk varchar(100) NOT NULL DEFAULT ''
      realm_vlan_id int(11) DEFAULT NULL
      session_limit int(4) NOT NULL DEFAULT 0`,
    rows: rowsOf(
      "id username password token name surname address phone email auth_type active data_used data_cap time_used time_cap realm realm_id profile profile_id from_date to_date static_ip extra_name extra_value created modified site session_limit",
      [
        1,
        "lina@north",
        "7c4a8d09ca3762af61e59520943dc26494f8941b",
        "b4c6ac81-8c7c-4802-b50a-0a6380555b50",
        "Lina",
        "D'Souza",
        '1 "Hill" Road\nNorthtown',
        "0790000101",
        "lina@example.net",
        "sql",
        1,
        0,
        null,
        0,
        null,
        "North",
        1,
        "Home 10M",
        1,
        "2026-01-01 00:00:00",
        "2026-12-15 00:00:00",
        "",
        "",
        "",
        MADE,
        MADE,
        "Tower 1",
        0,
      ],
      [
        2,
        "capped",
        "7c4a8d09ca3762af61e59520943dc26494f8941b",
        null,
        "Cap",
        "Ped",
        "",
        "",
        "",
        "sql",
        1,
        1_073_741_824,
        5_368_709_120,
        null,
        null,
        "South",
        2,
        "Data 5G",
        2,
        null,
        null,
        "",
        "",
        "",
        MADE,
        MADE,
        "",
        0,
      ],
      [
        3,
        "off",
        "7c4a8d09ca3762af61e59520943dc26494f8941b",
        null,
        "Off",
        "",
        "",
        "-",
        "root@localhost",
        "sql",
        0,
        null,
        null,
        null,
        null,
        "South",
        2,
        "Home 10M",
        1,
        null,
        "2026-11-30 00:00:00",
        "",
        "",
        "",
        MADE,
        MADE,
        "",
        0,
      ],
      [
        4,
        "no.clear",
        "7c4a8d09ca3762af61e59520943dc26494f8941b",
        null,
        "",
        "",
        "",
        "0",
        "",
        "sql",
        1,
        null,
        null,
        null,
        null,
        "South",
        2,
        "Home 10M",
        1,
        null,
        null,
        "",
        "",
        "",
        MADE,
        MADE,
        "",
        0,
      ],
      [
        5,
        "Lina@North",
        "7c4a8d09ca3762af61e59520943dc26494f8941b",
        null,
        "Lina",
        "Two",
        "",
        "0790000101",
        "",
        "sql",
        1,
        null,
        null,
        null,
        null,
        "North",
        1,
        "Home 10M",
        1,
        null,
        null,
        "100.64.9.9",
        "ID",
        "9781234567",
        MADE,
        MADE,
        "",
        0,
      ],
      [
        6,
        "topped.up",
        "7c4a8d09ca3762af61e59520943dc26494f8941b",
        null,
        "Top",
        "Up",
        "",
        "0790000106",
        "top@example.net",
        "sql",
        1,
        536_870_912,
        3_221_225_472,
        null,
        null,
        "South",
        2,
        "Prepaid top-up",
        3,
        null,
        null,
        "",
        "",
        "",
        MADE,
        MADE,
        "",
        0,
      ],
      [
        7,
        "ليلى",
        "7c4a8d09ca3762af61e59520943dc26494f8941b",
        null,
        "ليلى",
        "حداد 🌷",
        "شارع ٢",
        "٠٧٩٠٠٠٠١٠٧",
        "",
        "sql",
        1,
        null,
        null,
        null,
        null,
        "",
        null,
        "A profile of nothing",
        5,
        null,
        null,
        "",
        "",
        "",
        MADE,
        MADE,
        "",
        2,
      ],
      [
        8,
        "ldap.user",
        "7c4a8d09ca3762af61e59520943dc26494f8941b",
        null,
        "L",
        "Dap",
        "",
        "",
        "",
        "ldap",
        1,
        null,
        null,
        null,
        null,
        "North",
        1,
        "Home 10M",
        1,
        null,
        null,
        "",
        "",
        "",
        MADE,
        MADE,
        "",
        0,
      ],
      [
        9,
        "second.top",
        "7c4a8d09ca3762af61e59520943dc26494f8941b",
        null,
        "Second",
        "",
        "",
        "0790000109",
        "",
        "sql",
        1,
        1_073_700_000,
        1_073_741_824,
        null,
        null,
        "South",
        2,
        "Prepaid top-up",
        3,
        null,
        null,
        "",
        "",
        "",
        MADE,
        MADE,
        "",
        0,
      ],
      [
        10,
        "locked",
        "7c4a8d09ca3762af61e59520943dc26494f8941b",
        null,
        "Locked",
        "",
        "",
        "0790000110",
        "",
        "sql",
        1,
        null,
        null,
        null,
        null,
        "South",
        2,
        "Home 10M",
        1,
        null,
        null,
        "",
        "",
        "",
        MADE,
        MADE,
        "",
        0,
      ],
    ),
  },
  {
    name: "radcheck",
    columns: pairs("username"),
    rows: checks.map(([username, attribute, value], i) => ({
      id: i + 1,
      username,
      attribute,
      op: ":=",
      value,
    })),
  },
  {
    name: "radreply",
    columns: pairs("username"),
    rows: rowsOf(
      "id username attribute op value",
      [1, "Lina@North", "Framed-IP-Address", ":=", "100.64.9.9"],
      [2, "Lina@North", "Service-Type", ":=", "Framed-User"],
      [3, "topped.up", "Mikrotik-Rate-Limit", ":=", "1M/8M"],
    ),
  },
  {
    name: "radusergroup",
    columns: `
      id int(11) NOT NULL AUTO_INCREMENT
      username varchar(64) NOT NULL DEFAULT ''
      groupname varchar(64) NOT NULL DEFAULT ''
      priority int(11) NOT NULL DEFAULT 1`,
    rows: rowsOf(
      "id username groupname priority",
      [1, "Home 10M", "SimpleAdd_1", 5],
      [2, "Home 10M", "Pool-Gold", 6],
      [3, "Data 5G", "SimpleAdd_2", 5],
      [4, "Prepaid top-up", "SimpleAdd_3", 5],
      [5, "Hour", "SimpleAdd_4", 5],
    ),
  },
  {
    name: "radgroupcheck",
    columns: `${pairs("groupname")}\ncomment varchar(253) NOT NULL DEFAULT ''${written}`,
    rows: groupRows("check"),
  },
  {
    name: "radgroupreply",
    columns: `${pairs("groupname")}\ncomment varchar(253) NOT NULL DEFAULT ''${written}`,
    rows: groupRows("reply"),
  },
  {
    name: "profiles",
    columns: `
      id int(11) NOT NULL AUTO_INCREMENT
      name varchar(128) NOT NULL
      cloud_id int(11) DEFAULT NULL
      ${written}`,
    rows: ["Home 10M", "Data 5G", "Prepaid top-up", "Hour", "A profile of nothing"].map((name, i) => ({
      id: i + 1,
      name,
      cloud_id: 23,
      created: MADE,
      modified: MADE,
    })),
  },
  {
    name: "realms",
    columns: `
      id int(11) NOT NULL AUTO_INCREMENT
      name varchar(64) NOT NULL DEFAULT ''
      phone varchar(14) NOT NULL DEFAULT ''
      email varchar(128) NOT NULL DEFAULT ''
      city char(50) NOT NULL DEFAULT ''
      lat double DEFAULT NULL
      lon double DEFAULT NULL
      cloud_id int(11) DEFAULT NULL
      ${written}
      suffix char(200) NOT NULL DEFAULT ''
      suffix_permanent_users tinyint(1) NOT NULL DEFAULT 0
      suffix_vouchers tinyint(1) NOT NULL DEFAULT 0`,
    rows: rowsOf(
      "id name city lat lon created modified suffix suffix_permanent_users",
      [1, "North", "Irbid", 32.5556, 35.85, MADE, MADE, "north", 1],
      [2, "South", "Aqaba", null, null, MADE, MADE, "", 0],
    ),
  },
  {
    name: "vouchers",
    columns: `
      id int(11) NOT NULL AUTO_INCREMENT
      name varchar(64) DEFAULT NULL
      batch varchar(128) NOT NULL DEFAULT ''
      status enum('new','used','depleted','expired') DEFAULT 'new'
      perc_time_used int(6) DEFAULT NULL
      perc_data_used int(6) DEFAULT NULL
      cloud_id int(11) DEFAULT NULL
      ${written}
      extra_name varchar(100) NOT NULL DEFAULT ''
      extra_value varchar(100) NOT NULL DEFAULT ''
      password varchar(30) NOT NULL DEFAULT ''
      realm varchar(50) NOT NULL DEFAULT ''
      realm_id int(11) DEFAULT NULL
      profile varchar(50) NOT NULL DEFAULT ''
      profile_id int(11) DEFAULT NULL
      expire datetime DEFAULT NULL
      time_valid varchar(10) NOT NULL DEFAULT ''
      data_used bigint(20) DEFAULT NULL
      data_cap bigint(20) DEFAULT NULL
      time_used int(12) DEFAULT NULL
      time_cap int(12) DEFAULT NULL`,
    rows: rowsOf(
      "id name batch status created modified password realm realm_id profile profile_id expire time_valid data_used time_used time_cap",
      [
        1,
        "card-0001",
        "summer",
        "new",
        MADE,
        MADE,
        "card-0001",
        "North",
        1,
        "Hour",
        4,
        null,
        "1-00-00-00",
        null,
        null,
        86_400,
      ],
      [
        2,
        "card-0002",
        "summer",
        "used",
        MADE,
        MADE,
        "card-0002",
        "North",
        1,
        "Hour",
        4,
        null,
        "",
        1_000_000,
        600,
        null,
      ],
      [
        3,
        "card-0003",
        "summer",
        "depleted",
        MADE,
        MADE,
        "card-0003",
        "North",
        1,
        "Hour",
        4,
        null,
        "",
        null,
        null,
        null,
      ],
      [
        4,
        "card-0004",
        "",
        "expired",
        MADE,
        MADE,
        "card-0004",
        "North",
        1,
        "Hour",
        4,
        "2025-01-01 00:00:00",
        "",
        null,
        null,
        null,
      ],
      [
        5,
        "two-words",
        "summer",
        "new",
        MADE,
        MADE,
        "other",
        "North",
        1,
        "Hour",
        4,
        null,
        "",
        null,
        null,
        null,
      ],
      [
        6,
        "too-late",
        "",
        "new",
        MADE,
        MADE,
        "too-late",
        "North",
        1,
        "Hour",
        4,
        "2026-01-01 00:00:00",
        "",
        null,
        null,
        null,
      ],
    ),
  },
  {
    name: "top_ups",
    columns: `
      id int(11) NOT NULL AUTO_INCREMENT
      cloud_id int(11) DEFAULT NULL
      permanent_user_id int(11) DEFAULT NULL
      data bigint(11) DEFAULT NULL
      time int(11) DEFAULT NULL
      days_to_use int(11) DEFAULT NULL
      comment varchar(255) NOT NULL
      ${written}
      type enum('data','time','days_to_use') DEFAULT 'data'`,
    rows: rowsOf(
      "id permanent_user_id data time days_to_use comment created modified type",
      [1, 6, 1_073_741_824, null, null, "first", "2026-10-01 10:00:00", MADE, "data"],
      [2, 6, 2_147_483_648, null, null, 'it\'s "second"', "2026-11-02 10:00:00", MADE, "data"],
      [3, 1, null, null, 30, "", "2026-11-15 10:00:00", MADE, "days_to_use"],
      [4, 77, null, 3600, null, "of who left", "2026-11-15 10:00:00", MADE, "time"],
    ),
  },
  {
    name: "nas",
    columns: `
      id int(10) NOT NULL AUTO_INCREMENT
      nasname varchar(128) NOT NULL
      shortname varchar(32) DEFAULT NULL
      nasidentifier varchar(64) NOT NULL DEFAULT ''
      type varchar(30) DEFAULT 'other'
      ports int(5) DEFAULT NULL
      secret varchar(60) NOT NULL DEFAULT 'secret'
      server varchar(64) DEFAULT NULL
      community varchar(50) DEFAULT NULL
      description varchar(200) DEFAULT 'RADIUS Client'
      connection_type enum('direct','openvpn','pptp','dynamic') DEFAULT 'direct'
      ${written}`,
    rows: rowsOf(
      "id nasname shortname nasidentifier secret connection_type created modified",
      [1, "10.0.0.1", "north", "north-1", "north-secret", "direct", MADE, MADE],
      [2, "dynamic-2", "anywhere", "south-1", "south-secret", "dynamic", MADE, MADE],
    ),
  },
  {
    name: "radacct",
    columns: `
      radacctid bigint(21) NOT NULL AUTO_INCREMENT
      acctsessionid varchar(64) NOT NULL DEFAULT ''
      acctuniqueid varchar(32) NOT NULL DEFAULT ''
      username varchar(64) NOT NULL DEFAULT ''
      groupname varchar(64) NOT NULL DEFAULT ''
      realm varchar(64) DEFAULT ''
      nasipaddress varchar(15) NOT NULL DEFAULT ''
      nasidentifier varchar(64) NOT NULL DEFAULT ''
      nasportid varchar(15) DEFAULT NULL
      nasporttype varchar(32) DEFAULT NULL
      acctstarttime datetime DEFAULT NULL
      acctupdatetime datetime DEFAULT NULL
      acctstoptime datetime DEFAULT NULL
      acctsessiontime int(12) unsigned DEFAULT NULL
      acctinputoctets bigint(20) DEFAULT NULL
      acctoutputoctets bigint(20) DEFAULT NULL
      calledstationid varchar(50) NOT NULL DEFAULT ''
      callingstationid varchar(50) NOT NULL DEFAULT ''
      servicetype varchar(32) DEFAULT NULL
      framedprotocol varchar(32) DEFAULT NULL
      framedipaddress varchar(15) NOT NULL DEFAULT ''`,
    rows: rowsOf(
      "radacctid acctsessionid acctuniqueid username realm nasipaddress nasidentifier nasportid acctstarttime acctupdatetime acctstoptime acctsessiontime acctinputoctets acctoutputoctets calledstationid callingstationid servicetype framedprotocol framedipaddress",
      [
        1,
        "81e00001",
        "r1",
        "lina@north",
        "North",
        "10.0.0.1",
        "north-1",
        "1",
        "2026-11-21 08:00:00",
        "2026-11-22 08:55:00",
        null,
        89_700,
        1_000_000,
        50_000_000,
        "pppoe",
        "AA:BB:CC:DD:00:01",
        "Framed-User",
        "PPP",
        "100.64.8.1",
      ],
      [
        2,
        "81d00001",
        "r2",
        "capped",
        "South",
        "10.0.0.1",
        "north-1",
        "2",
        "2026-11-10 08:00:00",
        "2026-11-10 09:00:00",
        "2026-11-10 09:00:00",
        3_600,
        73_741_824,
        1_000_000_000,
        "hotspot",
        "AA:BB:CC:DD:00:02",
        "Login-User",
        null,
        "10.5.50.9",
      ],
    ),
  },
  {
    name: "devices",
    columns: `
      id int(11) NOT NULL AUTO_INCREMENT
      name varchar(128) NOT NULL
      description varchar(255) NOT NULL
      active tinyint(1) NOT NULL DEFAULT 0
      permanent_user_id int(11) DEFAULT NULL
      ${written}`,
    rows: rowsOf(
      "id name description active permanent_user_id created modified",
      [1, "00-11-22-33-44-55", "telephone", 1, 1, MADE, MADE],
      [2, "00-11-22-33-44-66", "laptop", 1, 10, MADE, MADE],
    ),
  },
  {
    name: "dynamic_clients",
    columns: `
      id int(11) NOT NULL AUTO_INCREMENT
      name varchar(64) NOT NULL DEFAULT ''
      nasidentifier varchar(128) NOT NULL DEFAULT ''
      calledstationid varchar(128) NOT NULL DEFAULT ''
      last_contact datetime DEFAULT NULL
      last_contact_ip varchar(128) NOT NULL DEFAULT ''
      ${written}`,
    rows: rowsOf("id name nasidentifier last_contact_ip created modified", [
      1,
      "Café",
      "cafe-1",
      "203.0.113.9",
      MADE,
      MADE,
    ]),
  },
  {
    name: "profile_components",
    columns: `
      id int(11) NOT NULL AUTO_INCREMENT
      name varchar(128) NOT NULL
      ${written}`,
    rows: ["SimpleAdd_1", "SimpleAdd_2", "SimpleAdd_3", "SimpleAdd_4", "Pool-Gold"].map((name, i) => ({
      id: i + 1,
      name,
      created: MADE,
      modified: MADE,
    })),
  },
];
