import { en as portal } from "../portal/en.ts";
import { me } from "./en/me.ts";
import { signIn } from "./en/sign-in.ts";
import { start } from "./en/start.ts";
import { today } from "./en/today.ts";

/** Every string of the staff console in English, a chapter a page; another language is another object of this shape. */
export const en = {
  tag: "en",
  dir: "ltr" as "ltr" | "rtl",
  units: portal.units,
  frame: {
    skip: "Skip to the content",
    pages: "Console",
    mainPages: "Main pages",
    search: "Name, phone, username, MAC, address, box, receipt",
    searchShort: "Name, phone, MAC, box…",
    searchLabel: "Search",
    more: "More",
    signUp: "Sign up",
    takePayment: "Take payment",
    keys: "Keys",
    me: "My account",
    signOut: "Sign out",
    close: "Close",
    dismiss: "Close this message",
    messages: "Messages",
    lost: "No connection to the box. What is typed stays; it goes on by itself when the box answers.",
    back: "The box answers again.",
    live: "Live",
    demo: "Demo data",
  },
  places: {
    today: "Today",
    subscribers: "Subscribers",
    online: "Online",
    logins: "Logins",
    money: "Money",
    packages: "Packages",
    boxes: "Boxes",
    people: "People",
  },
  keys: {
    title: "Keys",
    lead: "They rest while you type in a field. Switch them off under My account.",
    search: "search anywhere",
    go: (page: string) => `to ${page}`,
    choose: "choose in a list of results",
    open: "open it",
    pay: "take payment",
    unlock: "what mends it",
    new: "new",
    next: "next and previous person of the last list",
    pause: "pause a live list",
    help: "these keys",
    close: "close, go back",
  },
  errors: {
    400: { title: "That could not be read", text: "Go back and try once more." },
    403: {
      title: "This is not for you to do",
      text: "Your role does not have the permission. Ask an Admin for it.",
    },
    404: {
      title: "There is nothing here",
      text: "It was moved, or it is not among what you may see. Search for it above.",
    },
    429: { title: "Too much at once", text: "Wait a moment, then try again." },
    503: { title: "The box is busy", text: "Nothing was changed. Try again in a moment." },
    500: {
      title: "Something went wrong here",
      text: "It is in the log under this number; give it to who looks after the box.",
    },
    stale: "This form was open for too long, or is from another session. Nothing was changed; send it again.",
    signedOut: "You were signed out. Sign in again; what you typed is still there.",
    home: "To Today",
  },
  signIn,
  today,
  subscribers: {},
  search: {},
  signUp: {},
  subscriber: {},
  matter: {},
  timeline: {},
  online: {},
  logins: {},
  pay: {},
  money: {},
  packages: {},
  outages: {},
  findings: {},
  boxes: {},
  me,
  start,
};

/** The strings of one language of the console. */
export type ConsoleWords = typeof en;
