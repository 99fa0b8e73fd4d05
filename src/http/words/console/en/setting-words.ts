import type { SettingKey } from "../../../../domain/core/settings/settings.ts";

/** Label, purpose, consequence; `count` of affected things. */
export interface SettingWords {
  readonly name: string;
  readonly text: string;
  readonly effect: (value: string, count: string | null) => string;
  /** What follows where it is empty or 0, which the effect of a value would say wrongly. */
  readonly none?: string;
}

/** After a number. */
const units = {
  seconds: (n: number) => (n === 1 ? "second" : "seconds"),
  minutes: (n: number) => (n === 1 ? "minute" : "minutes"),
  hours: (n: number) => (n === 1 ? "hour" : "hours"),
  days: (n: number) => (n === 1 ? "day" : "days"),
  reports: (n: number) => (n === 1 ? "report" : "reports"),
  backups: (n: number) => (n === 1 ? "backup" : "backups"),
  decisions: () => "decisions",
  times: (n: number) => (n === 1 ? "time" : "times"),
  percent: () => "%",
  megabytes: () => "MB",
};
export type SettingUnit = keyof typeof units;
const many = (count: string | null, one: string, more = `${one}s`) =>
  `${count ?? "0"} ${count === "1" ? one : more}`;

export const settingUnits: Readonly<Record<SettingUnit, (n: number) => string>> = units;

const onPages = () => "Your subscribers see it on the next page that they open.";
const onInvoices = () => "It stands on what is printed from now on, of older invoices too.";

