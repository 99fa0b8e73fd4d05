import base from "../pages/css/base.css" with { type: "text" };
import button from "../pages/css/button.css" with { type: "text" };
import noteTones from "../pages/css/note-tones.css" with { type: "text" };
import layout from "../pages/css/layout.css" with { type: "text" };
import paper from "../pages/css/paper.css" with { type: "text" };
import tokens from "../pages/css/tokens.css" with { type: "text" };
import direction from "../pages/css/direction.css" with { type: "text" };
import buttons from "../pages/scripts/buttons.js" with { type: "text" };
import push from "../pages/scripts/push.js" with { type: "text" };
import { asset } from "../pages/assets.ts";
import style from "./assets/portal.css" with { type: "text" };
import script from "./assets/portal.js" with { type: "text" };

const FOLDER = "/portal/assets";

export const styleAsset = asset(
  FOLDER,
  "portal",
  "css",
  tokens + base + layout + button + noteTones + style + direction,
);
export const paperAsset = asset(FOLDER, "paper", "css", paper);
export const scriptAsset = asset(FOLDER, "portal", "js", `{\n${buttons}}\n{\n${push}}\n${script}`);

export const portalAssets = [styleAsset, paperAsset, scriptAsset];
