import type { About } from "../../../domain/machine/check/finding.ts";
import type { FindingKind, FindingValues } from "../../../domain/machine/check/kinds.ts";
import type { FaultWords } from "../../words/console/faults.ts";
import type { ConsoleView } from "../view.ts";
import {
  ACCESS_BOXES,
  accessBoxHref,
  ARRIVED,
  routerHref,
  ROUTERS,
  SUBSCRIBERS,
  personHref,
  BACKUPS,
  LANGUAGES,
  LOGINS,
  ONLINE,
  ME,
  POOLS,
  SETTINGS,
  STAFF,
  hookHref,
  shaperHref,
} from "./hrefs.ts";
import { messagePages } from "./messages-frame.tsx";
import { settingsPages } from "./settings-pages.ts";

type Fixes = { readonly [K in FindingKind]: (values: FindingValues[K]) => string };
interface Numbered {
  readonly id: number;
}

/** Has the shell commands for what no page can fix. */
const appliance = () => `${settingsPages.appliance.href}#findings`;
const backups = () => BACKUPS;
const router = ({ id }: Numbered) => routerHref(id);
const editRouter = ({ id }: Numbered) => routerHref(id, "/edit");
const packages = () => "/console/packages";
const found = (text: string) => `/console/search?q=${encodeURIComponent(text)}`;

/** The page that fixes each fault. */
export const remedies: Fixes = {
  books_damaged: backups,
  books_held: appliance,
  key_wrong: backups,
  key_damaged: appliance,
  clock_behind: appliance,
  setting_unknown: appliance,
  setting_invalid: () => SETTINGS,
  files_open: appliance,
  server_stopped: appliance,
  port_taken: appliance,
  backups_off: backups,
  backups_failing: backups,
  backups_none: backups,
  backups_late: backups,
  backups_same_disk: backups,
  backup_key: () => `${BACKUPS}#passphrase`,
  backup_proof_failed: backups,
  backup_proof_old: backups,
  nats_copies_failing: appliance,
  nats_copies_none: backups,
  nats_copies_late: appliance,
  disk_full: appliance,
  disk_low: appliance,
  own_words: () => LANGUAGES,
  radius_shut: appliance,
  radius_dropped: appliance,
  radius_late: appliance,
  radsec_off: appliance,
  radsec_shut: appliance,
  certificate_ended: appliance,
  certificate_ends: appliance,
  certificate_unusable: appliance,
  public_shut: appliance,
  lan_stand_in: appliance,
  scrape_refused: appliance,
  routers_none: () => `${ROUTERS}/new`,
  router_rate: router,
  router_api_unpinned: editRouter,
  router_api_plain: editRouter,
  router_kind: editRouter,
  router_unkept: ({ id }) => routerHref(id, "/config"),
  router_busy: editRouter,
  router_no_lists: packages,
  router_garden: ({ id }) => routerHref(id, "/api-setup"),
  router_connections: ({ id }) => routerHref(id, "/api-setup"),
  router_forgeable: editRouter,
  router_network: router,
  router_radsec: ({ id }) => routerHref(id, "/radsec"),
  router_dropped: router,
  router_dropped_more: router,
  router_drifted: ({ id }) => `${routerHref(id)}#findings`,
  router_strangers: ({ id }) => `${ONLINE}?router=${id}`,
  subscriber_crowded: ({ id }) => `${personHref(id)}/sessions`,
  subscribers_share: ({ value }) => found(value),
  subscribers_share_more: () => SUBSCRIBERS,
  address_twice: ({ address }) => found(address),
  pool_filling: () => POOLS,
  packages_below_cost: packages,
  staff_names: () => STAFF,
  portal_unknown: () => SETTINGS,
  first_password: () => ME,
  card_wallet: () => "/console/money/wallets",
  cards_guessed_behind: ({ id }) => `${LOGINS}?router=${id}&reason=unknown_user`,
  cards_guessed: () => "/console/trail",
  payments_arrived: () => ARRIVED,
  channel_off: () => messagePages.channels,
  channel_down: () => messagePages.outbox,
  webhook_off: hookHref,
  webhook_failing: hookHref,
  feed_behind: shaperHref,
  boxes_untold: appliance,
  boxes_nats_away: appliance,
  boxes_behind: appliance,
  boxes_rebuilt: appliance,
  boxes_spoilt: () => ACCESS_BOXES,
  boxes_other_books: appliance,
  boxes_old: () => ACCESS_BOXES,
  boxes_open: appliance,
  boxes_direct: () => ROUTERS,
  box_removed: appliance,
  box_strange: accessBoxHref,
  box_new: accessBoxHref,
  box_cut_off: accessBoxHref,
  box_clock: accessBoxHref,
  box_late: accessBoxHref,
  box_version: accessBoxHref,
  box_disk: accessBoxHref,
  own_box: appliance,
};

/** A fault in the console's words, with the page that fixes it. */
export function faultView<K extends FindingKind>(
  { kind, values }: About<K>,
  { words, format, now }: ConsoleView,
): FaultWords & { readonly href: string } {
  const phrases = {
    count: (count: number) => format.number(count),
    at: (at: number) => format.near(at, now),
    bytes: (octets: number) => format.bytes(octets),
  };
  return { ...words.faults[kind](values, phrases), href: remedies[kind](values) };
}
