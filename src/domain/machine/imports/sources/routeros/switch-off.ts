import { quoted } from "./values.ts";

/** What takes the place of User Manager out of the router's way. */
export const userManagerOff: readonly string[] = [
  "/radius disable [find address=127.0.0.1]",
  "/user-manager set enabled=no",
];

/**
 * Commands that switch off the users of a router, which win over RADIUS; in pieces that a terminal takes. The variable must not be
 * called as a property of what is looked for: `[find name=$moved]` finds every one.
 */
export function switchOff(menu: string, names: readonly string[]): string[] {
  const commands: string[] = [];
  for (let at = 0; at < names.length; at += 50) {
    const list = names
      .slice(at, at + 50)
      .map(quoted)
      .join(";");
    commands.push(`:foreach moved in={${list}} do={ ${menu} disable [find name=$moved] }`);
  }
  return commands;
}
