const lines = (count: number, formatted: string) => (count === 1 ? "One line" : `${formatted} lines`);

export const bankFiles = {
  link: "A bank’s file",
  title: "A bank’s file",
  lead: "The list of bookings that a bank gives as CSV. It is read and shown first, with whose each line may be; nothing is booked before you say so, and a line that was in a file before is known again.",
  file: "File",
  fileHelp: (size: string) =>
    `CSV, up to ${size}: with commas, semicolons or tabs, in UTF-8, UTF-16 or Windows-1252. What the bank writes above the names of the columns is passed over.`,
  noFile: "Choose a file first.",
  tooLarge: (size: string) => `The file is larger than ${size}; hand it over in parts.`,
  read: "Read it",
  columns: "Which column is what?",
  guessed: "This is a guess by the names of the columns. Hold it against the first lines below.",
  remembered: "As it was for the last file with these columns.",
  date: "Day",
  dates: "How days are written",
  dateKinds: {
    "Y-m-d": "2030-01-31",
    "d/m/Y": "31/01/2030",
    "d.m.Y": "31.01.2030",
    "m/d/Y": "01/31/2030",
  },
  amount: "Amount that came in",
  decimals: "How amounts are written",
  decimalKinds: { point: "1,234.50", comma: "1.234,50" },
  text: "Text, with the reference",
  payer: "Payer’s name",
  id: "The bank’s number of the booking",
  idHelp: "By it a line is known again; without one, by its day, amount, text and payer.",
  choose: "Choose a column",
  none: "There is none",
  first: "The first lines",
  show: "Show whose they are",
  other: "Another file",
  found: (fresh: number, formatted: string, guessed: string) =>
    fresh === 0
      ? "No line is new."
      : `${lines(fresh, formatted)} ${fresh === 1 ? "is" : "are"} new, of ${guessed} it is thought whose they are. Nothing is booked yet.`,
  sum: (sum: string) => `They come to ${sum}.`,
  known: (count: number, formatted: string) =>
    `${lines(count, formatted)} ${count === 1 ? "was" : "were"} in a file before`,
  leftOut: (count: number, formatted: string) =>
    `${lines(count, formatted)} ${count === 1 ? "is" : "are"} no money that came in, or cannot be read`,
  line: "Line",
  whose: "Whose it may be",
  why: "Why",
  book: "Book",
  bookLine: (line: string, name: string) => `Book line ${line} for ${name}`,
  nobody: "nobody is known by it",
  by: { reference: "by reference", name: "by name", amount: "by amount alone" },
  waitsThere: "What it is",
  more: (text: string) =>
    `The first ${text} are shown. The others are taken too, and wait under Arrived, where those that were guessed can be booked together.`,
  method: "Booked as",
  take: "Take the lines, book the ticked ones",
  takeHint: "Lines without a tick wait under Arrived until somebody says whose they are.",
  taken: (count: number, formatted: string) =>
    count === 0 ? "No line was new." : `${lines(count, formatted)} ${count === 1 ? "was" : "were"} taken.`,
  booked: (count: number, formatted: string) =>
    count === 0
      ? "Nothing was booked."
      : `${count === 1 ? "One payment was" : `${formatted} payments were`} booked.`,
  notBooked: (count: number, formatted: string, why: string) =>
    `${count === 1 ? "One was" : `${formatted} were`} not booked: ${why}.`,
  guessedLink: "Book what was guessed",
  guessedTitle: "Book what was guessed",
  guessedLead: (count: number, formatted: string, sum: string) =>
    `Of ${count === 1 ? "one payment" : `${formatted} payments`} that ${count === 1 ? "waits" : "wait"} it is thought whose ${count === 1 ? "it is" : "they are"}: ${sum} together. Only what is ticked is booked.`,
  guessedNone: "Nothing that waits is thought to be anybody’s",
  guessedNoneText:
    "Lines of a bank’s file stand here where a reference, a name or an amount says whose they may be.",
  renews: "renews the service",
  bookTicked: "Book the ticked ones",
  noTicks: "Tick what is to be booked.",
  raw: "Show what was sent",
  rawTitle: "What was sent",
  rawLead: "As it came, for a dispute. That you looked stands in the trail.",
  rawUntil: (until: string) => `Kept until ${until}.`,
};
