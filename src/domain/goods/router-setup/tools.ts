import type { Nas } from "../nas/find.ts";
import type { SendHotspot } from "../nas/hotspot.ts";
import type { PlaceOf } from "./places.ts";
import type { OpenRouter } from "./setup.ts";
import type { AskRouter } from "../nas/test.ts";
import type { ReadRouterConfig } from "../router-config/read.ts";

/** What the operations about a router need of this machine. */
export interface NasTools {
  readonly ask: AskRouter;
  /** Where we are as a router reaches us; at `server` where it is named. Rejects with `refused`. */
  readonly placeOf: PlaceOf;
  /** Where a router reaches the portal of this machine: `http://10.0.0.254:8080`. Rejects with `refused`. */
  readonly portalOrigin: (router: Nas) => Promise<string>;
  readonly sendHotspot: SendHotspot;
  readonly open: OpenRouter;
  readonly readConfig: ReadRouterConfig;
  /** From where we use a router's API. Rejects with `refused`. */
  readonly ownAddress: (router: Nas) => Promise<string>;
}