export const settingWords: Readonly<Record<SettingKey, SettingWords>> = {
  currency: {
    name: "Currency",
    text: "What prices, wallets and papers are in, by its three letters.",
    effect: (value, count) =>
      `The prices of ${many(count, "package")} are in ${value}. It stays as it is once money was booked.`,
  },
  tax_name: {
    name: "Name of the tax",
    text: "As invoices call it, such as VAT or GST.",
    effect: (value) => `New invoices call the tax that is in their price ${value}.`,
    none: "New invoices call the tax that is in their price Tax.",
  },
  tax_percent: {
    name: "Tax in the price",
    text: "Prices contain the tax; this much of them is.",
    effect: (value, count) =>
      `Invoices from now on say ${value} tax in the price. The prices of ${many(count, "package")} stay as they are, and so do invoices that exist.`,
  },
  payment_methods: {
    name: "How money is taken",
    text: "What can be chosen where a payment is taken. The day’s close counts cash alone.",
    effect: (value) => `The next payment can be taken by: ${value}. Payments in the books keep their way.`,
  },
  money_waits: {
    name: "Waiting for the other machine",
    text: "With access boxes: whether the answer to a payment waits until the nats-server has it, two seconds at the most.",
    effect: (value) =>
      `Waiting before a payment is answered: ${value}. What the other machine does not have in time is booked all the same, and the answer says so.`,
  },
  unusual_payment_times: {
    name: "Amounts that are asked about",
    text: "How many times the price of the package, or the largest payment of 90 days where that is more, is so much that a zero too many is likelier. 0: never asked.",
    effect: (value) =>
      `Whoever types more than ${value} that in is asked once whether it is meant. What is owed is taken without a question, and so is what programs send.`,
    none: "Nobody is asked whether an amount is meant.",
  },
  reverse_days: {
    name: "Reversing a payment",
    text: "For how long a payment that was a mistake can be taken back.",
    effect: (value) => `A payment can be reversed for ${value}; after that a refund or a correction is left.`,
  },
  isp_address: {
    name: "Address on invoices",
    text: "Where you are, line by line.",
    effect: onInvoices,
  },
  isp_tax_number: {
    name: "Tax number on invoices",
    text: "With its name, such as VAT GB123456789.",
    effect: onInvoices,
  },
  sign_up_salesperson: {
    name: "Whose new subscribers are",
    text: "The Admin or Reseller who gets those that your staff sign up. Admins and Resellers who sign somebody up have them themselves.",
    effect: (value) => `Whom staff sign up is ${value}’s, until somebody else is chosen in the form.`,
    none: "Whom staff sign up is the first Admin’s, until somebody else is chosen in the form.",
  },
  auto_renew_lead: {
    name: "Renewal by itself",
    text: "How long before its end a package renews, where the wallet holds its price; at most a tenth of its period.",
    effect: (value, count) =>
      `Charged ${value} before the end: ${many(count, "subscriber")} with renewal by itself.`,
  },
  expiring_days: {
    name: "Expiring soon",
    text: "How long before its end messages and other programs hear that a package is expiring.",
    effect: (value) =>
      `They hear of it ${value} before the end. Who ends sooner than that is not told again.`,
  },
  low_balance: {
    name: "Low balance",
    text: "An amount; a wallet that falls below it is told of as low. Empty: none is.",
    effect: (value) => `A wallet that falls below ${value} is told of once.`,
    none: "No wallet is told of as low.",
  },
  payment_link: {
    name: "Where it can be paid",
    text: "An address with {reference}, {amount} and {currency} in it, for messages, and for the portal where its button has none of its own. Empty: messages lead where that button leads.",
    effect: (value) => `Messages lead to ${value}`,
    none: "Messages lead where the portal’s button leads.",
  },
  message_language: {
    name: "Language of messages",
    text: "The tag of a language, such as en or sw, for who has none of their own.",
    effect: (value) => `Whoever has no language of their own is told in ${value}.`,
  },
  extend_days_max: {
    name: "Free days",
    text: "How far beyond what was paid staff may extend somebody; Admins may further.",
    effect: (value) => `Staff give at most ${value} beyond the last paid period, all extensions together.`,
  },
  freeze_days_max: {
    name: "Freezing",
    text: "How many days of any 365 a service may rest, as for somebody who travels.",
    effect: (value) =>
      `A frozen service thaws by itself after ${value}; who has rested longer thaws within a minute.`,
  },
  unique_contacts: {
    name: "Two subscribers with one number",
    text: "Whether ID number, mobile, phone and e-mail may repeat, as in a household with two lines.",
    effect: (value) => `${value}. Subscribers that are there stay as they are.`,
  },
  disconnect_enabled: {
    name: "Disconnecting",
    text: "Whether staff may end sessions by hand.",
    effect: (value, count) =>
      `Ending a session by hand, of ${many(count, "open session")}: ${value}. Who expires is ended all the same.`,
  },
  acct_interim_interval: {
    name: "Reports of a session",
    text: "How often routers say what a session has used. More often shows more, and makes more work.",
    effect: (value, count) =>
      `${many(count, "open session")}: a report every ${value} from the next login on.`,
  },
  stale_session_after: {
    name: "A session that is silent",
    text: "How many reports a session may miss before it counts as lost, and its subscriber as offline.",
    effect: (value, count) =>
      `Of ${many(count, "open session")}, what misses ${value} is closed at the next look, within a quarter of a minute.`,
  },
  expired_session_timeout: {
    name: "In the walled garden",
    text: "How long somebody who has expired stays there before the router asks again.",
    effect: (value) =>
      `Who pays is back online after ${value} at the latest, where the router takes no change of its own. Counts from their next login.`,
  },
  garden_rate: {
    name: "Speed in the walled garden",
    text: "The most that a line gets there, up and down, such as 512k/512k. A package that is slower keeps its own.",
    effect: (value) => `Who has expired gets ${value} at the most, from their next login.`,
  },
  garden_dns: {
    name: "Resolvers of the walled garden",
    text: "Whom lines there ask for names, whatever they want to ask: one or two addresses such as 10.0.0.53. Empty: their router. Everything else would be a way out for nothing.",
    effect: () => "Counts at a router when it is set up anew, or its commands are pasted anew.",
  },
  config_nightly: {
    name: "Configurations of routers",
    text: "Whether the configuration of each router with an account of its API is kept every night. RouterOS writes its export into a file, which is read and removed. That has been tried on no real router yet; where it is refused its menus are read instead.",
    effect: (value) => `Every night: ${value}. Copies that were kept stay.`,
  },
  config_ftp: {
    name: "Files of routers",
    text: "Whether our account on routers may use files (policy ftp), for a router that exports nothing without it. Whoever has that account then reads, writes and removes every file of the router, by FTP too where that is on.",
    effect: () => "Counts at a router when it is set up anew, or its commands are pasted anew.",
  },
  watch_minutes: {
    name: "Looking at routers",
    text: "How often each router that has an account for its API is read, so that what is not as it should be there is told. Nothing is changed. 0: never by itself.",
    effect: (value) => `Routers are read every ${value}; after a set-up, and by hand, always.`,
    none: "No router is read by itself; after a set-up, and by hand, always.",
  },
  dhcp_lease: {
    name: "Lease of a line with DHCP",
    text: "How long a lease lasts; a router asks again when half of it is over.",
    effect: (value) =>
      `A change of the package, or a line that is switched off, reaches who is on DHCP after ${value} at the latest. Counts from their next lease.`,
  },
  dhcp_password: {
    name: "Password of DHCP servers",
    text: "What the radius-password of a router’s DHCP servers says, where it is neither empty nor same-as-user. It proves nothing by itself: who it is says the device or the line.",
    effect: () => "A router that sends another one gets nobody in by DHCP. Counts from the next lease.",
  },
  address_kept_days: {
    name: "Addresses of pools are kept",
    text: "How long somebody who has expired keeps the address and the prefix that a pool gave.",
    effect: (value) => `${value} after the end of their service it is free for others.`,
  },
  max_coa_wait: {
    name: "Waiting for a router",
    text: "How long a router has to answer when a session is to end or to change.",
    effect: (value, count) =>
      `${many(count, "router")}: each has ${value} to answer; after that it says that nothing answered.`,
  },
  coa_message_authenticator: {
    name: "Signed requests to routers",
    text: "Some routers, hostapd among them, want requests to end a session signed with a Message-Authenticator.",
    effect: (value, count) =>
      `Requests to ${many(count, "router")} are signed: ${value}. A router that does not know it answers nothing.`,
  },
  disconnect_confirm: {
    name: "Proof of the end",
    text: "How long to wait for the router’s last report after it said that a session has ended; 0 takes its word.",
    effect: (value) => `After the router’s yes, the answer waits up to ${value} for the proof.`,
    none: "The router’s yes is the answer, without a proof.",
  },
  hotspot_address: {
    name: "Address of the hotspot",
    text: "The dns-name of the hotspot on your routers, such as login.hotspot. The QR on cards logs in there. Empty: cards have no QR.",
    effect: (value) =>
      `The QR on cards that are printed from now on leads to ${value}. Cards on paper stay as they are.`,
    none: "Cards that are printed from now on have no QR that logs in. Cards on paper stay as they are.",
  },
  hotspot_https: {
    name: "Hotspot with a certificate",
    text: "Whether the QR on cards logs in by https. Without a certificate on the router phones would warn.",
    effect: (value) => `The QR on cards that are printed from now on logs in by https: ${value}.`,
  },
  wifi_name: {
    name: "Name of the Wi-Fi",
    text: "As phones show it. Cards name it, and a QR of it joins.",
    effect: (value) => `Cards that are printed from now on name the Wi-Fi: ${value}.`,
    none: "Cards that are printed from now on name no Wi-Fi.",
  },
  wifi_password: {
    name: "Password of the Wi-Fi",
    text: "For the QR that joins, where the Wi-Fi has one: whoever holds a card can read it. Empty: the Wi-Fi is open.",
    effect: () =>
      "The QR that joins has it on cards that are printed from now on; the trail does not keep it.",
  },
  console_idle_minutes: {
    name: "Signed out by itself",
    text: "How long the console waits for a press before it signs somebody out.",
    effect: (value, count) =>
      `${many(count, "open session")} of the console: over after ${value} without a press.`,
  },
  admins_need_second_factor: {
    name: "Admins need a second factor",
    text: "A code of a phone beside the password. For other people their role says it.",
    effect: (value, count) =>
      `Second factor for Admins: ${value}. ${count ?? "0"} of them have none yet, and would be led to it before anything else.`,
  },
  auth_log_days: {
    name: "Logins are kept",
    text: "Who was let in, who was not, and why.",
    effect: (value, count) =>
      `Of ${many(count, "decision")}, those older than ${value} are removed within ten minutes, and do not come back.`,
  },
  auth_log_rows: {
    name: "Logins at the most",
    text: "However young they are: a router in a loop would fill the disk.",
    effect: (value, count) =>
      `Of ${count ?? "0"}, the newest ${value} stay; the others are removed within ten minutes, and do not come back.`,
  },
  session_days: {
    name: "Sessions are kept",
    text: "For the question who had an address at a time; the law may say how long.",
    effect: (value) =>
      `Sessions that ended more than ${value} ago are removed within the hour, and do not come back.`,
  },
  usage_days: {
    name: "Usage by day is kept",
    text: "What each subscriber used on each day.",
    effect: (value) => `Days more than ${value} ago are removed within the hour, and do not come back.`,
  },
  audit_days: {
    name: "The trail is kept",
    text: "Who changed what, when, and from where.",
    effect: (value, count) =>
      `Of ${many(count, "entry", "entries")}, those older than ${value} are removed within the hour, and do not come back.`,
  },
  backup_every_hours: {
    name: "A backup every",
    text: "How often one is made by itself; 0 makes none.",
    effect: (value) => `The next one is made ${value} after the last.`,
    none: "None is made by itself any more; those that exist stay.",
  },
  backup_keep: {
    name: "Backups that are kept",
    text: "The oldest beyond these are removed when a new one is whole.",
    effect: (value, count) => `There are ${count ?? "0"} now; after the next one, ${value} are left.`,
  },
  backup_try_days: {
    name: "A trial restore every",
    text: "How often the newest backup is proven by itself, at night; 0 leaves that to you.",
    effect: (value) =>
      `The newest backup is restored aside, checked and counted ${value} after the last trial; logins go on. check says so when none was proven for 30 days.`,
    none: "No backup is proven by itself any more; try one by hand now and then.",
  },
  backup_folder: {
    name: "Where backups go",
    text: "Better on another disk. Empty: a folder beside the store, which is lost with its disk.",
    effect: (value) =>
      `It is tried before it is stored. The next backup goes to ${value}; those that exist stay where they are.`,
    none: "The next backup goes beside the store, and is lost with its disk; those that exist stay where they are.",
  },
  backup_to_nats: {
    name: "Put one into NATS each hour",
    text: "For books with access boxes: the last 24 lie sealed on the machine of nats-server, where a new machine finds them.",
    effect: (value) =>
      value === "off"
        ? "No more are put there; those that are there stay."
        : "The first one is put there within a minute or two. It takes the disk of one more backup here while it is made.",
  },
  start_without_nats: {
    name: "Starting without the other machine",
    text: "With access boxes: whether this box serves when the nats-server has not said, within ten seconds of the start, that other books count by now.",
    effect: (value) =>
      value === "on"
        ? "At the next start without the nats-server this box serves after ten seconds. If others were made to count meanwhile, both take money until they hear of each other."
        : "At the next start without the nats-server nothing is served, and no login or payment taken, until it answers or somebody says here that these books count.",
  },
  time_zone: {
    name: "Time zone",
    text: "By which every day begins, periods end and times are shown, on this box and its access boxes.",
    effect: (value) =>
      `Times are those of ${value} within seconds, on every page and paper. Moments stay what they are; days that are over stay added up as they were.`,
    none: "Times are those of the machine within seconds, on every page and paper. Moments stay what they are; days that are over stay added up as they were.",
  },
  checkpoint_megabytes: {
    name: "The log is moved at",
    text: "How much of the write-ahead log goes into the database at once. More spares the flash of a router; nothing that was acknowledged is lost.",
    effect: (value) => `From now on it is moved when there are ${value} of it.`,
  },
  sample_write_minutes: {
    name: "Samples are written every",
    text: "What routers carried, minute by minute. More spares flash; pictures are as much behind, and a power cut loses as much of them. Bills do not.",
    effect: (value) => `The next ones are written together, ${value} at a time.`,
  },
  portal_name: {
    name: "Name",
    text: "Over your subscribers’ pages. Empty: the name of the ISP.",
    effect: onPages,
  },
  portal_logo: {
    name: "Logo",
    text: "Beside the name: PNG, JPEG, WebP or SVG, at most 256 KB.",
    effect: onPages,
  },
  portal_color: {
    name: "Colour",
    text: "Of buttons, links and what stands out; darker or lighter where text would be hard to read.",
    effect: () => "Portal, walled garden and console have it on the next page that is opened.",
  },
  portal_contact: {
    name: "How to reach you",
    text: "Line by line, at the foot of your subscribers’ pages.",
    effect: onPages,
  },
  portal_url: {
    name: "Address of the portal",
    text: "Where subscribers open it, such as https://my.isp.example/portal.",
    effect: (value) => `The page of the walled garden leads to ${value}.`,
    none: "The page of the walled garden has no way to the portal.",
  },
  portal_pay_text: {
    name: "How to pay",
    text: "Line by line; amount and reference stand beside it.",
    effect: onPages,
  },
  portal_pay_link: {
    name: "Paying online",
    text: "A link that a button opens; {amount}, {currency}, {reference} and {username} in it are filled in.",
    effect: (value) => `The button “Pay online” leads to ${value}.`,
    none: "There is no button “Pay online”.",
  },
  portal_phone: { name: "Telephone", text: "Called by a press of a button.", effect: onPages },
  portal_chat: {
    name: "Chat",
    text: "Where subscribers write to you, such as https://wa.me/15550100.",
    effect: onPages,
  },
  portal_expired_text: {
    name: "To whoever has expired",
    text: "Your own sentence, in the portal and in the walled garden.",
    effect: onPages,
  },
  demo_data: {
    name: "Made-up data",
    text: "Whether what is stored is to look at only; the console says so on every page.",
    effect: (value) => `The mark “Demo data” in the sidebar: ${value}.`,
  },
};
