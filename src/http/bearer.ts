import { bearer } from "@elysiajs/bearer";
import { Elysia } from "elysia";

/** A random parameter name disables the plugin's reading of query and body. */
const nowhere = crypto.randomUUID();

/** The token of an Authorization header; empty: it has none. */
export const tokenIn = (authorization: string | null | undefined): string =>
  /^bearer +(\S+) *$/i.exec(authorization ?? "")?.[1] ?? "";

/**
 * `bearer`: the Authorization header's token. The plugin's comparison is case-sensitive and accepts "Bearerx", so it gets a
 * normalized header or none (RFC 6750 2.1; RFC 9110 11.1).
 */
export const bearerToken = new Elysia({ name: "bearer-token" })
  .derive({ as: "global" }, ({ headers }) => {
    const token = tokenIn(headers["authorization"]);
    if (token === "") delete headers["authorization"];
    else headers["authorization"] = `Bearer ${token}`;
    return {};
  })
  .use(bearer({ extract: { query: nowhere, body: nowhere, header: "Bearer" } }));
