import { rowsOf } from "./table.ts";
import type { Cell, SourceTable } from "./table.ts";

type Rows = Readonly<Record<string, Cell>>[];

const checks: readonly (readonly [string, string, string, string])[] = [
  ["ahmad.saleh", "Cleartext-Password", ":=", "ahmad-2024"],
  ["ahmad.saleh", "Expiration", ":=", "20 Dec 2026"],
  ["ahmad.saleh", "Simultaneous-Use", ":=", "1"],
  ["O'Neil", "Cleartext-Password", ":=", "p'a\"s\\s%w_d"],
  ["O'Neil", "Expiration", ":=", "20 Dec 2026 18:30:00"],
  ["omar", "Cleartext-Password", ":=", "omar-1"],
  ["Omar", "Cleartext-Password", ":=", "omar-2"],
  ["khaled ", "Cleartext-Password", ":=", "with a blank behind its name"],
  ["سمير", "Cleartext-Password", ":=", "كلمة السر 🔑"],
  ["سمير", "Expiration", ":=", "December 31 2026 23:59:59"],
  ["josé", "Cleartext-Password", ":=", "contraseña"],
  ["josé", "Expiration", ":=", "2026-12-24 12:00:00"],
  ["expired", "Cleartext-Password", ":=", "late"],
  ["expired", "Expiration", ":=", "01 Jan 2025 00:00"],
  ["never.ends", "Cleartext-Password", ":=", "never"],
  ["old.style", "User-Password", "==", "written in the old way"],
  ["hash.crypt", "Crypt-Password", ":=", "$2y$10$abcdefghijklmnopqrstuuJ3h4Zb8m0Q9x1y2z3A4B5C6D7E8F9G0"],
  ["hash.md5", "MD5-Password", ":=", "5f4dcc3b5aa765d61d8327deb882cf99"],
  ["hash.ssha", "SSHA-Password", ":=", "nU4eI71bcnBGqeO0t9tXvY1u5oQzaGFz"],
  ["hash.nt", "NT-Password", ":=", "8846F7EAEE8FB117AD06BDD830B7586C"],
  ["nt.and.clear", "NT-Password", ":=", "8846F7EAEE8FB117AD06BDD830B7586C"],
  ["nt.and.clear", "Cleartext-Password", ":=", "password"],
  ["empty.password", "Cleartext-Password", ":=", ""],
  ["rejected", "Cleartext-Password", ":=", "stays out"],
  ["rejected", "Auth-Type", ":=", "Reject"],
  ["accepted", "Auth-Type", ":=", "Accept"],
  ["AA:BB:CC:00:11:22", "Auth-Type", ":=", "Accept"],
  ["aa-bb-cc-00-11-23", "Cleartext-Password", ":=", "aa-bb-cc-00-11-23"],
  ["locked.device", "Cleartext-Password", ":=", "one device"],
  ["locked.device", "Calling-Station-Id", "==", "00:1A:2B:3C:4D:5E"],
  ["daily.hours", "Cleartext-Password", ":=", "three hours"],
  ["daily.hours", "Max-Daily-Session", ":=", "10800"],
  ["all.hours", "Cleartext-Password", ":=", "ten hours"],
  ["all.hours", "Max-All-Session", ":=", "36000"],
  ["days.from.first", "Cleartext-Password", ":=", "thirty days"],
  ["days.from.first", "Access-Period", ":=", "2592000"],
  ["two.groups", "Cleartext-Password", ":=", "two groups"],
  ["own.terms", "Cleartext-Password", ":=", "own terms"],
  ["static.ip", "Cleartext-Password", ":=", "static"],
  ["disabled.user", "Cleartext-Password", ":=", "was put out"],
  ["semi;colon", "Cleartext-Password", ":=", "a;b -- c /* d */ # e `f`"],
  ["INSERT INTO radcheck", "Cleartext-Password", ":=", "'); DROP TABLE radcheck; -- "],
];

