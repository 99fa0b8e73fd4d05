/** Names and explanations of Error-Cause (RFC 5176 section 3.6, RFC 5580 section 6). */
const causes = new Map<number, readonly [name: string, words: string]>([
  [201, ["Residual-Context-Removed", "only a remainder of the session was left"]],
  [202, ["Invalid-EAP-Packet", "it ignored an EAP packet"]],
  [401, ["Unsupported-Attribute", "it does not support an attribute of the request"]],
  [402, ["Missing-Attribute", "it misses an attribute in the request"]],
  [403, ["NAS-Identification-Mismatch", "the request names another router"]],
  [404, ["Invalid-Request", "it does not understand the request"]],
  [405, ["Unsupported-Service", "it does not support such a request"]],
  [406, ["Unsupported-Extension", "it does not support such a request at all"]],
  [407, ["Invalid-Attribute-Value", "it does not accept a value in the request"]],
  [501, ["Administratively-Prohibited", "its configuration forbids it"]],
  [502, ["Proxy-Request-Not-Routable", "a proxy does not know the way to it"]],
  [503, ["Session-Context-Not-Found", "it knows no such session"]],
  [504, ["Session-Context-Not-Removable", "it cannot end the session"]],
  [505, ["Proxy-Processing-Error", "a proxy on the way failed"]],
  [506, ["Resources-Unavailable", "it is out of resources"]],
  [507, ["Request-Initiated", "it has begun, but does not say how it ended"]],
  [508, ["Multiple-Session-Selection-Unsupported", "several of its sessions fit the request"]],
  [509, ["Location-Based-Information-Required", "it wants to be told the location"]],
]);

export const UNSUPPORTED_ATTRIBUTE = 401;
export const SESSION_CONTEXT_NOT_FOUND = 503;

/** An Error-Cause for people: number, name and explanation. */
export function errorCauseWords(cause: number | undefined): string {
  if (cause === undefined) return "without an Error-Cause";
  const [name, words] = causes.get(cause) ?? [];
  return name ? `Error-Cause ${cause} ${name}: ${words}` : `Error-Cause ${cause}`;
}
