import { id, flag, text, wholeNumber } from "../../domain/core/fields/fields.ts";
import { DomainError } from "../../domain/core/errors/errors.ts";
import { phrase } from "../../domain/core/errors/phrase.ts";
import { placeAt, placesNamed } from "../../domain/goods/router-setup/places.ts";
import { readResolvers } from "../../domain/core/settings/garden-settings.ts";
import type { SetupChoices } from "../../domain/goods/router-setup/garden/found.ts";
import { setupDifference, setUpRouter } from "../../domain/goods/router-setup/setup.ts";
import type { RouterMenus } from "../../domain/goods/router-setup/menus.ts";
import { watchAfterSetup } from "../../domain/service/router-watch/after-setup.ts";
import { setupSchema, setupToJson } from "../../wire/nas-setup.ts";
import { managementForm } from "../form.ts";
import { managed } from "../operation.ts";

export const setupOperation = managed({
  method: "POST",
  path: "/api/v1/nas/setup",
  awaits: true,
  operation: "setUpRouter",
  operationId: "setUpNas",
  tags: ["Routers"],
  summary: "Set a router up by its RouterOS API",
  description:
    "As `gatehouse nas setup`. Without `digest` it signs in, reads what the router has and answers what would change, and changes nothing. With the `digest` of that answer it makes it so; where the router is not what it was, `outcome` is `other`, nothing is done, and the difference is the new one. What fails half way is undone (`undone`), or what could not be stays (`halfway`). The login needs the group full; it is used and kept nowhere. What stays is an account of the group gatehouse. `POST /api/v1/nas/test` proves it afterwards. Accounts of one branch and Resellers read routers and change none: 403.",
  form: {
    ...managementForm(
      {
        id,
        username: text(64),
        password: text(128),
        port: wholeNumber(1, 65_535),
        tls: flag,
        server: text(400),
        hotspot_name: text(253),
        remove: flag,
        dns: text(40),
        disable_fasttrack: flag,
        shut_ipv6: flag,
        only_tried: flag,
        digest: text(64),
      },
      ["id", "username", "password"],
      { id: 1, username: "admin", password: "the-router-admin" },
    ),
    narrowedBy: ["isp_id"],
    meanings: {
      username: "Who signs in at the router for it.",
      password: "Its password, which is kept nowhere.",
      port: "Port of the API; 8728, with TLS 8729, unless it is stored.",
      dns: "Whom the walled garden asks for names, one or two IPv4 addresses, in place of the setting `garden_dns`; it is kept for the router, and the empty text forgets it.",
      disable_fasttrack:
        "Switch off rules of FastTrack that cannot be kept from subscribers: they take them past their speed and the walled garden.",
      shut_ipv6:
        "On interfaces of hotspots and DHCP lines let only the IPv6 pass that is delegated to them; unless it is said it stays as it is.",
      only_tried: "Leave out what no manual says and nobody has tried on such a router.",
      server:
        "Where the router asks, the nearest first: `10.1.0.2,10.0.0.1:1822`; this box unless it is said.",
    },
  },
  success: {
    description: "What changes, and what came of it.",
    schema: setupSchema,
    example: {
      outcome: "shown" as const,
      reason: null,
      version: "7.16.1",
      digest: "5f2a",
      changes: [
        {
          change: "set" as const,
          menu: "/radius/incoming",
          values: { accept: "yes" },
          before: { accept: "false" },
        },
      ],
      left: [{ reason: "no_hotspot", what: "" }],
    },
  },
  refusals: {
    404: "There is no such router.",
    400: "The router's login may not do it, or its RouterOS is too old, or the walled garden is off while packages need it.",
    409: "Somebody sets it up at this moment.",
    502: "The router was not reached, or refused the login.",
  },
  run: async ({ db, by, values: value, now, clock, arrivals, nasTools }) => {
    const { findPlace, open, ownAddress } = nasTools;
    const { id: nasId, username, password, port, tls, digest } = value;
    const places = placesNamed(value.server ?? "");
    if (typeof places === "string") {
      const fields = {
        server: [
          phrase`${places} is no IP address; it must be one, or several such as 10.0.0.2,10.0.0.1:1822`,
        ],
      };
      throw new DomainError("invalid", phrase`check server`, { fields });
    }
    const request = {
      nasId,
      login: { username, password, port: port ?? undefined, tls: tls === 1 ? true : undefined },
      mode: value.remove === 1 ? ("remove" as const) : ("setup" as const),
      hotspotName: value.hotspot_name ?? undefined,
      choices: readChoices(value),
    };
    const tools = { now, findPlace: placeAt(findPlace, places), open, ownAddress };
    if (!digest) return setupToJson({ difference: await setupDifference(db, by, request, tools) });
    const after = async (menus: RouterMenus) => {
      if (request.mode === "setup")
        await watchAfterSetup(db, by, { nasId, menus }, { clock, arrivals, nasTools });
    };
    return setupToJson(
      await setUpRouter(db, by, { ...request, digest }, { ...tools, tell: () => {}, after }),
    );
  },
});

interface Values {
  readonly dns?: string | null | undefined;
  readonly disable_fasttrack?: 0 | 1 | null | undefined;
  readonly shut_ipv6?: 0 | 1 | null | undefined;
  readonly only_tried?: 0 | 1 | null | undefined;
}

/** Undefined: unchanged; null: invalid. */
function resolversGiven(dns: string | null | undefined): string[] | undefined | null {
  if (dns === undefined || dns === null) return undefined;
  return dns === "" ? [] : readResolvers(dns);
}

function readChoices({ dns, disable_fasttrack, shut_ipv6, only_tried }: Values): SetupChoices {
  const resolvers = resolversGiven(dns);
  if (resolvers === null) {
    const fields = {
      dns: [phrase`${dns} is no resolver; it must be one or two IPv4 addresses such as 10.0.0.53,10.0.0.54`],
    };
    throw new DomainError("invalid", phrase`check dns`, { fields });
  }
  const text = (one: 0 | 1 | null | undefined) => (one === undefined || one === null ? undefined : one === 1);
  return {
    resolvers,
    disablesFastTrack: text(disable_fasttrack),
    shutsIpv6: text(shut_ipv6),
    isTriedOnly: text(only_tried),
  };
}
