import type { StaffVisit } from "../guard.ts";

/** The box as the reader reached it. */
export const originOf = ({ request, secure }: Pick<StaffVisit, "request" | "secure">): string =>
  `${secure ? "https" : "http"}://${request.headers.get("host") ?? "BOX"}`;
