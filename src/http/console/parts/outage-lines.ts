import type { Outage, OutageLine } from "../../../domain/service/outages/find.ts";

/** Subscribers to notify: the lines still dark, or after the end all of them. */
export function outageLines({
  endedAt,
  members,
}: Pick<Outage, "endedAt"> & { readonly members: readonly OutageLine[] }): number[] {
  const isOver = endedAt !== null;
  return members.filter(({ backAt }) => isOver || backAt === null).map(({ subscriberId }) => subscriberId);
}
