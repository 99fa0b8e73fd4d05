import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { describe } from "../describe.ts";

/** `/` leads to the listener's main page. */
export function frontRoute(location: "/console" | "/portal") {
  return new Elysia().get(
    "/",
    () => new Response(null, { status: 302, headers: { location } }),
    describe({
      operationId: "front",
      tags: ["Appliance"],
      summary: "The way to the page that people look for",
      access: "everybody",
      success: {
        status: 302,
        description: "To /console; on the public listener to /portal.",
        headers: { Location: { description: "The path of the page.", schema: Type.String() } },
      },
    }),
  );
}
