import type { SettingKey } from "../../core/settings/settings.ts";
import type { AboutRouter } from "../../service/router-watch/found.ts";
import type { Seconds } from "../../core/time/time.ts";

type None = Readonly<Record<never, never>>;

interface One {
  readonly id: number;
  readonly name: string;
}

/** Every kind of finding with the values of its sentence. */
export interface FindingValues {
  readonly books_damaged: { readonly wrong: number };
  readonly books_held: None;
  readonly key_wrong: None;
  readonly key_damaged: { readonly secrets: number };
  readonly clock_behind: { readonly at: Seconds };
  readonly setting_unknown: None;
  readonly setting_invalid: { readonly key: SettingKey };
  readonly files_open: None;
  readonly server_stopped: None;
  readonly port_taken: None;

  readonly backups_off: None;
  readonly backups_failing: None;
  readonly backups_none: None;
  readonly backups_late: { readonly at: Seconds };
  readonly backups_same_disk: None;
  readonly backup_key: None;
  readonly backup_proof_failed: None;
  readonly backup_proof_old: { readonly at: Seconds | null };
  readonly nats_copies_failing: None;
  readonly nats_copies_none: None;
  readonly nats_copies_late: { readonly at: Seconds };
  readonly disk_full: { readonly free: number };
  readonly disk_low: { readonly free: number };

  readonly own_words: { readonly count: number; readonly file: string };
  readonly radius_shut: None;
  readonly radius_dropped: { readonly datagrams: number; readonly size: number; readonly at: Seconds };
  readonly radius_late: { readonly logins: number; readonly at: Seconds };
  readonly radsec_off: None;
  readonly radsec_shut: None;
  readonly certificate_ended: { readonly at: Seconds };
  readonly certificate_ends: { readonly days: number };
  readonly certificate_unusable: None;
  readonly public_shut: None;
  readonly lan_stand_in: None;
  readonly scrape_refused: { readonly source: string; readonly at: Seconds };

  readonly routers_none: None;
  readonly router_rate: One & { readonly sessions: number };
  readonly router_api_unpinned: One;
  readonly router_api_plain: One;
  readonly router_kind: One;
  readonly router_unkept: One & { readonly at: Seconds | null };
  readonly router_busy: One & { readonly percent: number };
  readonly router_no_lists: One & { readonly pack: string };
  readonly router_garden: One;
  readonly router_connections: One;
  readonly router_forgeable: One;
  readonly router_network: One;
  readonly router_radsec: One;
  readonly router_dropped: One & { readonly address: string };
  readonly router_dropped_more: One & { readonly addresses: number };
  readonly router_drifted: One & { readonly found: number; readonly one: AboutRouter };
  readonly router_strangers: One & { readonly sessions: number };

  readonly subscriber_crowded: One & { readonly open: number };
  readonly subscribers_share: { readonly value: string; readonly usernames: string };
  readonly subscribers_share_more: { readonly count: number };
  readonly address_twice: { readonly address: string; readonly usernames: string };
  readonly pool_filling: { readonly name: string; readonly used: number; readonly size: number };
  readonly packages_below_cost: { readonly names: string };
  readonly staff_names: { readonly names: string };
  readonly portal_unknown: { readonly name: string };
  readonly first_password: { readonly username: string };

  readonly card_wallet: { readonly name: string };
  readonly cards_guessed_behind: One & { readonly codes: number; readonly at: Seconds };
  readonly cards_guessed: { readonly who: string; readonly at: Seconds };
  readonly payments_arrived: { readonly isp: string; readonly count: number; readonly at: Seconds };
  readonly channel_off: { readonly name: string; readonly waiting: number };
  readonly channel_down: { readonly name: string; readonly at: Seconds; readonly waiting: number };
  readonly webhook_off: One & { readonly at: Seconds };
  readonly webhook_failing: One & { readonly at: Seconds };
  readonly feed_behind: One & { readonly at: Seconds; readonly waiting: number };

  readonly boxes_untold: { readonly at: Seconds | null };
  readonly boxes_nats_away: { readonly at: Seconds };
  readonly boxes_behind: { readonly waiting: number; readonly at: Seconds };
  readonly boxes_rebuilt: { readonly at: Seconds };
  readonly boxes_spoilt: { readonly at: Seconds };
  readonly boxes_other_books: { readonly who: string | null };
  readonly boxes_old: { readonly names: string };
  readonly boxes_open: { readonly names: string };
  readonly boxes_direct: { readonly names: string };
  readonly box_removed: { readonly name: string; readonly at: Seconds };
  readonly box_strange: One & { readonly rows: number; readonly at: Seconds };
  readonly box_new: One;
  readonly box_cut_off: One & { readonly at: Seconds };
  readonly box_clock: One & { readonly seconds: number };
  readonly box_late: One;
  readonly box_version: One;
  readonly box_disk: One & { readonly free: number };
  /** Seen from the access box itself. */
  readonly own_box: None;
}
export type FindingKind = keyof FindingValues;
