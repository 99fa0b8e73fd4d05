import type { Change } from "../../goods/router-setup/plan.ts";
import { HIDDEN_SECRET } from "../../goods/router-setup/commands.ts";
import { quoted } from "../../goods/router-setup/terminal.ts";
import { isSecret, type Values } from "../../goods/router-setup/values.ts";

/** A change as a command for a terminal, in a syntax that every version takes. */
export function formatCommand({ kind, menu, id, key, values, place }: Change): string {
  const path = menu.slice(1).replaceAll("/", " ");
  const text = words(values);
  if (kind === "add") return `/${path} add ${text}${place === undefined ? "" : ` place-before=${place}`}`;
  // firewall rules may share a key: only the number is unique
  const which = kind === "remove" || menu.includes("/firewall/") ? (id ?? "") : formatSelector(id, key);
  if (kind === "remove") return `/${path} remove ${which}`;
  return id === null ? `/${path} set ${text}` : `/${path} set ${which} ${text}`;
}

/** Identifies a row by its key, else by its number, which only the router knows. */
function formatSelector(id: string | null, key: Values): string {
  const named = Object.entries(key).filter(([name, value]) => name !== ".id" && value !== "");
  return named.length === 0 ? (id ?? "") : `[find ${words(Object.fromEntries(named))}]`;
}

const words = (values: Values) =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${isSecret(name) ? HIDDEN_SECRET : quoted(value)}`)
    .join(" ");