const replies: readonly (readonly [string, string, string, string])[] = [
  ["own.terms", "Mikrotik-Rate-Limit", ":=", "3M/12M 5M/20M 2M/8M 16/16 8"],
  ["own.terms", "Framed-Pool", ":=", "pool-own"],
  ["static.ip", "Framed-IP-Address", ":=", "100.64.7.7"],
  ["static.ip", "Framed-IPv6-Prefix", ":=", "2001:db8:7::/64"],
  ["static.ip", "Delegated-IPv6-Prefix", ":=", "2001:db8:700::/56"],
  ["ahmad.saleh", "Reply-Message", "=", 'Welcome,\nthis is the "second" line\tand a tab'],
  ["daily.hours", "Session-Timeout", ":=", "3600"],
  ["daily.hours", "Idle-Timeout", ":=", "600"],
  ["josé", "Framed-Route", "+=", "10.9.0.0/24 0.0.0.0 1"],
];

const groups: readonly (readonly [string, string, number])[] = [
  ["ahmad.saleh", "10M", 1],
  ["O'Neil", "10M", 1],
  ["omar", "10M", 1],
  ["Omar", "20M Gold", 1],
  ["khaled ", "20M Gold", 1],
  ["سمير", "ذهبي", 1],
  ["josé", "20M Gold", 1],
  ["expired", "10M", 1],
  ["never.ends", "10M", 1],
  ["old.style", "10M", 1],
  ["hash.crypt", "10M", 1],
  ["hash.md5", "10M", 1],
  ["hash.nt", "20M Gold", 1],
  ["nt.and.clear", "20M Gold", 1],
  ["empty.password", "10M", 1],
  ["rejected", "10M", 1],
  ["accepted", "hotspot-1h", 1],
  ["AA:BB:CC:00:11:22", "hotspot-1h", 1],
  ["aa-bb-cc-00-11-23", "hotspot-1h", 1],
  ["locked.device", "10M", 1],
  ["daily.hours", "hotspot-1h", 1],
  ["all.hours", "hotspot-1h", 1],
  ["two.groups", "20M Gold", 10],
  ["two.groups", "10M", 2],
  ["own.terms", "10M", 1],
  ["static.ip", "20M Gold", 1],
  ["disabled.user", "10M", 1],
  ["disabled.user", "daloRADIUS-Disabled-Users", 0],
  ["semi;colon", "10M", 1],
  ["only.in.a.group", "10M", 1],
];

const groupReplies: readonly (readonly [string, string, string, string])[] = [
  ["10M", "Mikrotik-Rate-Limit", ":=", "2M/10M"],
  ["10M", "Framed-Pool", ":=", "pool-10m"],
  ["10M", "Acct-Interim-Interval", ":=", "300"],
  ["20M Gold", "Mikrotik-Rate-Limit", "=", "5M/20M 10M/40M 4M/16M 10/10"],
  ["20M Gold", "Mikrotik-Address-List", ":=", "gold"],
  ["20M Gold", "Idle-Timeout", ":=", "1200"],
  ["ذهبي", "WISPr-Bandwidth-Max-Up", ":=", "4000000"],
  ["ذهبي", "WISPr-Bandwidth-Max-Down", ":=", "16000000"],
  ["hotspot-1h", "Mikrotik-Rate-Limit", ":=", "1M/2M"],
  ["hotspot-1h", "Session-Timeout", ":=", "3600"],
  ["hotspot-1h", "Mikrotik-Total-Limit", ":=", "1073741824"],
  ["bad-rate", "Mikrotik-Rate-Limit", ":=", "very fast"],
];

const groupChecks: readonly (readonly [string, string, string, string])[] = [
  ["10M", "Simultaneous-Use", ":=", "1"],
  ["20M Gold", "Simultaneous-Use", ":=", "3"],
  ["hotspot-1h", "Max-All-Session", ":=", "3600"],
  ["10M", "Framed-Protocol", "==", "PPP"],
  ["daloRADIUS-Disabled-Users", "Auth-Type", ":=", "Reject"],
];

const attributes = (rows: readonly (readonly Cell[])[], name: string): Rows =>
  rows.map(([who = "", attribute = "", op = "", value = ""], i) => ({
    id: i + 1,
    [name]: who,
    attribute,
    op,
    value,
  }));

const pairs = (name: string, operator: string): string => `
  id int(11) unsigned NOT NULL AUTO_INCREMENT
  ${name} varchar(64) NOT NULL DEFAULT ''
  attribute varchar(64) NOT NULL DEFAULT ''
  op char(2) NOT NULL DEFAULT '${operator}'
  value varchar(253) NOT NULL DEFAULT ''`;

