import { DomainError } from "../../src/domain/core/errors/errors.ts";
import { verbatim } from "../../src/domain/core/errors/phrase.ts";
import { apiWords, type RouterMenus } from "../../src/domain/goods/router-setup/menus.ts";
import type { FakeConfig, Replies } from "./fake-routeros-config.ts";

const everything = ["read", "write", "policy", "sensitive", "api"];

export function routerMenus(config: FakeConfig, policy: readonly string[] = everything): RouterMenus {
  const words = (values: Readonly<Record<string, string>>, prefix = "=") =>
    Object.entries(values).map(([name, value]) => `${prefix}${name}=${value}`);
  const ask = (path: string, sent: readonly string[]): Replies => {
    const replies = config.answer([path, ...sent], policy);
    const [[kind, message = ""] = []] = replies;
    if (kind === "!trap")
      throw new DomainError("router_failed", verbatim(`${path}: ${message.replace("=message=", "")}`));
    return replies;
  };
  const rowsOf = (replies: Replies) =>
    replies
      .filter(([kind]) => kind === "!re")
      .map((reply) => Object.fromEntries(reply.slice(1).map((word) => word.slice(1).split(/=(.*)/s, 2))));
  return {
    print: async (menu, only = {}) => {
      const replies = config.answer([`${menu}/print`, ...words(only, "?")], policy);
      if (replies[0]?.[1]?.includes("no such command")) return null;
      return rowsOf(replies);
    },
    add: async (menu, values, before) => {
      ask(`${menu}/add`, [...words(values), ...(before === undefined ? [] : [`=place-before=${before}`])]);
    },
    set: async (menu, id, values) => {
      ask(`${menu}/set`, [...(id === null ? [] : [`=.id=${id}`]), ...apiWords(menu, values)]);
    },
    remove: async (menu, id) => {
      ask(`${menu}/remove`, [`=.id=${id}`]);
    },
    run: async (command, values) => {
      const replies = config.answer([command, ...words(values)], policy);
      const trap = replies.find(([kind]) => kind === "!trap");
      return trap ? { refusal: trap[1]?.replace("=message=", "") ?? "" } : rowsOf(replies);
    },
  };
}
