import { BunAdapter } from "elysia/adapter/bun";
import { PATH_START } from "./target.ts";

/**
 * Elysia assumes that a URL's path begins at character 12 or 8, which fails for some hosts (`http://gw/`,
 * `https://isp.example/`): here it begins where `targetPath` says.
 */
export const adapter: typeof BunAdapter = {
  ...BunAdapter,
  composeGeneralHandler: {
    ...BunAdapter.composeGeneralHandler,
    createContext(app) {
      const source = BunAdapter.composeGeneralHandler.createContext(app);
      const fixed = source.replace(/u\.indexOf\('\/',\d+\)/, PATH_START);
      if (fixed === source) throw new Error("this version of Elysia finds paths in another way");
      return fixed;
    },
  },
};
