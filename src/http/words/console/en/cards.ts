import { cardCard } from "./card.ts";
import { cardMaking } from "./card-making.ts";
import { cardStrip } from "./card-strip.ts";

/** "Hour, Day and Week" */
const listed = new Intl.ListFormat("en");
/** Cards: batches, one card, printing. */
export const cards = {
  make: "Make cards",
  empty: "No cards yet",
  emptyText:
    "A card is a code that somebody buys: an hour at a hotspot, money for a wallet, or a package. Make a batch, print it, and sell it at the desk or through a reseller.",
  emptyForReseller:
    "A card is a code that you sell: an hour at a hotspot, money for a wallet, or a package. The ISP makes a batch for you; then it stands here.",
  noneMatch: "No batch matches",
  noneMatchText: "Take a filter away, or show those that are used up too.",
  kinds: { access: "Access", refill: "Refill", package: "Package" },
  standings: {
    new: "new",
    sold: "sold",
    active: "active",
    used_up: "used up",
    expired: "expired",
    void: "void",
    redeemed: "redeemed",
    ended: "ended",
    unsold: "expired unsold",
    unused: "expired after sale",
  },
  /** What cards of a kind are called in a sentence about the stock. */
  stockName: (kind: "access" | "refill" | "package", name: string) =>
    kind === "refill" ? `refills of ${name}` : kind === "package" ? `${name} (package)` : name,
  inStock: (parts: readonly string[]) => `In stock: ${listed.format(parts)}.`,
  stockPart: (name: string, count: string) => `${count} ${name}`,
  nothingInStock: "No card is left to sell.",
  runningOut: (parts: readonly string[]) => `Running out: ${listed.format(parts)}.`,
  runningPart: (name: string, left: string, gone: string) =>
    `${name} (${left} left, ${gone} went in seven days)`,
  findLabel: "Find a card",
  findHint: "Code, C-000123, 0117-001",
  findButton: "Find",
  notFound: "No card was found",
  findTitle: "Find a card",
  filters: {
    kind: "Kind",
    package: "Package",
    reseller: "Held by",
    open: "Show",
    isp: "The ISP",
    onlyOpen: "with cards left",
    all: "all batches",
  },
  table: {
    caption: "Batches of cards",
    batch: "Batch",
    what: "What",
    price: (sign: string) => `Price, ${sign}`,
    priceAlone: "Price",
    holder: "Held by",
    made: "Made",
    cards: "Cards",
    madeBy: (when: string, who: string) => (who === "" ? when : `${when}, ${who}`),
  },
  theIsp: "the ISP",
  stock: (parts: readonly string[]) => parts.join(", "),
  stockCount: (count: string, standing: string) => `${count} ${standing}`,
  gives: {
    clock: (span: string) => `${span}, from the first login`,
    online: (time: string) => `${time} online`,
    within: (amounts: readonly string[], span: string) =>
      `${amounts.join(" or ")}, within ${span} from the first login`,
    whenever: (amounts: readonly string[]) => amounts.join(" or "),
    devices: (count: number) => (count === 1 ? "one device" : `${count} devices at a time`),
    locked: "locked to the first",
    refill: (amount: string) => `${amount} for a wallet`,
    package: (name: string) => `the package ${name}`,
  },
  batch: {
    title: (number: string) => `Batch ${number}`,
    print: "Print",
    void: "Make void",
    what: "What it is",
    price: "Price",
    holder: "Held by",
    pays: "The reseller pays",
    atHandover: (price: string) => `${price} a card, when the batch was handed over`,
    atUse: (price: string) => `${price} a card, when it is first used`,
    needsSale: "Before it is sold",
    opensNothing: "a card opens nothing",
    works: "a card works: its first use is its sale",
    sellBy: "To be sold by",
    useBy: "To be used by",
    codes: "Codes",
    codesOf: (length: string, form: string) => `${length} ${form}, drawn by the system’s random numbers`,
    letters: "letters and digits",
    digits: "digits",
    symbols: "symbols",
    imported: "come from another system, as they were",
    made: "Made",
    note: "Note",
    stock: "Stock",
    cards: "Cards",
    all: "All",
    sell: "Sell",
    sellThis: (number: string) => `Sell ${number}`,
    reports: "Reports",
    noCards: "No card stands like this",
    noCardsText: "Choose another one of the words above.",
    voided: (when: string) => `Void since ${when}`,
    columns: {
      paper: "On the paper",
      number: "Number",
      standing: "State",
      sold: "Sold",
      used: "First used",
      ends: "Ends",
    },
    soldBy: (when: string, who: string) => (who === "" ? when : `${when}, ${who}`),
    voidTitle: (number: string) => `Make batch ${number} void`,
    voidLead: (count: string, isOne: boolean) =>
      isOne
        ? "1 card that is still new becomes void, for good."
        : `${count} cards that are still new become void, for good.`,
    voidNothing:
      "No card of it is new any more. Those that were sold or are in use stay as they are; make them void one by one.",
    voidKeeps: (count: string, isOne: boolean) =>
      isOne
        ? "1 card that was sold or is in use stays as it is; make it void by itself."
        : `${count} cards that were sold or are in use stay as they are; make them void one by one.`,
    voidGivesBack: (who: string, sum: string) => `${who} gets ${sum} back into the wallet.`,
    voidNoMoney: "No money moves: nobody has paid for them yet.",
    voidConfirm: (count: string, isOne: boolean) => (isOne ? "Make 1 card void" : `Make ${count} cards void`),
    reason: "Reason",
    reasonHelp: "It stands in the trail and on each card",
    voidDone: (count: string, isOne: boolean) => (isOne ? "1 card is void" : `${count} cards are void`),
    gaveBack: (who: string, sum: string) => `${who} got ${sum} back.`,
    strip: cardStrip,
  },
  making: cardMaking,
  card: cardCard,
};
