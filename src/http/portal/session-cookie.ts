import { PORTAL_SESSION_LIFE } from "../../domain/goods/subscribers/portal-session.ts";
import { IdCookie } from "../pages/cookies.ts";

export const sessionCookie = new IdCookie("gatehouse_portal", {
  sameSite: "lax",
  maxAge: PORTAL_SESSION_LIFE,
});
