/** How often a part asks for itself again at most, whatever happens meanwhile. */
const THROTTLE = { sessions: "10s", logins: "5s", money: "2s", findings: "5s" } as const;
type Topic = keyof typeof THROTTLE;

/** A part that asks for itself again when one of these has changed. */
export function refreshing(path: string, topics: readonly Topic[]): Record<string, string> {
  return {
    "data-live": topics.join(" "),
    "hx-get": path,
    "hx-trigger": topics.map((topic) => `live:${topic} from:body throttle:${THROTTLE[topic]}`).join(", "),
    "hx-target": "this",
    "hx-swap": "outerMorph",
  };
}
