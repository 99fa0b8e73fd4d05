import type { Db } from "../../db/open.ts";
import { listAccessBoxes, readSeed } from "../domain/machine/access-boxes/boxes.ts";
import type { NatsTools } from "../domain/machine/access-boxes/nats-tools.ts";
import { standings } from "../domain/service/box-standing/standing.ts";
import { parseScope } from "../domain/service/box-standing/box-scope.ts";
import { DomainError } from "../domain/core/errors/errors.ts";
import { phrase } from "../domain/core/errors/phrase.ts";
import { systemClock } from "../domain/core/time/time.ts";

/** The NATS library is loaded on use, for it costs start time and memory. */
export function natsTools(db: Db): NatsTools {
  return {
    nkeyMaker: async () => (await import("../nats/nkeys.ts")).makeNkey,
    serverConfig: async (by) => {
      const old = new Set(standings(db, systemClock()).flatMap(({ id, isOld }) => (isOld ? [id] : [])));
      const boxes = listAccessBoxes(db, by).map(({ id, name, nkey, scope }) => {
        return { name, nkey, scope: parseScope({ scope }), isOld: old.has(id) };
      });
      const seed = readSeed(db);
      if (seed === undefined)
        throw new DomainError(
          "not_found",
          phrase`there are no boxes yet; the first: gatehouse box add tower-1`,
        );
      const { publicKeyOf } = await import("../nats/nkeys.ts");
      const { serverConfig } = await import("../nats/server-config.ts");
      return serverConfig({ primary: publicKeyOf(seed), boxes });
    },
  };
}
