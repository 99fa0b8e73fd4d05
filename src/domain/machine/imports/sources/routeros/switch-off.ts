import { quoted } from "./values.ts";

/** Stops User Manager. */
export const userManagerOff: readonly string[] = [
  "/radius disable [find address=127.0.0.1]",
  "/user-manager set enabled=no",
];

/**
 * Disables local users, which win over RADIUS, in pieces that a terminal takes. The variable must not have a property's name:
 * `[find name=$name]` matches all.
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
