import type { About } from "../../../../domain/machine/check/finding.ts";
import type { FindingKind, FindingValues } from "../../../../domain/machine/check/kinds.ts";
import type { FaultWords } from "../../../words/console/en/faults.ts";
import type { ConsoleView } from "../../view.ts";
import { ACCESS_BOXES, boxHref } from "../access-boxes/shown.ts";
import { ARRIVED } from "../arrived/shown.ts";
import { BACKUPS } from "../backups/work.tsx";
import { PATH as LOGINS } from "../logins/asked.ts";
import { ME } from "../me/routes.tsx";
import { messagePages } from "../messages/head.tsx";
import { PATH as ONLINE } from "../online/asked.ts";
import { POOLS } from "../pools/shown.ts";
import { hrefOf as routerHref, PATH as ROUTERS } from "../routers/state.ts";
import { SETTINGS } from "../settings/list.tsx";
import { LIST as SUBSCRIBERS } from "../subscribers/query.ts";
import { STAFF } from "../team/staff-list.tsx";
import { hookHref } from "../webhooks/shown.ts";
import { personHref } from "./phrases.ts";

type Remedies = { readonly [K in FindingKind]: (values: FindingValues[K]) => string };
interface Numbered {
  readonly id: number;
}

/** Says it in full, with the commands for what only a shell mends. */
const appliance = () => "/console/settings/appliance#findings";
const backups = () => BACKUPS;
const router = ({ id }: Numbered) => routerHref(id);
const editRouter = ({ id }: Numbered) => routerHref(id, "/edit");
const packages = () => "/console/packages";
const found = (text: string) => `/console/search?q=${encodeURIComponent(text)}`;

/** Where each fault is mended. */
export const remedies: Remedies = {
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
  radius_shut: appliance,
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
  router_no_lists: packages,
  router_garden: ({ id }) => routerHref(id, "/hotspot"),
  router_forgeable: editRouter,
  router_network: router,
  router_radsec: ({ id }) => routerHref(id, "/radsec"),
  router_dropped: router,
  router_dropped_more: router,
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
  box_strange: boxHref,
  box_new: boxHref,
  box_cut_off: boxHref,
  box_clock: boxHref,
  box_late: boxHref,
  box_version: boxHref,
  box_disk: boxHref,
  own_box: appliance,
};

/** A fault in the console's own words, and where it is mended. */
export function faultShown<K extends FindingKind>(
  { kind, values }: About<K>,
  { words, format, now }: ConsoleView,
): FaultWords & { readonly href: string } {
  const say = {
    count: (count: number) => format.number(count),
    at: (at: number) => format.near(at, now),
    bytes: (octets: number) => format.bytes(octets),
  };
  return { ...words.faults[kind](values, say), href: remedies[kind](values) };
}
