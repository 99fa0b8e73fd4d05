import { DomainError } from "../domain/core/errors/errors.ts";
import { phrase, phrases, verbatim } from "../domain/core/errors/phrase.ts";
import type { Nas } from "../domain/goods/nas/find.ts";
import { apiWords, type RouterMenus } from "../domain/goods/router-setup/menus.ts";
import { apiEndpoint, type RouterLogin } from "../domain/goods/router-setup/memory.ts";
import type { Item } from "../domain/goods/router-setup/values.ts";
import type { Values } from "../domain/goods/router-setup/values.ts";
import { RouterosClient } from "../routeros/client.ts";
import { RouterosError } from "../routeros/fault.ts";

const CONNECT = 5000;
const COMMAND = 10_000;

/** Rejects with `refused` for a network, and `router_failed`. */
export async function openRouter<T>(
  router: Nas,
  login: RouterLogin,
  body: (menus: RouterMenus) => Promise<T>,
): Promise<T> {
  const endpoint = apiEndpoint(router, login);
  if (endpoint.host.includes("/"))
    throw new DomainError(
      "refused",
      phrase`${router.name} is a network, ${router.address}; a router is set up by its own address: add it as one`,
    );
  let client: RouterosClient | undefined;
  try {
    client = await RouterosClient.open({ ...login, ...endpoint }, CONNECT);
    return await body(openMenus(client, router));
  } catch (error) {
    if (client || !(error instanceof RouterosError)) throw error;
    const service = endpoint.tls ? "api-ssl" : "api";
    const { host, port } = endpoint;
    const failed = phrases([verbatim(`${router.name} (${host}:${port})`), error.phrase], ": ");
    throw new DomainError(
      "router_failed",
      error.code === "unreachable"
        ? phrase`${failed}; switch it on there with: /ip service enable ${service}`
        : failed,
    );
  } finally {
    client?.close();
  }
}

const words = (values: Values, prefix = "=") =>
  Object.entries(values).map(([name, value]) => `${prefix}${name}=${value}`);

function openMenus(client: RouterosClient, router: Nas): RouterMenus {
  const ask = async (path: string, sent: readonly string[]): Promise<readonly Item[]> => {
    try {
      return await client.command(path, sent, COMMAND);
    } catch (error) {
      if (!(error instanceof RouterosError)) throw error;
      throw new DomainError(
        "router_failed",
        error.message.includes("permission")
          ? phrase`${router.name} at ${path}: ${error.phrase}; sign in as somebody of the group full`
          : phrase`${router.name} at ${path}: ${error.phrase}`,
      );
    }
  };
  return {
    print: async (menu, only = {}, properties) => {
      const json = properties ? [`=.proplist=${properties.join(",")}`] : [];
      try {
        return await client.command(`${menu}/print`, [...json, ...words(only, "?")], COMMAND);
      } catch (error) {
        if (!(error instanceof RouterosError)) throw error;
        // a version or a package that it lacks
        if (error.code === "trap" && error.message.startsWith("no such command")) return null;
        throw new DomainError("router_failed", phrase`${router.name} at ${menu}: ${error.phrase}`);
      }
    },
    add: async (menu, values, before) => {
      const place = before === undefined ? [] : [`=place-before=${before}`];
      await ask(`${menu}/add`, [...words(values), ...place]);
    },
    set: async (menu, id, values) => {
      await ask(`${menu}/set`, [...(id === null ? [] : [`=.id=${id}`]), ...apiWords(menu, values)]);
    },
    remove: async (menu, id) => {
      await ask(`${menu}/remove`, [`=.id=${id}`]);
    },
    run: async (command, values) => {
      try {
        return await client.command(command, words(values), COMMAND);
      } catch (error) {
        if (error instanceof RouterosError && error.code === "trap") return { refusal: error.message };
        if (error instanceof RouterosError) throw new DomainError("router_failed", error.phrase);
        throw error;
      }
    },
  };
}
