/** Shortest time between two updates of a part. */
const THROTTLE = { sessions: "10s", logins: "5s", money: "2s", findings: "5s" } as const;
type Topic = keyof typeof THROTTLE;

/** A part that loads itself again after changes of these topics. */
export function refreshing(path: string, topics: readonly Topic[]): Record<string, string> {
  return {
    "data-live": topics.join(" "),
    "hx-get": path,
    "hx-trigger": topics.map((topic) => `live:${topic} from:body throttle:${THROTTLE[topic]}`).join(", "),
    "hx-target": "this",
    "hx-swap": "outerMorph",
  };
}
