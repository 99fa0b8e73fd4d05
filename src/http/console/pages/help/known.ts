import { nasPage } from "../../../../domain/goods/nas/list.ts";
import type { Db } from "../../../../../db/open.ts";
import { type Actor, may } from "../../../../domain/core/actor/actor.ts";
import { setting } from "../../../../domain/core/settings/settings.ts";
import type { Known } from "../../../../handbook/filled.ts";

/** Whoever reads: signed in, or a program. */
export interface Reader {
  readonly db: Db;
  readonly by: Actor;
  /** The account's, null: the operator's. */
  readonly ispId: number | null;
  /** By which a person signs in; a program has none that commands take. */
  readonly account: string;
  readonly brand: { readonly ispId: number; readonly name: string };
  readonly request: Request;
}

const first = { limit: 1, offset: 0, sort: "id", descending: false } as const;

/** What commands of the handbook are filled with for whoever reads: nothing that the reader may not see elsewhere. */
export function knownTo({ db, by, ispId, account, brand, request }: Reader): Known {
  const [router] = may(by, "nas_view") ? nasPage(db, by, {}, first).rows : [];
  const portal = URL.parse(setting(db, "portal_url", ispId ?? undefined));
  return {
    box: request.headers.get("host") ?? "",
    router: router?.name,
    routerAddress: router?.address,
    isp: brand.ispId,
    ispName: brand.name,
    account,
    publicHost: portal?.protocol === "https:" ? portal.host : undefined,
  };
}
