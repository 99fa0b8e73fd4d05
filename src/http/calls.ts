/** The call that does what a command does, by the command's words. */
export const calls: Readonly<Record<string, string>> = {
  "invoice list": "invoice/list",
  "nas add": "nas/create",
  "nas config list": "nas/config/list",
  "nas config save": "nas/config/save",
  "nas list": "nas/list",
  "nas radsec": "nas/radsec/issue",
  "nas script": "nas/script",
  "nas set": "nas/update",
  "nas setup": "nas/setup",
  "package apply": "package/apply",
  "place add isp": "isp/create",
  "pool set": "address_pool/update",
  "sessions end": "session/end",
  "sessions list": "session/list",
  "settings set": "setting/set",
  "staff list": "staff/list",
  "subscriber enable": "subscriber/enable",
  "subscriber thaw": "subscriber/thaw",
};

const COMMAND = new RegExp(
  `\\bgatehouse (${Object.keys(calls)
    .toSorted((a, b) => b.length - a.length)
    .map((words) => words.replace("config ", "config (?:\\d+ )?"))
    .join("|")})\\b`,
  "g",
);
/** Options with a value are fields of the call; others differ. */
const OPTION = / --([a-z]+) [A-Z]+\b/g;
const SWITCH = / --[a-z]+(?=[);. ]|$)|(?<=\()--[a-z]+, /g;

/** Replaces commands and options by calls and fields. */
export function inCalls(sentence: string): string {
  if (!sentence.includes("gatehouse ") && !sentence.includes("--")) return sentence;
  return sentence
    .replace(COMMAND, (said, words: string) => calls[words.replace(/\d+ /, "")] ?? said)
    .replace(OPTION, " $1")
    .replace(SWITCH, "");
}
