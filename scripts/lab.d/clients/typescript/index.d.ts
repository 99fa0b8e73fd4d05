import type { Client, ClientOptions } from "openapi-fetch";
import type { paths } from "./gatehouse.d.ts";

export type { components, operations, paths, webhooks } from "./gatehouse.d.ts";

/** A token of a subscriber, of a person or of a key; or a staff account (a key's id and secret are one). */
export type Credentials =
  { readonly token: string } | { readonly username: string; readonly password: string };

/** Calls by path and method: `await gatehouse({ baseUrl, username, password }).GET("/api/v1/subscriber/list")`. */
export function gatehouse(options: ClientOptions & Credentials): Client<paths>;
