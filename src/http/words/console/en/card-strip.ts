/** "0117-001 is sold and 0117-003 is void" */
const listed = new Intl.ListFormat("en");

/** Cards of a batch that are sold together. */
export const cardStrip = {
  open: "Sell cards",
  title: (batch: string) => `Sell cards of batch ${batch}`,
  from: "From card",
  to: "To card",
  cards: (count: string, isOne: boolean) => (isOne ? "1 card" : `${count} cards`),
  range: (first: string, last: string) => `${first} to ${last}`,
  each: (price: string, isOne: boolean) =>
    isOne ? "With a receipt." : `${price} each, with a receipt of its own.`,
  free: "They cost nothing: no money is taken.",
  reseller: "You keep what you take for them; here they are only marked as sold.",
  later: "What they cost stands here once both numbers are right.",
  serial: (quantity: string) => `Type a number from 1 to ${quantity}, as it stands on the card.`,
  order: "The last card comes before the first.",
  most: (most: string, last: string) => `At most ${most} cards are sold at once: up to ${last}.`,
  gone: (parts: readonly string[]) =>
    `They cannot be sold together: ${listed.format(parts)}. Choose cards that are all new.`,
  goneCard: (number: string, standing: string) => `${number} is ${standing}`,
  more: (count: string) => `${count} more are not new`,
  none: "No card of this batch is left to sell.",
  look: "See what they cost",
  press: (sum: string, cards: string) => `Take ${sum} and sell ${cards}`,
  markPress: (cards: string) => `Mark ${cards} as sold`,
  lookAtFields: "Nothing is sold: look at the numbers of the cards.",
  lookAtSum: "Nothing is sold yet: look at which cards these are and what they cost, then press once more.",
  done: (cards: string, sum: string, isOne: boolean) => `${cards} ${isOne ? "is" : "are"} sold for ${sum}`,
  marked: (cards: string, isOne: boolean) => `${cards} ${isOne ? "is" : "are"} sold`,
  receipts: (numbers: string, first: string, last: string) =>
    first === last ? `${numbers}. Receipt ${first}.` : `${numbers}. Receipts ${first} to ${last}.`,
  receiptTitle: (numbers: string) => `Receipt for ${numbers}`,
  receiptCards: "Cards",
  times: (count: string, price: string) => `${count} × ${price}`,
};
