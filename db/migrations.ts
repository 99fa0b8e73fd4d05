import initial from "./migrations/0000_initial.sql" with { type: "text" };
import loginStamps from "./migrations/0001_login_stamps.sql" with { type: "text" };
import openInvoices from "./migrations/0002_open_invoices.sql" with { type: "text" };
import ledgerKinds from "./migrations/0003_ledger_kinds.sql" with { type: "text" };
import sessionsByPort from "./migrations/0004_sessions_by_port.sql" with { type: "text" };
import nasSources from "./migrations/0005_nas_sources.sql" with { type: "text" };
import sharedContacts from "./migrations/0006_shared_contacts.sql" with { type: "text" };
import sessionGrants from "./migrations/0007_session_grants.sql" with { type: "text" };
import office from "./migrations/0008_office.sql" with { type: "text" };
import consoleTables from "./migrations/0009_console.sql" with { type: "text" };
import movingIn from "./migrations/0010_moving_in.sql" with { type: "text" };
import cardTables from "./migrations/0011_cards.sql" with { type: "text" };
import messageTables from "./migrations/0012_messages.sql" with { type: "text" };
import accessBoxTables from "./migrations/0013_access_boxes.sql" with { type: "text" };
import routerSetup from "./migrations/0014_router_setup.sql" with { type: "text" };
import routerKinds from "./migrations/0015_router_kinds.sql" with { type: "text" };
import fairUse from "./migrations/0016_fair_use.sql" with { type: "text" };
import lineAddresses from "./migrations/0017_line_addresses.sql" with { type: "text" };
import radsecTables from "./migrations/0018_radsec.sql" with { type: "text" };
import sessionsByHolder from "./migrations/0019_sessions_by_holder.sql" with { type: "text" };
import booksKey from "./migrations/0020_books_key.sql" with { type: "text" };
import hostileBoxesSql from "./migrations/0021_hostile_boxes.sql" with { type: "text" };
import taxAndRolesSql from "./migrations/0022_tax_and_roles.sql" with { type: "text" };
import gardenToldSql from "./migrations/0023_garden_told.sql" with { type: "text" };
import sessionsByStartSql from "./migrations/0024_sessions_by_start.sql" with { type: "text" };
import sessionsByBoardSql from "./migrations/0025_sessions_by_board.sql" with { type: "text" };
import routerFindingsSql from "./migrations/0026_router_findings.sql" with { type: "text" };
import routerConfigsSql from "./migrations/0027_router_configs.sql" with { type: "text" };
import feedsSql from "./migrations/0028_feeds.sql" with { type: "text" };
import gardenProfilesSql from "./migrations/0029_garden_profiles.sql" with { type: "text" };
import setupChoicesSql from "./migrations/0030_setup_choices.sql" with { type: "text" };
import shaperSql from "./migrations/0031_shaper.sql" with { type: "text" };
import dualStackSql from "./migrations/0032_dual_stack.sql" with { type: "text" };
import feedDisabledSql from "./migrations/0033_feed_disabled.sql" with { type: "text" };
import apiKeysSql from "./migrations/0034_api_keys.sql" with { type: "text" };
import pushDevicesSql from "./migrations/0035_push_devices.sql" with { type: "text" };
import recordChangesSql from "./migrations/0036_record_changes.sql" with { type: "text" };
import openRefusedSql from "./migrations/0037_open_refused.sql" with { type: "text" };
import proposalsSql from "./migrations/0038_proposals.sql" with { type: "text" };
import sessionsByRouterSql from "./migrations/0039_sessions_by_router.sql" with { type: "text" };
import owedByIndexSql from "./migrations/0040_owed_by_index.sql" with { type: "text" };
import openByDeviceSql from "./migrations/0041_open_by_device.sql" with { type: "text" };

export interface Migration {
  readonly tag: string;
  readonly sql: string;
}

export const migrations: readonly Migration[] = [
  { tag: "0000_initial", sql: initial },
  { tag: "0001_login_stamps", sql: loginStamps },
  { tag: "0002_open_invoices", sql: openInvoices },
  { tag: "0003_ledger_kinds", sql: ledgerKinds },
  { tag: "0004_sessions_by_port", sql: sessionsByPort },
  { tag: "0005_nas_sources", sql: nasSources },
  { tag: "0006_shared_contacts", sql: sharedContacts },
  { tag: "0007_session_grants", sql: sessionGrants },
  { tag: "0008_office", sql: office },
  { tag: "0009_console", sql: consoleTables },
  { tag: "0010_moving_in", sql: movingIn },
  { tag: "0011_cards", sql: cardTables },
  { tag: "0012_messages", sql: messageTables },
  { tag: "0013_access_boxes", sql: accessBoxTables },
  { tag: "0014_router_setup", sql: routerSetup },
  { tag: "0015_router_kinds", sql: routerKinds },
  { tag: "0016_fair_use", sql: fairUse },
  { tag: "0017_line_addresses", sql: lineAddresses },
  { tag: "0018_radsec", sql: radsecTables },
  { tag: "0019_sessions_by_holder", sql: sessionsByHolder },
  { tag: "0020_books_key", sql: booksKey },
  { tag: "0021_hostile_boxes", sql: hostileBoxesSql },
  { tag: "0022_tax_and_roles", sql: taxAndRolesSql },
  { tag: "0023_garden_told", sql: gardenToldSql },
  { tag: "0024_sessions_by_start", sql: sessionsByStartSql },
  { tag: "0025_sessions_by_board", sql: sessionsByBoardSql },
  { tag: "0026_router_findings", sql: routerFindingsSql },
  { tag: "0027_router_configs", sql: routerConfigsSql },
  { tag: "0028_feeds", sql: feedsSql },
  { tag: "0029_garden_profiles", sql: gardenProfilesSql },
  { tag: "0030_setup_choices", sql: setupChoicesSql },
  { tag: "0031_shaper", sql: shaperSql },
  { tag: "0032_dual_stack", sql: dualStackSql },
  { tag: "0033_feed_disabled", sql: feedDisabledSql },
  { tag: "0034_api_keys", sql: apiKeysSql },
  { tag: "0035_push_devices", sql: pushDevicesSql },
  { tag: "0036_record_changes", sql: recordChangesSql },
  { tag: "0037_open_refused", sql: openRefusedSql },
  { tag: "0038_proposals", sql: proposalsSql },
  { tag: "0039_sessions_by_router", sql: sessionsByRouterSql },
  { tag: "0040_owed_by_index", sql: owedByIndexSql },
  { tag: "0041_open_by_device", sql: openByDeviceSql },
];
