export const messageWriting = {
  action: "Message",
  title: "Write a message",
  send: "Send",
  show: "Show how it looks",
  channel: "By",
  channelDown: (name: string) => `${name} (fails at present)`,
  chooseChannel: "Choose a channel",
  text: "Text",
  ownWords: "Own words",
  subject: "Subject",
  subjectHelp: "Text messages have none.",
  body: "Message",
  bodyHelp: "Fields such as {{name}} are filled in for each person when it leaves.",
  fields: "Fields that are filled in",
  at: "When",
  atHelp: "Empty: at once. At the latest in 90 days.",
  none: "There is no channel to write by.",
  noneHelp:
    "A channel sends by mail, text message, WhatsApp or any gateway. Somebody who manages messages adds one.",
  addChannel: "Add a channel",
  preview: "As it will be read",
  previewHint: "Choose a channel, and a text or own words, to see it here.",
  goesTo: (to: string, language: string) => `To ${to}, in ${language}`,
  goesToNoAddress: (language: string) => `In ${language}`,
  characters: (count: string) => `${count} characters`,
  parts: (count: number) => (count === 1 ? "1 text message" : `${count} text messages`),
  unwanted: {
    "the subscriber does not want messages":
      "This subscriber does not want messages. Call, or send it if it has to be read.",
    "the subscriber gets no text messages":
      "This subscriber gets no text messages. Take mail, call, or send it if it has to be read.",
  } as Readonly<Record<string, string>>,
  anyway: "It has to be read: send it all the same",
  said: {
    title: "It is in the outbox.",
    next: (channel: string) => `It leaves by ${channel} next.`,
    behind: (ahead: number, count: string, channel: string, rate: string) =>
      ahead === 1
        ? `One other waits before it by ${channel}, at ${rate}.`
        : `${count} others wait before it by ${channel}, at ${rate}.`,
    later: (channel: string, time: string) => `It leaves by ${channel} on ${time}.`,
    down: (channel: string) => `${channel} fails at present; it leaves as soon as that answers again.`,
    look: "See it in the outbox",
  },
  perSecond: (count: string) => `${count} a second`,
  perMinute: (count: string) => `${count} a minute`,
  many: {
    pace: (rate: string, span: string) => `At ${rate} the last one leaves after ${span}.`,
    paceOne: "It leaves at once.",
    example: (name: string) => `As ${name} will read it`,
    goes: (name: string, to: string) => `${name}, ${to}`,
    wont: (count: string) => `${count} will not get it`,
    reason: (count: string, why: string) => `${count}: ${why}`,
    outbox: "To the outbox",
  },
  outage: {
    dark: (count: string, one: boolean) =>
      one ? "Message the one that is dark" : `Message the ${count} that are dark`,
    all: (count: string, one: boolean) => (one ? "Message the one line" : `Message all ${count}`),
  },
};
