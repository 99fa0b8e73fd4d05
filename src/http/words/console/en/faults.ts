import type { FindingKind, FindingValues } from "../../../../domain/machine/check/kinds.ts";
import { watchWords } from "./router-watch.ts";
import { settingWords } from "./setting-words.ts";

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

const fault = (title: string, text: string, remedy: string): FaultWords => ({ title, text, remedy });

const howTo = "How to mend";
const backup = "Look at backups";
const router = "Look at the router";
const box = "Look at the box";
const boxes = "Look at access boxes";

/** Of the check. */
export const faults: FaultTable = {
  books_damaged: ({ wrong }, { count }) =>
    fault(
      wrong === 1 ? "The books have a fault" : `The books have ${count(wrong)} faults`,
      "The last backup has them as they were. Restore it.",
      backup,
    ),
  books_held: () =>
    fault("These books rest", "Other books count, or a restored backup waits to be taken up.", howTo),
  key_wrong: () =>
    fault(
      "The key is not that of these books",
      "No password opens. Restore both from the same backup.",
      backup,
    ),
  key_damaged: ({ secrets }, { count }) =>
    fault(
      secrets === 1 ? "One stored secret is damaged" : `${count(secrets)} stored secrets are damaged`,
      "Set those of routers and subscribers again.",
      howTo,
    ),
  clock_behind: ({ at }, phrases) =>
    fault(
      "The clock is behind",
      `The books reach to ${phrases.at(at)}. Set the clock of the machine.`,
      howTo,
    ),
  setting_unknown: () => fault("A setting has no effect", "It is none of this version.", howTo),
  setting_invalid: ({ key }) =>
    fault(
      `${settingWords[key].name}: the value does not hold`,
      "The usual value counts until it is set again.",
      "Set it again",
    ),
  files_open: () =>
    fault("Others can read the key or the books", "They have to be their owner’s alone.", howTo),
  server_stopped: () => fault("The server does not run", "Nobody can log in. Start it.", howTo),
  port_taken: () => fault("The server cannot listen", "Another program has one of its ports.", howTo),

  backups_off: () =>
    fault("No backup is scheduled", "A broken disk takes the books with it.", "Schedule backups"),
  backups_failing: () => fault("No backup can be made", "The last try failed. The page says why.", backup),
  backups_none: () =>
    fault("There is no backup yet", "The first is made soon, or now by hand.", "Make a backup"),
  backups_late: ({ at }, phrases) =>
    fault("A backup is overdue", `The newest is of ${phrases.at(at)}.`, "Make a backup"),
  backups_same_disk: () =>
    fault(
      "Backups lie on the disk of the books",
      "They die with it. Choose a folder on another disk.",
      "Choose another folder",
    ),
  backup_key: () =>
    fault(
      "Backups do not hold the key",
      "Without it nobody can log in by a restored one. A passphrase lets them carry it.",
      "Set a passphrase",
    ),
  backup_proof_failed: () =>
    fault("The last trial restore failed", "Make another backup and try that one.", "Make a backup"),
  backup_proof_old: ({ at }, phrases) =>
    fault(
      "Backups are not proven",
      at === null ? "None has been restored on trial yet." : `The last trial was on ${phrases.at(at)}.`,
      "Try a backup",
    ),
  nats_copies_failing: () => fault("Backups do not reach the message server", "The last try failed.", howTo),
  nats_copies_none: () =>
    fault("The message server has no backup yet", "The first is put there soon.", backup),
  nats_copies_late: ({ at }, phrases) =>
    fault(
      "The backup on the message server is overdue",
      `The newest there is of ${phrases.at(at)}; one is due each hour.`,
      howTo,
    ),
  disk_full: ({ free }, { bytes }) =>
    fault(
      "The disk is full",
      `${bytes(free)} are left. Make room now, or what is used is not counted any more.`,
      howTo,
    ),
  disk_low: ({ free }, { bytes }) =>
    fault("The disk fills up", `${bytes(free)} are left. Make room soon.`, howTo),

  radius_shut: () => fault("Routers are not answered", "A RADIUS port does not listen.", howTo),
  radius_dropped: ({ datagrams, size, at }, phrases) =>
    fault(
      "Requests of routers were lost",
      `The system dropped ${phrases.count(datagrams)}, the last on ${phrases.at(at)}, because its buffer of ${phrases.bytes(size)} was full.`,
      howTo,
    ),
  radius_late: ({ logins, at }, phrases) =>
    fault(
      "More logins than there was time for",
      `${phrases.count(logins)} that had waited too long were dropped, the last on ${phrases.at(at)}, so that the routers' next tries were answered in time.`,
      howTo,
    ),
  radsec_off: () =>
    fault("RadSec is off", "Routers have certificates for it and cannot log anybody in by it.", howTo),
  radsec_shut: () => fault("RadSec is not served", "Routers that use it are not answered.", howTo),
  certificate_ended: ({ at }, phrases) =>
    fault("The certificate has ended", `It was valid until ${phrases.at(at)}. Renew it.`, howTo),
  certificate_ends: ({ days }, { count }) =>
    fault(
      days === 0
        ? "The certificate ends today"
        : days === 1
          ? "The certificate ends tomorrow"
          : `The certificate ends in ${count(days)} days`,
      "Browsers turn away from then on. Renew it.",
      howTo,
    ),
  certificate_unusable: () =>
    fault("The certificate cannot be used", "Its files are missing, damaged or do not fit.", howTo),
  public_shut: () =>
    fault("The public listener is shut", "It opens by itself once the certificate is good.", howTo),
  lan_stand_in: () =>
    fault("Browsers warn about this console", "Its certificate is one that it made itself.", howTo),
  scrape_refused: ({ source, at }, phrases) =>
    fault(`${source} was refused the metrics`, `On ${phrases.at(at)}: no token is set for it.`, howTo),

  routers_none: () => fault("There is no router", "Nobody can log in before one is added.", "Add a router"),
  router_rate: ({ name, sessions }, { count }) =>
    fault(
      `${name} did not take a rate`,
      sessions === 1
        ? "One session goes on at another speed than its hours or tier."
        : `${count(sessions)} sessions go on at another speed than their hours or tiers.`,
      router,
    ),
  router_api_unpinned: ({ name }) =>
    fault(`${name} could be impersonated`, "Any certificate of its API is accepted.", "Pin its certificate"),
  router_api_plain: ({ name }) =>
    fault(
      `${name} is spoken to in the clear`,
      "The password of its API can be read on the way.",
      "Encrypt its API",
    ),
  router_kind: ({ name }) =>
    fault(
      `${name} reports as another kind of router`,
      "It may not understand the speeds that it is told.",
      "Set its kind",
    ),
  router_unkept: ({ name, at }, phrases) =>
    fault(
      `The configuration of ${name} is not kept`,
      at === null
        ? "It was never read. If that router dies, nobody knows how it was set up."
        : `Last read ${phrases.at(at)}. If that router dies, what was changed since is gone.`,
      "Look at its configuration",
    ),
  router_busy: ({ name, percent }) =>
    fault(
      `${name} is nearly out of breath`,
      `Its processor was ${percent} % busy in the busiest hour of the week. Queues that cost it less help: FQ-CoDel in place of CAKE, or none of both.`,
      "Change its queues",
    ),
  router_no_lists: ({ name, pack }) =>
    fault(
      `${name} has no walled garden`,
      `It knows no address lists, so who expires is refused there. Give ${pack} a pool for the expired.`,
      "Look at packages",
    ),
  router_garden: ({ name }) =>
    fault(
      `${name} has an old walled garden`,
      "Who is expired may find a way out for nothing there. Give it the rules anew.",
      "Set it up anew",
    ),
  router_connections: ({ name }) =>
    fault(
      `Old connections of expired lines live on at ${name}`,
      "FastTrack was left to subscribers there, and it has too many connections to look through. They go on until they close: set it up again and have FastTrack switched off.",
      "Set it up anew",
    ),
  router_forgeable: ({ name }) =>
    fault(
      `Answers to ${name} can be forged`,
      "Logins are accepted unsigned. Update the router, then ask for signatures.",
      "Ask for signatures",
    ),
  router_network: ({ name }) =>
    fault(
      `${name} is a whole network`,
      "Each address is accepted unsigned until it has signed once. Add its routers one by one.",
      router,
    ),
  router_radsec: ({ name }) =>
    fault(
      `${name} needs a certificate`,
      "That of its RadSec is missing, has ended or ends soon.",
      "Make a certificate",
    ),
  router_dropped: ({ name, address }) =>
    fault(
      `Requests of ${name} are dropped`,
      `Those of ${address} are not signed, although they have to be.`,
      router,
    ),
  router_dropped_more: ({ name, addresses }, { count }) =>
    fault(
      `More requests of ${name} are dropped`,
      addresses === 1 ? "One more address does not sign." : `${count(addresses)} more addresses do not sign.`,
      router,
    ),
  router_drifted: ({ name, found, one }, { count }) =>
    fault(
      `${name}: ${watchWords(one).title}`,
      found === 1 ? watchWords(one).cost : `${watchWords(one).cost} And ${count(found - 1)} more.`,
      "Mend it",
    ),
  router_strangers: ({ name, sessions }, { count }) =>
    fault(
      `${name} tells of sessions of nobody`,
      `${count(sessions)} were dropped. If they are invented, change its secret.`,
      "See the sessions",
    ),

  subscriber_crowded: ({ name, open }, { count }) =>
    fault(
      `${name} has ${count(open)} sessions at once`,
      "No house has so many. Somebody may have the secret of the router.",
      "See the sessions",
    ),
  subscribers_share: ({ value, usernames }) =>
    fault(`${value} is that of several`, `It belongs to ${usernames}. One of them may keep it.`, "Find them"),
  subscribers_share_more: ({ count: shared }, { count }) =>
    fault(
      shared === 1 ? "One more value is shared" : `${count(shared)} more values are shared`,
      "Subscribers have the same where each should have their own.",
      "Look at subscribers",
    ),
  address_twice: ({ address, usernames }) =>
    fault(`${address} is given twice`, `It belongs to ${usernames}. Give one of them another.`, "Find them"),
  pool_filling: ({ name, used, size }, { count }) =>
    fault(
      `The pool ${name} fills up`,
      `${count(used)} of ${count(size)} are in use. Once it is full, nobody new can be activated.`,
      "Enlarge the pool",
    ),
  packages_below_cost: ({ names }) =>
    fault("A reseller pays more than the customer", `So it is for ${names}.`, "Look at packages"),
  staff_names: ({ names }) =>
    fault(
      "A name of staff has a colon",
      `So it is with ${names}, who cannot use the interface for programs by it.`,
      "Look at staff",
    ),
  portal_unknown: ({ name }) =>
    fault(
      `The expired of ${name} cannot pay`,
      "Their page has no way to the portal. Say where that is.",
      "Set the address",
    ),
  first_password: ({ username }) =>
    fault(
      "The first password still counts",
      `It lies in a file on the box. Sign in as ${username} and change it.`,
      "Change the password",
    ),

  card_wallet: ({ name }) =>
    fault(
      `${name} is below the credit limit`,
      "Used cards are charged all the same; more are not sold before a payment.",
      "Look at wallets",
    ),
  cards_guessed_behind: ({ name, codes, at }, phrases) =>
    fault(
      `Somebody behind ${name} guesses cards`,
      `${phrases.count(codes)} wrong codes within a minute, the last at ${phrases.at(at)}.`,
      "See the logins",
    ),
  cards_guessed: ({ who, at }, phrases) =>
    fault(
      "Somebody guesses cards",
      `Too many wrong codes by ${who}, the last at ${phrases.at(at)}. No more are looked at.`,
      "See the trail",
    ),
  payments_arrived: ({ isp, count: open, at }, phrases) =>
    fault(
      open === 1 ? "One payment has no name" : `${phrases.count(open)} payments have no name`,
      `They arrived for ${isp}, the first ${phrases.at(at)}.`,
      "Match them",
    ),
  channel_off: ({ name, waiting }, { count }) =>
    fault(
      `${name} is off`,
      waiting === 1 ? "One message waits for it." : `${count(waiting)} messages wait for it.`,
      "Look at channels",
    ),
  channel_down: ({ name, at, waiting }, phrases) =>
    fault(
      `${name} sends nothing`,
      waiting === 1
        ? `Since ${phrases.at(at)}; one message waits.`
        : `Since ${phrases.at(at)}; ${phrases.count(waiting)} messages wait.`,
      "Look at messages",
    ),
  webhook_off: ({ name, at }, phrases) =>
    fault(`The webhook to ${name} is off`, `It failed too often, until ${phrases.at(at)}.`, "Switch it on"),
  webhook_failing: ({ name, at }, phrases) =>
    fault(
      `${name} takes no events`,
      `None since ${phrases.at(at)}. They are kept, and sent once it answers.`,
      "Look at the webhook",
    ),
  feed_behind: ({ name, at, waiting }, phrases) =>
    fault(
      `The shaper ${name} hears nothing new`,
      `Since ${phrases.at(at)}; ${phrases.count(waiting)} sessions wait. Lines get their old rate there until it answers.`,
      "Look at the shaper",
    ),

  boxes_untold: ({ at }, phrases) =>
    fault(
      "Access boxes are told nothing",
      at === null ? "They were told nothing yet." : `The last word was at ${phrases.at(at)}.`,
      howTo,
    ),
  boxes_nats_away: ({ at }, phrases) =>
    fault(
      "The message server is away",
      `Since ${phrases.at(at)}. Access boxes log people in by what they know.`,
      howTo,
    ),
  boxes_behind: ({ waiting, at }, phrases) =>
    fault(
      "Access boxes hear late",
      `${phrases.count(waiting)} changes wait, always some since ${phrases.at(at)}.`,
      howTo,
    ),
  boxes_rebuilt: ({ at }, phrases) =>
    fault(
      "The message server had lost its store",
      `Everything was told anew at ${phrases.at(at)}, and nobody was forgotten. Look after its disk.`,
      howTo,
    ),
  boxes_spoilt: ({ at }, phrases) =>
    fault(
      "Somebody writes over what access boxes are told",
      `All was told anew at ${phrases.at(at)}. Whoever has taken one of them does so: see which is not where it should be.`,
      "See the boxes",
    ),
  boxes_other_books: ({ who }) =>
    fault(
      "Somebody says that other books count",
      who === null
        ? "The message server says so, without a signature; these go on."
        : `The access box ${who} says so, without a signature; these go on.`,
      howTo,
    ),
  boxes_old: ({ names }) =>
    fault("Access boxes share one key", `Install this version at ${names}, and each has its own.`, boxes),
  boxes_open: ({ names }) =>
    fault(
      "Access boxes can listen to each other",
      `The message server needs its configuration anew because of ${names}.`,
      howTo,
    ),
  boxes_direct: ({ names }) =>
    fault(
      "Routers still ask this machine",
      `Pointed at the access boxes, logins at ${names} outlive this machine.`,
      "Look at routers",
    ),
  box_removed: ({ name, at }, phrases) =>
    fault(
      `${name} was removed and still signs in`,
      `The last time at ${phrases.at(at)}. The message server still has its account.`,
      howTo,
    ),
  box_strange: ({ name, rows, at }, phrases) =>
    fault(
      `${name} tells of what is not its own`,
      `${phrases.count(rows)} reports were not booked, the last at ${phrases.at(at)}. Somebody may have taken it.`,
      box,
    ),
  box_new: ({ name }) =>
    fault(`${name} has not been heard yet`, "It was added; now set it up on its machine.", "Set it up"),
  box_cut_off: ({ name, at }, phrases) =>
    fault(
      `${name} is cut off`,
      `Since ${phrases.at(at)}. Logins go on there by what it knows. See whether it has power.`,
      box,
    ),
  box_clock: ({ name, seconds }, { count }) =>
    fault(`The clock of ${name} differs`, `By ${count(seconds)} seconds. Set the one that is wrong.`, box),
  box_late: ({ name }) => fault(`${name} is behind with its reports`, "The oldest has waited long.", box),
  box_version: ({ name }) => fault(`${name} is of another version`, "Install the same version on both.", box),
  box_disk: ({ name, free }, { bytes }) =>
    fault(`The disk of ${name} fills up`, `${bytes(free)} are left. Make room there.`, box),
  own_box: () => fault("This access box needs a look", "Its page says what is the matter.", howTo),
};
