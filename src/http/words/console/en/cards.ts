/** Cards: batches, one card, printing. */
export const cards = { title: "Cards" };
