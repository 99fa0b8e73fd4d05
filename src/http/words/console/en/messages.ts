export const messages = {
  tabs: { outbox: "Outbox", rules: "Rules", texts: "Texts", channels: "Channels" },
  titles: { outbox: "Messages", rules: "Rules", texts: "Texts", channels: "Channels" },
};
