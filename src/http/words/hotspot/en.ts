/** Beside the portal's. */
export const en = {
  tag: "en",
  title: "Internet access",
  lead: "Type the code of your card.",
  code: "Code",
  codeOrName: "Code or username",
  withPassword: "I have a name and a password",
  connect: "Connect",
  connecting: "Connecting…",
  trial: "Try it for free",
  connected: "You are connected",
  goOn: "Go on",
  left: "What is left",
  timeLeft: "Time left",
  dataLeft: "Data left",
  online: "Online for",
  used: "Used now",
  logOut: "Log out",
  loggedOut: "You are logged out",
  again: "Connect again",
  failed: "That did not work",
  noScript:
    "This network checks codes by JavaScript, which is off in this browser. Switch it on and try again.",
  day: "d",
  hour: "h",
  minute: "min",
  second: "s",
  wrong: "Wrong code, or wrong name and password. Check it once more.",
  notSold: "This card has not been sold yet. Ask where you got it.",
  void: "This card is no longer valid. Ask where you got it.",
  expired: "The time of this card or account is over.",
  usedUp: "This card or account is used up.",
  otherDevice: "This card or account belongs to another device.",
  otherNetwork: "This card or account is for another network.",
  inUse: "This card or account is in use on another device. Log out there first.",
  toRedeem:
    "This card brings money or a package to an account. Redeem it in the portal, or ask your provider.",
  disabled: "This account is disabled. Please contact your provider.",
  inactive: "This account is not activated yet. Please contact your provider.",
  paused: "This account is paused. Please contact your provider.",
  otherKind: "This card or account is not for this kind of connection.",
  noAnswer: "The network did not answer. Try again in a moment.",
  busy: "Your login is on its way. Try again in a moment.",
  fault: "The network has a fault. Please contact your provider.",
};

export type HotspotWords = typeof en;
/** Refusals of the hotspot. */
export type Refusal =
  | "wrong"
  | "notSold"
  | "void"
  | "expired"
  | "usedUp"
  | "otherDevice"
  | "otherNetwork"
  | "inUse"
  | "toRedeem"
  | "disabled"
  | "inactive"
  | "paused"
  | "otherKind"
  | "noScript"
  | "noAnswer"
  | "busy"
  | "fault";
