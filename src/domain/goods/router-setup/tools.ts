import type { Nas } from "../nas/find.ts";
import type { SendHotspot } from "../nas/hotspot.ts";
import type { FindPlace } from "./places.ts";
import type { OpenRouter } from "./setup.ts";
import type { AskRouter } from "../nas/test.ts";
import type { ReadRouterConfig } from "../router-config/read.ts";

export interface NasTools {
  readonly ask: AskRouter;
  /** `server` overrides. Rejects with `refused`. */
  readonly findPlace: FindPlace;
  /** `http://10.0.0.254:8080`. Rejects with `refused`. */
  readonly portalOrigin: (router: Nas) => Promise<string>;
  readonly sendHotspot: SendHotspot;
  readonly open: OpenRouter;
  readonly readConfig: ReadRouterConfig;
  readonly ownAddress: (router: Nas) => Promise<string>;
}
