import type { Messages } from "../compiled/messages.ts";
import type { FindingKind, FindingValues } from "../../../domain/machine/check/kinds.ts";
import type { RouterWatchWords } from "./router-watch.ts";
import type { SettingsInWords } from "./settings.ts";

/** Formats of figures, times and octets. */
export interface Phrases {
  readonly count: (count: number) => string;
  readonly at: (at: number) => string;
  readonly bytes: (octets: number) => string;
}

/** Fault, consequence or advice, and button. */
export interface FaultWords {
  readonly title: string;
  readonly text: string;
  readonly remedy: string;
}

type FaultTable = {
  readonly [K in FindingKind]: (values: FindingValues[K], phrases: Phrases) => FaultWords;
};

/** Of the check. */
export function faultWords(
  m: Messages["faults"],
  { watchWords }: RouterWatchWords,
  settingWords: SettingsInWords,
): FaultTable {
  const { howTo, backup, router, box, boxes } = m;
  const fault = (title: string, text: string, remedy: string): FaultWords => ({ title, text, remedy });

  return {
    books_damaged: ({ wrong }) => fault(m.books_damaged.title(wrong), m.books_damaged.text, backup),
    books_held: () => fault(m.books_held.title, m.books_held.text, howTo),
    key_wrong: () => fault(m.key_wrong.title, m.key_wrong.text, backup),
    key_damaged: ({ secrets }) => fault(m.key_damaged.title(secrets), m.key_damaged.text, howTo),
    clock_behind: ({ at }, phrases) =>
      fault(m.clock_behind.title, m.clock_behind.text(phrases.at(at)), howTo),
    setting_unknown: () => fault(m.setting_unknown.title, m.setting_unknown.text, howTo),
    setting_invalid: ({ key }) =>
      fault(
        m.setting_invalid.title(settingWords[key].name),
        m.setting_invalid.text,
        m.setting_invalid.remedy,
      ),
    files_open: () => fault(m.files_open.title, m.files_open.text, howTo),
    server_stopped: () => fault(m.server_stopped.title, m.server_stopped.text, howTo),
    port_taken: () => fault(m.port_taken.title, m.port_taken.text, howTo),

    backups_off: () => fault(m.backups_off.title, m.backups_off.text, m.backups_off.remedy),
    backups_failing: () => fault(m.backups_failing.title, m.backups_failing.text, backup),
    backups_none: () => fault(m.backups_none.title, m.backups_none.text, m.backups_none.remedy),
    backups_late: ({ at }, phrases) =>
      fault(m.backups_late.title, m.backups_late.text(phrases.at(at)), m.backups_late.remedy),
    backups_same_disk: () =>
      fault(m.backups_same_disk.title, m.backups_same_disk.text, m.backups_same_disk.remedy),
    backup_key: () => fault(m.backup_key.title, m.backup_key.text, m.backup_key.remedy),
    backup_proof_failed: () =>
      fault(m.backup_proof_failed.title, m.backup_proof_failed.text, m.backup_proof_failed.remedy),
    backup_proof_old: ({ at }, phrases) =>
      fault(
        m.backup_proof_old.title,
        at === null ? m.backup_proof_old.text : m.backup_proof_old.text2(phrases.at(at)),
        m.backup_proof_old.remedy,
      ),
    nats_copies_failing: () => fault(m.nats_copies_failing.title, m.nats_copies_failing.text, howTo),
    nats_copies_none: () => fault(m.nats_copies_none.title, m.nats_copies_none.text, backup),
    nats_copies_late: ({ at }, phrases) =>
      fault(m.nats_copies_late.title, m.nats_copies_late.text(phrases.at(at)), howTo),
    disk_full: ({ free }, { bytes }) => fault(m.disk_full.title, m.disk_full.text(bytes(free)), howTo),
    disk_low: ({ free }, { bytes }) => fault(m.disk_low.title, m.disk_low.text(bytes(free)), howTo),

    own_words: ({ count, file }) =>
      fault(m.own_words.title(count), m.own_words.text(file), m.own_words.remedy),
    radius_shut: () => fault(m.radius_shut.title, m.radius_shut.text, howTo),
    radius_dropped: ({ datagrams, size, at }, phrases) =>
      fault(
        m.radius_dropped.title,
        m.radius_dropped.text(datagrams, phrases.at(at), phrases.bytes(size)),
        howTo,
      ),
    radius_late: ({ logins, at }, phrases) =>
      fault(m.radius_late.title, m.radius_late.text(logins, phrases.at(at)), howTo),
    radsec_off: () => fault(m.radsec_off.title, m.radsec_off.text, howTo),
    radsec_shut: () => fault(m.radsec_shut.title, m.radsec_shut.text, howTo),
    certificate_ended: ({ at }, phrases) =>
      fault(m.certificate_ended.title, m.certificate_ended.text(phrases.at(at)), howTo),
    certificate_ends: ({ days }) => fault(m.certificate_ends.title(days), m.certificate_ends.text, howTo),
    certificate_unusable: () => fault(m.certificate_unusable.title, m.certificate_unusable.text, howTo),
    public_shut: () => fault(m.public_shut.title, m.public_shut.text, howTo),
    lan_stand_in: () => fault(m.lan_stand_in.title, m.lan_stand_in.text, howTo),
    scrape_refused: ({ source, at }, phrases) =>
      fault(m.scrape_refused.title(source), m.scrape_refused.text(phrases.at(at)), howTo),

    routers_none: () => fault(m.routers_none.title, m.routers_none.text, m.routers_none.remedy),
    router_rate: ({ name, sessions }) =>
      fault(m.router_rate.title(name), m.router_rate.text(sessions), router),
    router_api_unpinned: ({ name }) =>
      fault(m.router_api_unpinned.title(name), m.router_api_unpinned.text, m.router_api_unpinned.remedy),
    router_api_plain: ({ name }) =>
      fault(m.router_api_plain.title(name), m.router_api_plain.text, m.router_api_plain.remedy),
    router_kind: ({ name }) => fault(m.router_kind.title(name), m.router_kind.text, m.router_kind.remedy),
    router_unkept: ({ name, at }, phrases) =>
      fault(
        m.router_unkept.title(name),
        at === null ? m.router_unkept.text : m.router_unkept.text2(phrases.at(at)),
        m.router_unkept.remedy,
      ),
    router_busy: ({ name, percent }) =>
      fault(m.router_busy.title(name), m.router_busy.text(percent), m.router_busy.remedy),
    router_no_lists: ({ name, pack }) =>
      fault(m.router_no_lists.title(name), m.router_no_lists.text(pack), m.router_no_lists.remedy),
    router_garden: ({ name }) =>
      fault(m.router_garden.title(name), m.router_garden.text, m.router_garden.remedy),
    router_connections: ({ name }) =>
      fault(m.router_connections.title(name), m.router_connections.text, m.router_connections.remedy),
    router_forgeable: ({ name }) =>
      fault(m.router_forgeable.title(name), m.router_forgeable.text, m.router_forgeable.remedy),
    router_network: ({ name }) => fault(m.router_network.title(name), m.router_network.text, router),
    router_radsec: ({ name }) =>
      fault(m.router_radsec.title(name), m.router_radsec.text, m.router_radsec.remedy),
    router_dropped: ({ name, address }) =>
      fault(m.router_dropped.title(name), m.router_dropped.text(address), router),
    router_dropped_more: ({ name, addresses }) =>
      fault(m.router_dropped_more.title(name), m.router_dropped_more.text(addresses), router),
    router_drifted: ({ name, found, one }) =>
      fault(
        `${name}: ${watchWords(one).title}`,
        found === 1 ? watchWords(one).cost : m.router_drifted.text(watchWords(one).cost, found - 1),
        m.router_drifted.remedy,
      ),
    router_strangers: ({ name, sessions }) =>
      fault(m.router_strangers.title(name), m.router_strangers.text(sessions), m.router_strangers.remedy),

    subscriber_crowded: ({ name, open }) =>
      fault(m.subscriber_crowded.title(name, open), m.subscriber_crowded.text, m.subscriber_crowded.remedy),
    subscribers_share: ({ value, usernames }) =>
      fault(
        m.subscribers_share.title(value),
        m.subscribers_share.text(usernames),
        m.subscribers_share.remedy,
      ),
    subscribers_share_more: ({ count: shared }) =>
      fault(
        m.subscribers_share_more.title(shared),
        m.subscribers_share_more.text,
        m.subscribers_share_more.remedy,
      ),
    address_twice: ({ address, usernames }) =>
      fault(m.address_twice.title(address), m.address_twice.text(usernames), m.address_twice.remedy),
    pool_filling: ({ name, used, size }) =>
      fault(m.pool_filling.title(name), m.pool_filling.text(used, size), m.pool_filling.remedy),
    packages_below_cost: ({ names }) =>
      fault(m.packages_below_cost.title, m.packages_below_cost.text(names), m.packages_below_cost.remedy),
    staff_names: ({ names }) => fault(m.staff_names.title, m.staff_names.text(names), m.staff_names.remedy),
    portal_unknown: ({ name }) =>
      fault(m.portal_unknown.title(name), m.portal_unknown.text, m.portal_unknown.remedy),
    first_password: ({ username }) =>
      fault(m.first_password.title, m.first_password.text(username), m.first_password.remedy),

    card_wallet: ({ name }) => fault(m.card_wallet.title(name), m.card_wallet.text, m.card_wallet.remedy),
    cards_guessed_behind: ({ name, codes, at }, phrases) =>
      fault(
        m.cards_guessed_behind.title(name),
        m.cards_guessed_behind.text(codes, phrases.at(at)),
        m.cards_guessed_behind.remedy,
      ),
    cards_guessed: ({ who, at }, phrases) =>
      fault(m.cards_guessed.title, m.cards_guessed.text(who, phrases.at(at)), m.cards_guessed.remedy),
    payments_arrived: ({ isp, count: open, at }, phrases) =>
      fault(
        m.payments_arrived.title(open),
        m.payments_arrived.text(isp, phrases.at(at)),
        m.payments_arrived.remedy,
      ),
    channel_off: ({ name, waiting }) =>
      fault(m.channel_off.title(name), m.channel_off.text(waiting), m.channel_off.remedy),
    channel_down: ({ name, at, waiting }, phrases) =>
      fault(m.channel_down.title(name), m.channel_down.text(waiting, phrases.at(at)), m.channel_down.remedy),
    webhook_off: ({ name, at }, phrases) =>
      fault(m.webhook_off.title(name), m.webhook_off.text(phrases.at(at)), m.webhook_off.remedy),
    webhook_failing: ({ name, at }, phrases) =>
      fault(m.webhook_failing.title(name), m.webhook_failing.text(phrases.at(at)), m.webhook_failing.remedy),
    feed_behind: ({ name, at, waiting }, phrases) =>
      fault(m.feed_behind.title(name), m.feed_behind.text(phrases.at(at), waiting), m.feed_behind.remedy),

    boxes_untold: ({ at }, phrases) =>
      fault(
        m.boxes_untold.title,
        at === null ? m.boxes_untold.text : m.boxes_untold.text2(phrases.at(at)),
        howTo,
      ),
    boxes_nats_away: ({ at }, phrases) =>
      fault(m.boxes_nats_away.title, m.boxes_nats_away.text(phrases.at(at)), howTo),
    boxes_behind: ({ waiting, at }, phrases) =>
      fault(m.boxes_behind.title, m.boxes_behind.text(waiting, phrases.at(at)), howTo),
    boxes_rebuilt: ({ at }, phrases) =>
      fault(m.boxes_rebuilt.title, m.boxes_rebuilt.text(phrases.at(at)), howTo),
    boxes_spoilt: ({ at }, phrases) =>
      fault(m.boxes_spoilt.title, m.boxes_spoilt.text(phrases.at(at)), m.boxes_spoilt.remedy),
    boxes_other_books: ({ who }) =>
      fault(
        m.boxes_other_books.title,
        who === null ? m.boxes_other_books.text : m.boxes_other_books.text2(who),
        howTo,
      ),
    boxes_old: ({ names }) => fault(m.boxes_old.title, m.boxes_old.text(names), boxes),
    boxes_open: ({ names }) => fault(m.boxes_open.title, m.boxes_open.text(names), howTo),
    boxes_direct: ({ names }) =>
      fault(m.boxes_direct.title, m.boxes_direct.text(names), m.boxes_direct.remedy),
    box_removed: ({ name, at }, phrases) =>
      fault(m.box_removed.title(name), m.box_removed.text(phrases.at(at)), howTo),
    box_strange: ({ name, rows, at }, phrases) =>
      fault(m.box_strange.title(name), m.box_strange.text(rows, phrases.at(at)), box),
    box_new: ({ name }) => fault(m.box_new.title(name), m.box_new.text, m.box_new.remedy),
    box_cut_off: ({ name, at }, phrases) =>
      fault(m.box_cut_off.title(name), m.box_cut_off.text(phrases.at(at)), box),
    box_clock: ({ name, seconds }) => fault(m.box_clock.title(name), m.box_clock.text(seconds), box),
    box_late: ({ name }) => fault(m.box_late.title(name), m.box_late.text, box),
    box_version: ({ name }) => fault(m.box_version.title(name), m.box_version.text, box),
    box_disk: ({ name, free }, { bytes }) => fault(m.box_disk.title(name), m.box_disk.text(bytes(free)), box),
    own_box: () => fault(m.own_box.title, m.own_box.text, howTo),
  };
}
