import { rowsOf } from "./table.ts";
import type { SourceTable } from "./table.ts";

export const phpnuxbill: readonly SourceTable[] = [
  {
    name: "tbl_customers",
    columns: `
      id int NOT NULL AUTO_INCREMENT
      username varchar(45) NOT NULL
      password varchar(45) NOT NULL
      photo varchar(128) NOT NULL DEFAULT '/user.default.jpg'
      pppoe_username varchar(32) NOT NULL DEFAULT ''
      pppoe_password varchar(45) NOT NULL DEFAULT '' COMMENT 'of the line'
      pppoe_ip varchar(32) NOT NULL DEFAULT ''
      fullname varchar(45) NOT NULL
      address mediumtext
      city varchar(255) DEFAULT NULL
      district varchar(255) DEFAULT NULL
      state varchar(255) DEFAULT NULL
      zip varchar(10) DEFAULT NULL
      phonenumber varchar(20) DEFAULT '0'
      email varchar(128) NOT NULL DEFAULT '1'
      coordinates varchar(50) NOT NULL DEFAULT ''
      account_type enum('Business','Personal') DEFAULT 'Personal'
      balance decimal(15,2) NOT NULL DEFAULT 0.00
      service_type enum('Hotspot','PPPoE','Others') DEFAULT 'Others'
      auto_renewal tinyint(1) NOT NULL DEFAULT 1
      status enum('Active','Banned','Disabled','Inactive','Limited','Suspended') NOT NULL DEFAULT 'Active'
      created_by int NOT NULL DEFAULT 0
      created_at timestamp NOT NULL DEFAULT current_timestamp()
      last_login datetime DEFAULT NULL`,
    rows: rowsOf(
      "id username password pppoe_username pppoe_password pppoe_ip fullname address city phonenumber email coordinates account_type balance service_type auto_renewal status created_at last_login",
      [
        1,
        "081234567890",
        "portal-1",
        "budi",
        "pppoe'budi\\1",
        "10.10.0.5",
        "Budi Santoso",
        "Jl. Merdeka 1\nRT 02",
        "Bandung",
        "081234567890",
        "budi@example.net",
        "-6.914744,107.609810",
        "Personal",
        "50000.00",
        "PPPoE",
        1,
        "Active",
        "2024-01-05 03:00:00",
        "2026-11-20 10:00:00",
      ],
      [
        2,
        "siti",
        "siti-2",
        "",
        "",
        "",
        "Siti Rahma",
        "",
        null,
        "0",
        "1",
        "",
        "Personal",
        "0.00",
        "Hotspot",
        1,
        "Active",
        "2024-02-01 03:00:00",
        null,
      ],
      [
        3,
        "owes",
        "owes-3",
        "",
        "owes-pppoe",
        "",
        'Toko "Maju" & Co',
        null,
        "",
        "0812",
        "toko@example.net",
        "",
        "Business",
        "-12500.50",
        "PPPoE",
        0,
        "Active",
        "2024-03-01 03:00:00",
        null,
      ],
      [
        4,
        "banned",
        "banned-4",
        "",
        "",
        "",
        "Banned One",
        "",
        "",
        "-",
        "a@b",
        "",
        "Personal",
        "0.00",
        "Hotspot",
        1,
        "Banned",
        "2024-03-02 03:00:00",
        null,
      ],
      [
        5,
        "disabled",
        "disabled-5",
        "disabled",
        "disabled-5",
        "",
        "Disabled One",
        "",
        "",
        "null",
        "",
        "",
        "Personal",
        "0.00",
        "PPPoE",
        1,
        "Disabled",
        "2024-03-03 03:00:00",
        null,
      ],
      [
        6,
        "suspended",
        "suspended-6",
        "",
        "",
        "",
        "Suspended One",
        "",
        "",
        "",
        "",
        "",
        "Personal",
        "0.00",
        "Others",
        1,
        "Suspended",
        "2024-03-04 03:00:00",
        null,
      ],
      [
        7,
        "no.recharge",
        "no-7",
        "",
        "",
        "",
        "Never Bought",
        "",
        "",
        "0811111111",
        "",
        "",
        "Personal",
        "99.00",
        "Others",
        1,
        "Active",
        "2024-03-05 03:00:00",
        null,
      ],
      [
        8,
        "أحمد",
        "كلمة",
        "",
        "",
        "",
        "أحمد علي 🌙",
        "شارع ١",
        "",
        "0811111111",
        "",
        "999,999",
        "Personal",
        "0.00",
        "Hotspot",
        1,
        "Active",
        "2024-03-06 03:00:00",
        null,
      ],
      [
        9,
        "Siti",
        "siti-9",
        "",
        "",
        "",
        "Siti, the other",
        "",
        "",
        "N/A",
        "SITI@EXAMPLE.NET",
        "",
        "Personal",
        "0.00",
        "Hotspot",
        1,
        "Active",
        "2024-03-07 03:00:00",
        null,
      ],
      [
        10,
        "two.plans",
        "two-10",
        "",
        "",
        "",
        "Two Plans",
        "",
        "",
        "0812222222",
        "two@example.net",
        "",
        "Personal",
        "1.00",
        "Others",
        1,
        "Active",
        "2024-03-08 03:00:00",
        null,
      ],
      [
        11,
        "expired",
        "expired-11",
        "",
        "",
        "",
        "Long Ago",
        "",
        "",
        "0813333333",
        "",
        "",
        "Personal",
        "0.00",
        "PPPoE",
        0,
        "Active",
        "2023-03-08 03:00:00",
        null,
      ],
    ),
  },
  {
    name: "tbl_bandwidth",
    columns: `
      id int unsigned NOT NULL AUTO_INCREMENT
      name_bw varchar(255) NOT NULL
      rate_down int unsigned NOT NULL
      rate_down_unit enum('Kbps','Mbps') NOT NULL
      rate_up int unsigned NOT NULL
      rate_up_unit enum('Kbps','Mbps') NOT NULL
      burst varchar(128) NOT NULL DEFAULT ''`,
    rows: rowsOf(
      "id name_bw rate_down rate_down_unit rate_up rate_up_unit burst",
      [1, "10 Mbps", 10, "Mbps", 2048, "Kbps", ""],
      [2, "20M burst", 20, "Mbps", 5, "Mbps", "10M/40M 4M/16M 10/10 8 1M/2M"],
      [3, "no limit", 0, "Mbps", 0, "Mbps", ""],
    ),
  },
  {
    name: "tbl_plans",
    columns: `
      id int NOT NULL AUTO_INCREMENT
      name_plan varchar(40) NOT NULL
      id_bw int NOT NULL
      price varchar(40) NOT NULL
      price_old varchar(40) NOT NULL DEFAULT ''
      type enum('Hotspot','PPPOE','Balance') NOT NULL
      typebp enum('Unlimited','Limited') DEFAULT NULL
      limit_type enum('Time_Limit','Data_Limit','Both_Limit') DEFAULT NULL
      time_limit int unsigned DEFAULT NULL
      time_unit enum('Mins','Hrs') DEFAULT NULL
      data_limit int unsigned DEFAULT NULL
      data_unit enum('MB','GB') DEFAULT NULL
      validity int NOT NULL
      validity_unit enum('Mins','Hrs','Days','Months','Period') NOT NULL
      shared_users int DEFAULT NULL
      routers varchar(32) NOT NULL
      is_radius tinyint(1) NOT NULL DEFAULT 0
      pool varchar(40) DEFAULT NULL
      plan_expired int NOT NULL DEFAULT 0
      expired_date tinyint(1) NOT NULL DEFAULT 20
      enabled tinyint(1) NOT NULL DEFAULT 1 COMMENT '0 is sold no more\\r\\n'
      prepaid enum('yes','no') DEFAULT 'yes'
      plan_type enum('Business','Personal') DEFAULT 'Personal'
      device varchar(32) NOT NULL DEFAULT ''
      on_login text DEFAULT NULL
      on_logout text DEFAULT NULL`,
    rows: rowsOf(
      "id name_plan id_bw price type typebp limit_type time_limit time_unit data_limit data_unit validity validity_unit shared_users routers is_radius pool plan_expired expired_date enabled prepaid device on_login",
      [
        1,
        "Home 10M",
        1,
        "150000",
        "PPPOE",
        "Unlimited",
        null,
        null,
        null,
        null,
        null,
        30,
        "Days",
        1,
        "main",
        0,
        "pool-pppoe",
        6,
        20,
        1,
        "yes",
        "MikrotikPppoe",
        ':log info "it\'s on"; /queue print\n# second line',
      ],
      [
        2,
        "Home 20M monthly",
        2,
        "250000.50",
        "PPPOE",
        "Unlimited",
        null,
        null,
        null,
        null,
        null,
        1,
        "Months",
        1,
        "main",
        1,
        "pool-pppoe",
        0,
        20,
        1,
        "yes",
        "Radius",
        null,
      ],
      [
        3,
        "Hotspot 1 hour",
        1,
        "2000",
        "Hotspot",
        "Limited",
        "Time_Limit",
        60,
        "Mins",
        null,
        null,
        1,
        "Days",
        1,
        "hotspot",
        0,
        null,
        0,
        20,
        1,
        "yes",
        "MikrotikHotspot",
        null,
      ],
      [
        4,
        "Hotspot 5 GB",
        1,
        "10000",
        "Hotspot",
        "Limited",
        "Data_Limit",
        null,
        null,
        5,
        "GB",
        7,
        "Days",
        3,
        "hotspot",
        0,
        null,
        0,
        20,
        1,
        "yes",
        "MikrotikHotspot",
        null,
      ],
      [
        5,
        "Office, paid after",
        3,
        "500000",
        "PPPOE",
        "Unlimited",
        null,
        null,
        null,
        null,
        null,
        1,
        "Period",
        1,
        "main",
        0,
        null,
        0,
        20,
        1,
        "no",
        "MikrotikPppoe",
        null,
      ],
      [
        6,
        "Expired pool",
        3,
        "0",
        "PPPOE",
        "Unlimited",
        null,
        null,
        null,
        null,
        null,
        1,
        "Days",
        1,
        "main",
        0,
        "pool-expired",
        0,
        20,
        0,
        "yes",
        "MikrotikPppoe",
        null,
      ],
      [
        7,
        "Balance 50k",
        3,
        "50000",
        "Balance",
        null,
        null,
        null,
        null,
        null,
        null,
        0,
        "Months",
        null,
        "",
        0,
        null,
        0,
        20,
        1,
        "yes",
        "",
        null,
      ],
    ),
  },
  {
    name: "tbl_pool",
    columns: `
      id int NOT NULL AUTO_INCREMENT
      pool_name varchar(40) NOT NULL
      local_ip varchar(40) NOT NULL DEFAULT ''
      range_ip varchar(40) NOT NULL
      routers varchar(40) NOT NULL`,
    rows: rowsOf(
      "id pool_name local_ip range_ip routers",
      [1, "pool-pppoe", "10.10.0.1", "10.10.0.2-10.10.3.254", "main"],
      [2, "pool-expired", "", "10.99.0.2-10.99.3.254", "main"],
    ),
  },
  {
    name: "tbl_routers",
    columns: `
      id int NOT NULL AUTO_INCREMENT
      name varchar(32) NOT NULL
      ip_address varchar(128) NOT NULL
      username varchar(50) NOT NULL
      password varchar(60) NOT NULL
      description varchar(256) DEFAULT NULL
      coordinates varchar(50) NOT NULL DEFAULT ''
      status enum('Online','Offline') DEFAULT 'Online'
      last_seen datetime DEFAULT NULL
      coverage varchar(8) NOT NULL DEFAULT '0'
      enabled tinyint(1) NOT NULL DEFAULT 1`,
    rows: rowsOf(
      "id name ip_address username password description enabled",
      [1, "main", "10.0.0.1", "api", "router'password", "", 1],
      [2, "hotspot", "10.0.0.2:8728", "api", "router-password", null, 1],
      [3, "by name", "router.example.net", "api", "x", "a name", 0],
    ),
  },
  {
    name: "tbl_user_recharges",
    columns: `
      id int NOT NULL AUTO_INCREMENT
      customer_id int NOT NULL
      username varchar(32) NOT NULL
      plan_id int NOT NULL
      namebp varchar(40) NOT NULL
      recharged_on date NOT NULL
      recharged_time time NOT NULL DEFAULT '00:00:00'
      expiration date NOT NULL
      time time NOT NULL
      status varchar(20) NOT NULL
      method varchar(128) NOT NULL DEFAULT ''
      routers varchar(32) NOT NULL
      type varchar(15) NOT NULL
      admin_id int NOT NULL DEFAULT 1`,
    rows: rowsOf(
      "id customer_id username plan_id namebp recharged_on recharged_time expiration time status method routers type",
      [
        1,
        1,
        "081234567890",
        1,
        "Home 10M",
        "2026-11-10",
        "09:30:00",
        "2026-12-10",
        "09:30:00",
        "on",
        "Recharge - Administrator",
        "main",
        "PPPOE",
      ],
      [
        2,
        2,
        "siti",
        4,
        "Hotspot 5 GB",
        "2026-11-20",
        "10:00:00",
        "2026-11-27",
        "10:00:00",
        "on",
        "Voucher - ABCD1234",
        "hotspot",
        "Hotspot",
      ],
      [
        3,
        3,
        "owes",
        5,
        "Office, paid after",
        "2026-11-01",
        "00:00:00",
        "2026-12-20",
        "23:59:00",
        "on",
        "Recharge - Administrator",
        "main",
        "PPPOE",
      ],
      [
        4,
        4,
        "banned",
        3,
        "Hotspot 1 hour",
        "2026-01-01",
        "10:00:00",
        "2026-01-02",
        "10:00:00",
        "off",
        "Voucher - X",
        "hotspot",
        "Hotspot",
      ],
      [
        5,
        8,
        "أحمد",
        3,
        "Hotspot 1 hour",
        "2026-11-22",
        "08:00:00",
        "2026-11-23",
        "08:00:00",
        "on",
        "Voucher - Y",
        "hotspot",
        "Hotspot",
      ],
      [
        6,
        10,
        "two.plans",
        1,
        "Home 10M",
        "2026-10-01",
        "08:00:00",
        "2026-10-31",
        "08:00:00",
        "off",
        "Recharge",
        "main",
        "PPPOE",
      ],
      [
        7,
        10,
        "two.plans",
        4,
        "Hotspot 5 GB",
        "2026-11-21",
        "08:00:00",
        "2026-11-28",
        "08:00:00",
        "on",
        "Recharge",
        "hotspot",
        "Hotspot",
      ],
      [
        8,
        11,
        "expired",
        2,
        "Home 20M monthly",
        "2025-01-01",
        "08:00:00",
        "2025-02-01",
        "08:00:00",
        "off",
        "Recharge",
        "main",
        "PPPOE",
      ],
      [
        9,
        99,
        "who left",
        2,
        "Home 20M monthly",
        "2025-01-01",
        "08:00:00",
        "2025-02-01",
        "08:00:00",
        "off",
        "Recharge",
        "main",
        "PPPOE",
      ],
      [
        10,
        5,
        "disabled",
        1,
        "Home 10M",
        "2026-11-10",
        "09:30:00",
        "2026-12-10",
        "09:30:00",
        "on",
        "Recharge",
        "main",
        "PPPOE",
      ],
      [
        11,
        6,
        "suspended",
        77,
        "A plan that is gone",
        "2026-11-10",
        "09:30:00",
        "2026-12-10",
        "09:30:00",
        "on",
        "Recharge",
        "main",
        "PPPOE",
      ],
    ),
  },
  {
    name: "tbl_transactions",
    columns: `
      id int NOT NULL AUTO_INCREMENT
      invoice varchar(25) NOT NULL
      username varchar(32) NOT NULL
      user_id int NOT NULL DEFAULT 0
      plan_name varchar(40) NOT NULL
      price varchar(40) NOT NULL
      recharged_on date NOT NULL
      recharged_time time NOT NULL DEFAULT '00:00:00'
      expiration date NOT NULL
      time time NOT NULL
      method varchar(128) NOT NULL
      routers varchar(32) NOT NULL
      type enum('Hotspot','PPPOE','Balance') NOT NULL
      note varchar(256) NOT NULL DEFAULT ''
      admin_id int NOT NULL DEFAULT 1`,
    rows: rowsOf(
      "id invoice username user_id plan_name price recharged_on recharged_time expiration time method routers type note",
      [
        1,
        "INV-1",
        "081234567890",
        1,
        "Home 10M",
        "150000",
        "2026-10-10",
        "09:30:00",
        "2026-11-10",
        "09:30:00",
        "Recharge - Administrator",
        "main",
        "PPPOE",
        "",
      ],
      [
        2,
        "INV-2",
        "081234567890",
        1,
        "Home 10M",
        "150000",
        "2026-11-10",
        "09:30:00",
        "2026-12-10",
        "09:30:00",
        "Recharge - Administrator",
        "main",
        "PPPOE",
        'paid "late"; it\'s ok',
      ],
      [
        3,
        "INV-3",
        "081234567890",
        1,
        "Balance 50k",
        "50000",
        "2026-11-11",
        "09:30:00",
        "2026-11-11",
        "09:30:00",
        "Deposit - Administrator",
        "balance",
        "Balance",
        "",
      ],
      [
        4,
        "INV-4",
        "siti",
        2,
        "Hotspot 5 GB",
        "10000",
        "2026-11-20",
        "10:00:00",
        "2026-11-27",
        "10:00:00",
        "Voucher - ABCD1234",
        "hotspot",
        "Hotspot",
        "",
      ],
    ),
  },
  {
    name: "tbl_voucher",
    columns: `
      id int NOT NULL AUTO_INCREMENT
      type enum('Hotspot','PPPOE') NOT NULL
      routers varchar(32) NOT NULL
      id_plan int NOT NULL
      code varchar(55) NOT NULL
      user varchar(45) NOT NULL
      status varchar(25) NOT NULL
      created_at timestamp NOT NULL DEFAULT current_timestamp()
      used_date datetime DEFAULT NULL
      generated_by int NOT NULL DEFAULT 0`,
    rows: rowsOf(
      "id type routers id_plan code user status created_at used_date",
      [1, "Hotspot", "hotspot", 3, "HS-11112222", "0", "0", "2026-11-01 00:00:00", null],
      [2, "Hotspot", "hotspot", 3, "HS-33334444", "0", "0", "2026-11-01 00:00:00", null],
      [3, "Hotspot", "hotspot", 4, "ABCD1234", "siti", "1", "2026-11-01 00:00:00", "2026-11-20 10:00:00"],
      [4, "PPPOE", "main", 77, "OF-A-GONE-PLAN", "0", "0", "2026-11-01 00:00:00", null],
    ),
  },
  {
    name: "tbl_users",
    columns: `
      id int unsigned NOT NULL AUTO_INCREMENT
      root int NOT NULL DEFAULT 0
      photo varchar(128) NOT NULL DEFAULT '/admin.default.png'
      username varchar(45) NOT NULL DEFAULT ''
      fullname varchar(45) NOT NULL DEFAULT ''
      password varchar(64) NOT NULL
      phone varchar(32) NOT NULL DEFAULT ''
      email varchar(128) NOT NULL DEFAULT ''
      user_type enum('SuperAdmin','Admin','Report','Agent','Sales') NOT NULL
      status enum('Active','Inactive') NOT NULL DEFAULT 'Active'
      data text DEFAULT NULL
      last_login datetime DEFAULT NULL
      creationdate datetime NOT NULL`,
    rows: rowsOf(
      "id username fullname password user_type status creationdate",
      [
        1,
        "admin",
        "Administrator",
        "d033e22ae348aeb5660fc2140aec35850c4da997",
        "SuperAdmin",
        "Active",
        "2014-06-23 01:43:07",
      ],
      [
        2,
        "agent1",
        "Agent One",
        "d033e22ae348aeb5660fc2140aec35850c4da997",
        "Agent",
        "Active",
        "2024-06-23 01:43:07",
      ],
    ),
  },
  {
    name: "tbl_appconfig",
    columns: `
      id int NOT NULL AUTO_INCREMENT
      setting mediumtext NOT NULL
      value mediumtext`,
    rows: rowsOf(
      "id setting value",
      [1, "CompanyName", "Example Net"],
      [2, "currency_code", "Rp."],
      [3, "timezone", "Asia/Jakarta"],
    ),
  },
  {
    name: "tbl_customers_fields",
    columns: `
      id int NOT NULL AUTO_INCREMENT
      customer_id int NOT NULL
      field_name varchar(255) NOT NULL
      field_value varchar(255) NOT NULL`,
    rows: rowsOf(
      "id customer_id field_name field_value",
      [1, 1, "Invoice", "by post"],
      [2, 1, "Bill", "175000:3"],
    ),
  },
];
