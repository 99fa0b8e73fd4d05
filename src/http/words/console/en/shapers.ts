/** Shapers that are told of sessions. */
export const shapers = {
  new: "New shaper",
  none: "No shaper is told of sessions yet",
  noneText:
    "LibreQoS, or another shaper that stands in the way of the traffic, can be told of each session as it begins, changes and ends: whose it is, at which address, and how fast. Then it keeps the speeds that are sold, those of free hours and of the walled garden too.",
  lead: "Each is told of every session at its routers, with the speed that holds at the moment.",
  name: "Name",
  where: "Listens at",
  routers: "Routers",
  allRouters: "all routers",
  noRouters: "none of them is there any more",
  state: "State",
  short: {
    off: () => "off",
    new: () => "not told yet",
    good: (at: string) => `answered ${at}`,
    untold: () => "not told yet",
    silent: (at: string) => `silent since ${at}`,
    behind: (at: string) => `behind since ${at}`,
  },
  goes: {
    label: "How it is told",
    good: (at: string) => `It answered ${at}.`,
    waiting: (count: number, formatted: string) =>
      count === 0
        ? "Nothing waits."
        : count === 1
          ? "News of one session waits."
          : `News of ${formatted} sessions waits.`,
    newText: "It is told of every open session within a minute.",
    untoldTitle: "It was not told of anything yet",
    untoldText: (at: string) =>
      `It is here since ${at}. Either nobody was online at its routers since then, or it is told by another box, or the server does not run.`,
    silentTitle: (at: string) => `It has not answered since ${at}`,
    silentText: (place: string) =>
      `Lines keep their old speed there meanwhile. See that its RADIUS listener runs at ${place}, takes this box as a client, and has the secret that was typed here.`,
    behindTitle: (at: string) => `It hears nothing newer than ${at}`,
    behindText:
      "It answers, but more slowly than there is to tell. See how busy it is, and the way to it; or tell it of fewer routers.",
    offTitle: "It is off",
    offText: (at: string) => `Since ${at}. It is told nothing, and ends by itself what it shapes.`,
  },
  files: {
    title: "Files of LibreQoS",
    lead: "Every line with its username and its speed now, and the boxes in the street whose capacity is known.",
    text: "Put both into its folder for the first time, or where it is not told of sessions. Names of people are not in them.",
    withNames: "ShapedDevices.csv with the names of people",
  },
  facts: "What is known of it",
  secret: "Secret",
  secretKept: "is set, and shown to nobody",
  answeredAt: "Answered last",
  never: "not yet",
  waits: "Sessions that wait",
  madeAt: "Made",
  place: "Where it listens",
  placeLead: "Its listener for RADIUS accounting, which has this box among its clients.",
  address: "Address",
  addressHelp: "An IP address, as 10.0.0.20.",
  port: "Port",
  secretHelp: "The one that its listener has for this box.",
  secretKeep: "Empty: it keeps the one it has, which is never shown.",
  routersLead: "Of which it is told. Without a tick: of all, those that come later too.",
  make: "Tell it of sessions",
  made: (name: string) => `${name} is told of sessions`,
  madeText: "Of every open one within a minute, and from then on of each that begins, changes or ends.",
  edit: "Edit",
  editTitle: (name: string) => `Edit ${name}`,
  save: "Save",
  saved: (name: string) => `${name} is saved`,
  disable: "Switch off",
  disableTitle: (name: string) => `Switch ${name} off?`,
  disableText:
    "It is told nothing more, and ends by itself what it shapes of your lines, within 20 minutes. Then they have the speed that their routers give them.",
  disabled: (name: string) => `${name} is off`,
  enable: "Switch on",
  enabled: (name: string) => `${name} is told of sessions again`,
  delete: "Delete",
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteText:
    "It is told nothing more, and its secret is forgotten. What it shapes of your lines it ends by itself, within 20 minutes.",
  deleted: (name: string) => `${name} is deleted`,
} as const;