const sessionColumns =
  "acctsessionid acctuniqueid username nasipaddress nasportid nasporttype acctstarttime acctupdatetime acctstoptime acctsessiontime acctinputoctets acctoutputoctets calledstationid callingstationid acctterminatecause servicetype framedprotocol framedipaddress";
const sessions = rowsOf(
  sessionColumns,
  // open, over PPPoE and at a hotspot
  [
    "81d00001",
    "u0000000000000000000000000000001",
    "ahmad.saleh",
    "10.0.0.1",
    "15728641",
    "Ethernet",
    "2026-11-20 08:00:00",
    "2026-11-22 08:55:00",
    null,
    175_500,
    1_200_345_678,
    45_000_123_456,
    "pppoe-main",
    "AA:BB:CC:DD:EE:01",
    "",
    "Framed-User",
    "PPP",
    "100.64.0.11",
  ],
  [
    "80000a17",
    "u0000000000000000000000000000002",
    "AA:BB:CC:00:11:22",
    "10.0.0.2",
    "bridge-hs",
    "Wireless-802.11",
    "2026-11-22 07:10:00",
    "2026-11-22 08:50:00",
    null,
    6_000,
    5_000_000,
    60_000_000,
    "hotspot1",
    "AA:BB:CC:00:11:22",
    "",
    "Login-User",
    null,
    "10.5.50.20",
  ],
  // open for two years: its router never sent a Stop
  [
    "deadbeef",
    "u0000000000000000000000000000003",
    "expired",
    "10.0.0.1",
    "1",
    "Ethernet",
    "2024-03-01 10:00:00",
    "2024-03-01 11:00:00",
    null,
    3_600,
    10,
    20,
    "pppoe-main",
    "AA:BB:CC:DD:EE:02",
    "",
    "Framed-User",
    "PPP",
    "100.64.0.12",
  ],
  // of no router that is known
  [
    "81d00009",
    "u0000000000000000000000000000004",
    "josé",
    "192.0.2.77",
    "9",
    "Ethernet",
    "2026-11-22 06:00:00",
    null,
    null,
    0,
    0,
    0,
    "pppoe-x",
    "AA:BB:CC:DD:EE:03",
    "",
    "Framed-User",
    "PPP",
    "100.64.0.13",
  ],
  // ended: this month, across its beginning, last month
  [
    "81c00001",
    "u0000000000000000000000000000005",
    "ahmad.saleh",
    "10.0.0.1",
    "15728640",
    "Ethernet",
    "2026-11-05 08:00:00",
    "2026-11-20 07:50:00",
    "2026-11-20 07:59:00",
    1_295_940,
    3_000_000_000,
    90_000_000_000,
    "pppoe-main",
    "AA:BB:CC:DD:EE:01",
    "User-Request",
    "Framed-User",
    "PPP",
    "100.64.0.11",
  ],
  [
    "81c00002",
    "u0000000000000000000000000000006",
    "O'Neil",
    "10.0.0.1",
    "15728639",
    "Ethernet",
    "2026-10-28 08:00:00",
    "2026-11-02 07:50:00",
    "2026-11-02 08:00:00",
    432_000,
    500_000_000,
    7_000_000_000,
    "pppoe-main",
    "AA:BB:CC:DD:EE:04",
    "Lost-Carrier",
    "Framed-User",
    "PPP",
    "100.64.0.14",
  ],
  [
    "81b00001",
    "u0000000000000000000000000000007",
    "omar",
    "10.0.0.1",
    "15728630",
    "Ethernet",
    "2026-10-01 08:00:00",
    "2026-10-09 07:50:00",
    "2026-10-09 08:00:00",
    691_200,
    100,
    200,
    "pppoe-main",
    "AA:BB:CC:DD:EE:05",
    "NAS-Reboot",
    "Framed-User",
    "PPP",
    "100.64.0.15",
  ],
  // counters beyond what a number of JavaScript holds exactly
  [
    "81c00003",
    "u0000000000000000000000000000008",
    "سمير",
    "10.0.0.1",
    "15728638",
    "Ethernet",
    "2026-11-03 08:00:00",
    "2026-11-04 07:50:00",
    "2026-11-04 08:00:00",
    86_400,
    "9007199254740993",
    "9223372036854775807",
    "pppoe-main",
    "AA:BB:CC:DD:EE:06",
    "",
    "Framed-User",
    "PPP",
    "100.64.0.16",
  ],
  [
    "80000b18",
    "u0000000000000000000000000000009",
    "locked.device",
    "10.0.0.2",
    "bridge-hs",
    "Wireless-802.11",
    "2026-11-10 07:10:00",
    "2026-11-10 08:50:00",
    "2026-11-10 09:00:00",
    6_600,
    7_000_000,
    80_000_000,
    "hotspot1",
    "00:1A:2B:3C:4D:5E",
    "Session-Timeout",
    "Login-User",
    "",
    "10.5.50.21",
  ],
);

