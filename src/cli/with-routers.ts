import type { Db } from "../../db/open.ts";
import type { Routers } from "../domain/service/control/routers.ts";
import type { Cli } from "./cli.ts";

export async function withRouters<T>(cli: Cli, body: (db: Db, routers: Routers) => Promise<T>): Promise<T> {
  const { openRouters } = await import("./routers.ts"); // RADIUS costs the other commands no start
  return cli.withStore(async (db) => {
    const { routers, close } = openRouters(db);
    try {
      return await body(db, routers);
    } finally {
      close();
    }
  });
}
