import createClient from "openapi-fetch";

export function gatehouse({ token, username, password, ...options }) {
  const authorization = token === undefined ? `Basic ${btoa(`${username}:${password}`)}` : `Bearer ${token}`;
  return createClient({ ...options, headers: { authorization, ...options.headers } });
}