export const freeradius: readonly SourceTable[] = [
  { name: "radcheck", columns: pairs("username", "=="), rows: attributes(checks, "username") },
  { name: "radreply", columns: pairs("username", "="), rows: attributes(replies, "username") },
  { name: "radgroupcheck", columns: pairs("groupname", "=="), rows: attributes(groupChecks, "groupname") },
  { name: "radgroupreply", columns: pairs("groupname", "="), rows: attributes(groupReplies, "groupname") },
  {
    name: "radusergroup",
    columns: `
      id int(11) unsigned NOT NULL AUTO_INCREMENT
      username varchar(64) NOT NULL DEFAULT ''
      groupname varchar(64) NOT NULL DEFAULT ''
      priority int(11) NOT NULL DEFAULT 1`,
    rows: groups.map(([username, groupname, priority], i) => ({ id: i + 1, username, groupname, priority })),
  },
  {
    name: "radacct",
    columns: `
      radacctid bigint(21) NOT NULL AUTO_INCREMENT
      acctsessionid varchar(64) NOT NULL DEFAULT ''
      acctuniqueid varchar(32) NOT NULL DEFAULT ''
      username varchar(64) NOT NULL DEFAULT ''
      realm varchar(64) DEFAULT ''
      nasipaddress varchar(15) NOT NULL DEFAULT ''
      nasportid varchar(32) DEFAULT NULL
      nasporttype varchar(32) DEFAULT NULL
      acctstarttime datetime DEFAULT NULL
      acctupdatetime datetime DEFAULT NULL
      acctstoptime datetime DEFAULT NULL
      acctinterval int(12) DEFAULT NULL
      acctsessiontime int(12) unsigned DEFAULT NULL
      acctauthentic varchar(32) DEFAULT NULL
      connectinfo_start varchar(128) DEFAULT NULL
      connectinfo_stop varchar(128) DEFAULT NULL
      acctinputoctets bigint(20) DEFAULT NULL
      acctoutputoctets bigint(20) DEFAULT NULL
      calledstationid varchar(50) NOT NULL DEFAULT ''
      callingstationid varchar(50) NOT NULL DEFAULT ''
      acctterminatecause varchar(32) NOT NULL DEFAULT ''
      servicetype varchar(32) DEFAULT NULL
      framedprotocol varchar(32) DEFAULT NULL
      framedipaddress varchar(15) NOT NULL DEFAULT ''
      framedipv6address varchar(45) NOT NULL DEFAULT ''
      framedipv6prefix varchar(45) NOT NULL DEFAULT ''
      framedinterfaceid varchar(44) NOT NULL DEFAULT ''
      delegatedipv6prefix varchar(45) NOT NULL DEFAULT ''
      class varchar(64) DEFAULT NULL`,
    rows: sessions.map((row, i) => Object.assign({ radacctid: i + 1 }, row)),
  },
  {
    name: "nas",
    columns: `
      id int(10) NOT NULL AUTO_INCREMENT
      nasname varchar(128) NOT NULL
      shortname varchar(32) DEFAULT NULL
      type varchar(30) DEFAULT 'other'
      ports int(5) DEFAULT NULL
      secret varchar(60) NOT NULL DEFAULT 'secret'
      server varchar(64) DEFAULT NULL
      community varchar(50) DEFAULT NULL
      description varchar(200) DEFAULT 'RADIUS Client'`,
    rows: rowsOf(
      "id nasname shortname type ports secret description",
      [1, "10.0.0.1", "main", "other", 1812, "it's a \\ secret", "Main router"],
      [2, "10.0.0.2", "hotspot", "mikrotik", null, "hotspot-secret", "Café «Zentral» — مقهى"],
      [3, "10.20.0.0/16", "towers", "other", null, "towers-secret", null],
      [4, "router.example.net", "by-name", "other", null, "secret", "a name, no address"],
    ),
  },
  {
    name: "radpostauth",
    columns: `
      id int(11) NOT NULL AUTO_INCREMENT
      username varchar(64) NOT NULL DEFAULT ''
      pass varchar(64) NOT NULL DEFAULT ''
      reply varchar(32) NOT NULL DEFAULT ''
      authdate timestamp(6) NOT NULL DEFAULT current_timestamp(6)
      class varchar(64) DEFAULT NULL`,
    rows: rowsOf(
      "id username pass reply authdate class",
      [1, "ahmad.saleh", "ahmad-2024", "Access-Accept", "2026-11-20 08:00:00.123456", null],
      [2, "o'neil", 'wrong "one"', "Access-Reject", "2026-11-20 09:00:00.000000", null],
    ),
  },
];

