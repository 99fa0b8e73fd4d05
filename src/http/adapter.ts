import { BunAdapter } from "elysia/adapter/bun";
import { PATH_START } from "./target.ts";

/**
 * Elysia takes the path of a URL from its 12th character on, or from the 8th: either is wrong for some scheme and host name
 * (`http://gw/`, `https://isp.example/`), and then nothing is found. Here it begins where `pathOf` says.
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
