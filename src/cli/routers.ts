import type { Db } from "../../db/open.ts";
import { makeRouters, type Routers } from "../domain/service/control/routers.ts";
import { CoaClient } from "../radius/client/coa.ts";
import { coaRequests } from "../radius/client/coa-requests.ts";
import { apiRequests } from "../routeros/api-requests.ts";
import { RouterosPool } from "../routeros/pool.ts";

export function openRouters(db: Db): { routers: Routers; close: () => void } {
  const client = new CoaClient();
  const pool = new RouterosPool();
  const close = () => {
    client.close();
    pool.close();
  };
  return { routers: makeRouters(db, { coa: coaRequests(client), api: apiRequests(pool) }), close };
}
