import type { Outage, OutageLine } from "../../../domain/service/outages/find.ts";

/** Who is to be told of an outage: while it lasts those whose lines are dark still, after it all of them. */
export function outageLines({
  endedAt,
  members,
}: Pick<Outage, "endedAt"> & { readonly members: readonly OutageLine[] }): number[] {
  const isOver = endedAt !== null;
  return members.filter(({ backAt }) => isOver || backAt === null).map(({ subscriberId }) => subscriberId);
}
