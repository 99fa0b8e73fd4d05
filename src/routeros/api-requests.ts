import type {
  ApiNas,
  OnlineAnswer,
  RouterAnswer,
  RouterProtocols,
} from "../domain/service/control/routers.ts";
import { findActive, removeActive } from "./active.ts";
import { RouterosError } from "./fault.ts";
import type { Ask } from "./pooled-connection.ts";
import type { RouterosPool } from "./pool.ts";

/** RouterOS API requests for the domain. */
export function apiRequests(pool: RouterosPool): RouterProtocols["api"] {
  return {
    disconnect: (router, user) =>
      use<RouterAnswer>(pool, router, async (ask) => {
        const removed = await removeActive(ask, user.list, user);
        return { kind: removed > 0 ? "acknowledged" : "gone" };
      }),
    find: (router, user) =>
      use<OnlineAnswer>(pool, router, async (ask) => ({
        kind: "listed",
        users: await findActive(ask, user.list, user.username),
      })),
  };
}

/** A RouterosError is an answer; anything else thrown is a bug. */
async function use<T>(
  pool: RouterosPool,
  router: ApiNas,
  body: (ask: Ask) => Promise<T>,
): Promise<T | { kind: "failed"; reason: string; isSilent: boolean }> {
  try {
    return await pool.run(router.id, router, body);
  } catch (error) {
    if (!(error instanceof RouterosError)) throw error;
    const { code, message } = error;
    const where = `the RouterOS API of the router ${router.name} (${router.host}:${router.port})`;
    const isSilent = code !== "trap";
    return {
      kind: "failed",
      reason: `${where} failed: ${message}${remedy(code, message, router)}`,
      isSilent,
    };
  }
}

/** What to do on the router about it, where known. */
function remedy(code: RouterosError["code"], message: string, { tls, username }: ApiNas): string {
  const service = tls ? "api-ssl" : "api";
  if (code === "unreachable") return `; switch it on with: /ip/service/enable ${service}`;
  if (code === "login") return `; set the password with: /user/set ${username} password=...`;
  if (code === "trap" && message.includes("permission"))
    return "; allow it with: /user/group/set gatehouse policy=api,read,write";
  return "";
}
