import { phrase } from "../errors/phrase.ts";
import { Type } from "@sinclair/typebox";
import { field, text, truth } from "../fields/fields.ts";
import { define, optional } from "./define.ts";

const HOST =
  /^(?=[^:]{1,253}(?::|$))[a-z0-9](?:[a-z0-9-]{0,62})(?:\.[a-z0-9](?:[a-z0-9-]{0,62}))*(?::[0-9]{1,5})?$/;
const ssid = text(32);

export const hotspotSettings = {
  hotspot_address: define(
    "",
    "dns-name of the hotspot on the routers, such as login.hotspot; the QR on cards logs in there, empty: cards have none",
    optional(
      field(
        Type.String({ maxLength: 260 }),
        phrase`must be the name of a host such as login.hotspot, without http:// and without a path`,
        (name) => (HOST.test(name.toLowerCase()) ? name.toLowerCase() : undefined),
      ),
    ),
  ),
  hotspot_https: define(
    false,
    "whether the hotspot has a certificate, so that the QR on cards logs in by https",
    truth,
  ),
  wifi_name: define(
    "",
    "name of the Wi-Fi that cards are for, as phones show it",
    optional(
      field(Type.String({ maxLength: 64 }), phrase`must be 1 to 32 bytes on one line`, (name) =>
        ssid.read(name) !== undefined && Buffer.byteLength(name) <= 32 ? name : undefined,
      ),
    ),
  ),
  wifi_password: define(
    "",
    "WPA password of that Wi-Fi, for the QR on cards that joins it; empty: it is open",
    optional(
      field(
        Type.String({ maxLength: 63 }),
        phrase`must be 8 to 63 letters, digits and signs of a plain keyboard, or empty`,
        (text) => (/^[\x20-\x7e]{8,63}$/.test(text) ? text : undefined),
      ),
    ),
  ),
};
