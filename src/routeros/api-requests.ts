import { type Phrase, phrase } from "../domain/core/errors/phrase.ts";
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
    return { kind: "failed", reason: failure(error, router).toString(), isSilent: error.code !== "trap" };
  }
}

/** The failure with what to do on the router about it, where known. */
function failure(
  { code, phrase: words }: RouterosError,
  { name, host, port, tls, username }: ApiNas,
): Phrase {
  const failed = phrase`the RouterOS API of the router ${name} (${host}:${port}) failed: ${words}`;
  if (code === "unreachable")
    return phrase`${failed}; switch it on with: /ip/service/enable ${tls ? "api-ssl" : "api"}`;
  if (code === "login") return phrase`${failed}; set the password with: /user/set ${username} password=...`;
  return code === "trap" && words.toString().includes("permission")
    ? phrase`${failed}; allow it with: /user/group/set gatehouse policy=api,read,write`
    : failed;
}
