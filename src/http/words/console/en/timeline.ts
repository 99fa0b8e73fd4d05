import type { EntryEvent, TimelineEvent } from "../../../../domain/desk/subscriber-page/timeline-sources.ts";

type Of<K extends TimelineEvent["kind"]> = Extract<TimelineEvent, { kind: K }>;

const entries: Readonly<Record<EntryEvent["entry"], string>> = {
  opening: "Opening balance",
  credit: "Credit",
  payment: "Paid",
  transfer: "Transfer",
  activation: "Sold",
  unused: "Unused time given back",
  commission: "Commission",
  void: "Invoice void",
  reversal: "Payment reversed",
  refund: "Refunded",
  adjustment: "Correction",
  history: "In the system before",
  card: "Card",
};

const methods: Readonly<Record<string, string>> = {
  cash: "in cash",
  bank: "by bank transfer",
  mobile: "by mobile money",
  card: "by card",
  online: "online",
  other: "in another way",
};

const paidBy: Readonly<Record<string, string>> = {
  cash: "Cash",
  bank: "Bank transfer",
  mobile: "Mobile money",
  card: "Card",
  online: "Online",
  other: "Payment",
};

const actions: Readonly<Record<string, string>> = {
  "subscriber.create": "Signed up",
  "subscriber.update": "Changed",
  "subscriber.enable": "Enabled",
  "subscriber.disable": "Disabled",
  "subscriber.archive": "Archived",
  "subscriber.restore": "Brought back",
  "subscriber.free_address": "Address of the pool freed",
  "subscriber.plant": "Line data changed",
  "subscriber.note": "Standing note changed",
  "subscriber.reset_password": "New password",
  "subscriber.portal_password": "Portal password changed",
  "subscriber.mac_lock": "Locked to a device",
  "subscriber.mac_unlock": "Device unlocked",
  "subscriber.change_mac": "Device changed",
  "subscriber.take_device": "New device taken",
  "subscriber.apply": "Open session changed by the router",
};

const answers = {
  acknowledged: "acknowledged",
  gone: "had no such session",
  failed: "did not do it",
} as const;

export const timeline = {
  title: "Timeline",
  kinds: {
    all: "All",
    logins: "Logins",
    money: "Money",
    changes: "Changes",
    messages: "Messages",
    notes: "Notes",
  },
  narrow: "Show only",
  empty: "Nothing has happened yet.",
  today: "Today",
  refused: (times: number, isMore: boolean) =>
    times === 1 ? "Refused" : `Refused ${isMore ? "more than " : ""}${times} times`,
  since: (time: string) => `since ${time}`,
  signedIn: "Signed in",
  held: "Signed in, held at the pay page",
  ended: "Session ended",
  answered: ({ answers: all, by }: Of<"router">) =>
    all.length === 0
      ? `No session was open, ${by}`
      : all
          .map(({ kind, took }) => `${answers[kind]}${took === null ? "" : ` after ${took} ms`}`)
          .join("; ") + `, ${by}`,
  disconnect: "Asked to disconnect",
  entry: ({ entry, method }: Pick<EntryEvent, "entry" | "method">) =>
    entry === "payment" && method !== null
      ? `${entries.payment} ${methods[method] ?? method}`
      : entries[entry],
  short: ({ entry, method }: Pick<EntryEvent, "entry" | "method">) =>
    entry === "payment" && method !== null ? (paidBy[method] ?? method) : entries[entry],
  renewedUntil: (time: string) => `renewed until ${time}`,
  until: (time: string) => `until ${time}`,
  renewal: "Renewal refused",
  freeze: { frozen: "Frozen", thawed: "Thawed" },
  extension: (isOnTrust: boolean) => (isOnTrust ? "Extended on trust" : "Extended"),
  action: (action: string) => actions[action] ?? action,
  from: (name: string, before: string, after: string) => `${name} ${before} to ${after}`,
  nothing: "nothing",
};