/** Rows that fit into Latin-1, for a server whose charset nobody set. */
export const latin1: readonly SourceTable[] = [
  {
    name: "radcheck",
    columns: pairs("username", "=="),
    rows: attributes(
      [
        ["josé", "Cleartext-Password", ":=", "contraseña"],
        ["müller", "Cleartext-Password", ":=", "Straße «5» – 10 €"],
        ["plain", "Cleartext-Password", ":=", "ascii"],
      ],
      "username",
    ),
  },
];

/** Blobs, bits, and names that programs interpret. */
export const besides: readonly SourceTable[] = [
  {
    name: "photos",
    columns: `
      id int(11) NOT NULL AUTO_INCREMENT
      username varchar(64) NOT NULL
      photo mediumblob DEFAULT NULL
      flags bit(8) DEFAULT NULL`,
    rows: [
      { id: 1, username: "ahmad.saleh", photo: Uint8Array.from({ length: 256 }, (_, byte) => byte) },
      { id: 2, username: "O'Neil", photo: new Uint8Array(0) },
      { id: 3, username: "omar", photo: null },
    ],
  },
  {
    name: "constructor",
    columns: `
      id int(11) NOT NULL AUTO_INCREMENT
      __proto__ varchar(64) DEFAULT NULL
      tostring varchar(64) DEFAULT NULL`,
    rows: [
      Object.fromEntries([
        ["id", 1],
        ["__proto__", "polluted"],
        ["tostring", "nothing"],
      ]),
    ],
  },
];

/** A trigger, a function and a view, whose bodies have semicolons and INSERTs. */
export const mariadbBesides = `
CREATE TABLE log (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, line varchar(200));
DELIMITER //
CREATE TRIGGER radcheck_log AFTER UPDATE ON radcheck FOR EACH ROW
BEGIN
  IF NEW.value <> OLD.value THEN
    INSERT INTO log (line) VALUES (concat('it''s ', NEW.username, ";"));
  END IF;
END//
CREATE FUNCTION megabytes(bytes bigint) RETURNS int DETERMINISTIC
BEGIN
  -- INSERT INTO radcheck VALUES (1, 'no', 'row', '==', '');
  RETURN CASE WHEN bytes IS NULL THEN 0 ELSE bytes / 1048576 END;
END//
DELIMITER ;
CREATE VIEW online AS SELECT username, framedipaddress FROM radacct WHERE acctstoptime IS NULL;
`;

export const postgresBesides = `
CREATE TABLE log (id serial PRIMARY KEY, line text);
CREATE FUNCTION radcheck_log() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  IF NEW.value <> OLD.value THEN
    INSERT INTO radcheck (username) VALUES ('it''s ' || NEW.username || $$;$$);
  END IF;
  RETURN NEW;
END;
$body$;
CREATE FUNCTION put_in() RETURNS void LANGUAGE sql BEGIN ATOMIC
  INSERT INTO log (line) VALUES ('a;b');
  DELETE FROM log WHERE line = CASE WHEN true THEN 'x' END;
END;
CREATE TRIGGER radcheck_log AFTER UPDATE ON radcheck FOR EACH ROW EXECUTE FUNCTION radcheck_log();
CREATE VIEW online AS SELECT username, framedipaddress FROM radacct WHERE acctstoptime IS NULL;
COMMENT ON TABLE radcheck IS 'it''s "the" table; of \\ checks';
`;
