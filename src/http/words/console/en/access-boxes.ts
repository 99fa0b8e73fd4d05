const many = (count: number, formatted: string, one: string, more: string) =>
  `${formatted} ${count === 1 ? one : more}`;

export const accessBoxes = {
  lead: "More machines that answer routers for these books: logins go on there when this one dies, or the way to it does.",
  new: "Add a box",
  server: "nats-server",
  none: "One machine answers every router",
  noneText:
    "A second box in the rack, or one at each tower, lets people in by what it knows while this machine, or the way to it, is down. What routers tell there comes home by itself.",
  box: "Box",
  state: "How it stands",
  sessions: "Sessions",
  toTell: "To tell",
  version: "Version",
  all: (boxes: number) =>
    boxes === 1 ? "The access box hears these books" : "Every access box hears these books",
  allText: "A change here counts there within a second.",
  label: "How it stands",
  look: "Something needs a look",
  lookText: "Logins go on everywhere. Each box says below what to do.",
  cutOff: (names: string, count: number) => `${names} ${count === 1 ? "is" : "are"} cut off`,
  cutOffText:
    "Logins go on there by what is known, sessions are shown as last heard, and what happened comes home by itself. Nothing can be asked of routers there until then.",
  away: (time: string) => `NATS is away since ${time}`,
  awayText: "Every box logs in by what it knows. On the machine of nats-server: systemctl status nats-server",
  notRunning: "Nothing talks to NATS yet",
  notRunningText:
    "Set GATEHOUSE_NATS_URL in gatehouse.env to the address of nats-server, and restart the server: systemctl restart gatehouse",
  waitingText: (count: number, formatted: string) =>
    `${many(count, formatted, "change waits", "changes wait")} to be told to the boxes.`,
  states: {
    new: "has not joined yet",
    heard: "all is well",
    cutOff: (time: string) => `cut off since ${time}`,
    clock: (seconds: string) => `its clock is ${seconds} s apart`,
    journal: (rows: string) => `${rows} reports wait`,
    disk: "its disk is nearly full",
    otherwise: "says too little of itself",
    old: "is of 0.2.0",
    open: "hears what is for others",
    strange: "tells of what is not its own",
  },
  of: {
    new: "It has not joined yet",
    newText:
      "On its machine: ./install --access, GATEHOUSE_NATS_URL in its gatehouse.env, its line into gatehouse box join, and start it: systemctl enable --now gatehouse.",
    heard: "It hears these books",
    heardText: (time: string) => `Heard ${time} ago. Logins there are decided by what these books say now.`,
    cutOff: (time: string) => `Cut off since ${time}`,
    cutOffText:
      "Logins go on there by what it knows; what its routers tell waits on its disk and comes home by itself. Has it power? Is the way to nats-server up?",
    clock: (seconds: string) =>
      `Its clock is ${seconds} s apart from this one. No session moves for that; set the one that is wrong: timedatectl set-ntp true`,
    journal: (rows: string, ago: string) =>
      `${rows} reports wait there, the oldest from ${ago}. They become fewer while it tells them.`,
    disk: (free: string) =>
      `Its disk has ${free} left, and must keep what is not home while it is cut off. Make room there.`,
    old: "It is of version 0.2.0: until every box is upgraded all share one key, and whoever takes one reads what the others are told. Install this version there.",
    open: "nats-server lets it listen to others: it has the configuration of 0.2.0. Show the new one at Access boxes, nats-server, put it there, and reload nats-server.",
    strange: (rows: string, time: string) =>
      `It tells of what is not its own: ${rows} rows were not booked, the last at ${time}. Has somebody taken it? Then remove it. If it is yours, its routers may belong to a box for others.`,
    otherwise:
      "It says of itself less than these books ask for, or says it otherwise, as another version may. Install the same version on both.",
  },
  facts: {
    title: "What it says",
    sessions: "Open sessions",
    login: "Last login",
    accounting: "Last accounting",
    toTell: "To be told to the books",
    nothing: "nothing",
    clock: "Clock",
    together: "that of the books",
    apart: (seconds: string) => `${seconds} s apart`,
    disk: "Disk left",
    of: (free: string, total: string) => `${free} of ${total}`,
    up: "Runs for",
    version: "Version",
    never: "never",
    whose: "Whose subscribers",
    everybody: "everybody's",
    added: "Added",
  },
  knows: {
    title: "If it is stolen",
    text: "Remove it then: it is told nothing more, and the others get another key. What it had until then, its thief has:",
    routers: (count: number, formatted: string) =>
      `the secrets of ${many(count, formatted, "router", "routers")}`,
    subscribers: (count: number, formatted: string) =>
      `the passwords of ${many(count, formatted, "subscriber", "subscribers")}`,
    cards: (count: number, formatted: string) =>
      `what ${many(count, formatted, "card is", "cards are")} checked by`,
    apiAccounts: (count: number, formatted: string) =>
      `what signs in to the API of ${many(count, formatted, "router", "routers")}`,
    shared:
      "It has the key that all boxes share, as long as one is of 0.2.0, and nats-server may let it read what the others are told: it may know what every box knows.",
    sharedUntil: (time: string) =>
      `Until ${time} it had the key that all boxes shared, and nats-server let it read what the others were told: it may know what every box knew then.`,
    byItself:
      "Its key lies in a file beside them, so it starts by itself after a power cut, and for a thief of the whole machine too.",
    notByItself: "Its key does not lie on its disk: the file is worth nothing without it.",
    unknown: "Whether its key lies on its disk, it says when it has joined.",
  },
  remove: "Remove",
  removeTitle: (name: string) => `Remove ${name}?`,
  removeText:
    "It is told nothing more, and the other boxes get another key at once. It goes on to let in who it knows until it is switched off; take its line out of nats-server.conf too.",
  removeStolen: "If it was stolen, change afterwards what it knew:",
  removed: (name: string) => `${name} is removed; the others get another key.`,
  removedText: "Take its line out of nats-server.conf, and reload nats-server.",
  newTitle: "Add an access box",
  which: "Which box",
  name: "Name",
  nameHelp: "Small letters, digits and dashes, such as tower-1; routers and people see it",
  whose: "Whose subscribers it has",
  everybody: "Everybody's",
  branch: (isp: string, branch: string) => `${isp}, ${branch} alone`,
  whoseHelp: "What a box does not have, its thief does not have either",
  make: "Add it",
  joinTitle: (name: string) => `${name}: its line`,
  joinText: "Whoever has this line is that box. It is shown once.",
  join: "The line that it joins with",
  steps: "What to do",
  step: {
    server:
      "On the machine of nats-server, the configuration anew as /etc/nats-server.conf, and reload it. The first time its certificate comes before: the handbook, More than one box",
    serverLink: "its configuration",
    books: "Here, where that is not set yet, in /etc/gatehouse/gatehouse.env, and restart",
    box: "On the machine of the box, in the folder of the unpacked archive: install, the two lines into /etc/gatehouse/gatehouse.env, and paste the line",
    routers: "For each router, the nearest box first",
  },
  done: "To the boxes",
  serverTitle: "nats-server",
  serverLead:
    "One nats-server joins books and boxes, best on another machine than the books. This is its configuration; each box may read what it needs and tell under its own name, nothing else.",
  serverFile: "/etc/nats-server.conf",
  serverAfter:
    "Put its certificate to /etc/nats/server.crt and its key to /etc/nats/server.key, and the authority's certificate to every machine as GATEHOUSE_NATS_CA. Then: systemctl reload nats-server",
} as const;
