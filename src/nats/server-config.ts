import type { Scope } from "../domain/service/box-standing/box-scope.ts";
import {
  answersOf,
  askOf,
  PRIMARY_STREAM,
  BUCKET,
  consumerOf,
  filtersOf,
  homeOf,
  inboxOf,
  reportOf,
  RESTORE_INBOX,
  STREAM,
} from "./subjects.ts";

export interface KnownNode {
  readonly name: string;
  readonly nkey: string;
  readonly scope: Scope | null;
  /** Whether it is of 0.2.0. */
  readonly isOld: boolean;
}

/**
 * The configuration of the one nats-server (Debian's, 2.9 and later): the books may do everything, a box reads its part of the bucket and
 * tells under its own name, nothing else. TLS is the operator's certificate.
 */
export function serverConfig({ primary, boxes }: { primary: string; boxes: readonly KnownNode[] }): string {
  const users = [`    { nkey: ${primary} }  # the books`, ...boxes.map(userOf)];
  return `# /etc/nats-server.conf, of the machine that nats-server runs on; as \`gatehouse box server\` prints it
server_name: gatehouse
listen: "0.0.0.0:4222"
max_payload: 1MB
jetstream {
  store_dir: "/var/lib/nats"
  max_memory_store: 64MB
  max_file_store: 8GB
}
tls {
  cert_file: "/etc/nats/server.crt"
  key_file: "/etc/nats/server.key"
}
authorization {
  users: [
${users.join("\n")}
  ]
}
`;
}

/**
 * Its consumers have names of its own, its answers come to an inbox of its own, and what it answers goes to where the books wait for it alone.
 * (With `allow_responses` nats-server would keep for a minute that it may answer each record that it is told, and go through all of these
 * at each one.) What a consumer is created with says the filter, so that it reads what its scope has.
 */
function userOf(node: KnownNode): string {
  if (node.isOld) return oldUserOf(node);
  const { name, nkey, scope } = node;
  const consumers = filtersOf(scope).flatMap((filter, index) => {
    const consumer = `${STREAM}.${consumerOf(name, index)}`;
    return [
      `$JS.API.CONSUMER.CREATE.${consumer}.$KV.${BUCKET}.${filter}`,
      `$JS.API.CONSUMER.INFO.${consumer}`,
      `$JS.API.CONSUMER.DELETE.${consumer}`,
      `$JS.FC.${consumer}.>`,
    ];
  });
  const publish = listed([...consumers, homeOf(name), reportOf(name), `${answersOf(name)}.>`]);
  const subscribe = listed([`${inboxOf(name)}.>`, askOf(name)]);
  return `    { nkey: ${nkey}  # ${name}
      permissions: { publish: ${publish}, subscribe: ${subscribe} } }`;
}

/** A box of 0.2.0 listens where every box does, and its consumers have names of chance. */
function oldUserOf({ name, nkey, scope }: KnownNode): string {
  const reads = filtersOf(scope).map(
    (filter) => `$JS.API.CONSUMER.CREATE.${STREAM}.*.$KV.${BUCKET}.${filter}`,
  );
  const publish = [
    `$JS.API.STREAM.INFO.${STREAM}`,
    ...(scope === null
      ? [`$JS.API.CONSUMER.CREATE.${STREAM}`, `$JS.API.CONSUMER.CREATE.${STREAM}.>`]
      : reads),
    `$JS.API.CONSUMER.INFO.${STREAM}.>`,
    `$JS.API.CONSUMER.DELETE.${STREAM}.>`,
    "$JS.FC.>",
    homeOf(name),
    reportOf(name),
    "_INBOX.>",
  ];
  return `    # of 0.2.0: it may hear what others are answered. Upgrade it, then print this file anew
    { nkey: ${nkey}  # ${name}
      permissions: { publish: ${listed(publish)}, subscribe: ${listed(["_INBOX.>", askOf(name)])} } }`;
}

/**
 * A user who may read the backups in the object store, and nothing else: the line of a machine that is to become the books. What they lie
 * under it does not know before it has one.
 */
export function readerOf(nkey: string): string {
  const calls = ["STREAM.INFO", "STREAM.MSG.GET", "CONSUMER.CREATE", "CONSUMER.INFO", "CONSUMER.DELETE"];
  const of = (stream: string) =>
    calls.flatMap((call) => [`$JS.API.${call}.${stream}`, `$JS.API.${call}.${stream}.>`]);
  const allow = listed(["$JS.API.INFO", "$JS.API.STREAM.NAMES", ...of("*"), "$JS.FC.>"]);
  const deny = listed([STREAM, PRIMARY_STREAM].flatMap(of));
  return `{ nkey: ${nkey}, permissions: { publish: { allow: ${allow}, deny: ${deny} }, subscribe: ["${RESTORE_INBOX}.>"] } }`;
}

const listed = (subjects: readonly string[]) => `[${subjects.map((one) => JSON.stringify(one)).join(", ")}]`;
