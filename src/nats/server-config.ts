import type { Scope } from "../domain/service/box-standing/box-scope.ts";
import {
  answersSubject,
  askSubject,
  PRIMARY_STREAM,
  BUCKET,
  consumerName,
  scopeFilters,
  homeSubject,
  nodeInbox,
  reportSubject,
  RESTORE_INBOX,
  STREAM,
} from "./subjects.ts";

export interface KnownNode {
  readonly name: string;
  readonly nkey: string;
  readonly scope: Scope | null;
  /** Whether it still runs 0.2.0. */
  readonly isOld: boolean;
}

/**
 * The configuration of the single nats-server (Debian's, 2.9 and later): the primary may do everything; an access box reads its
 * part of the bucket and publishes under its own name, nothing else. TLS uses the operator's certificate.
 */
export function serverConfig({ primary, boxes }: { primary: string; boxes: readonly KnownNode[] }): string {
  const users = [`    { nkey: ${primary} }  # the books`, ...boxes.map(formatUser)];
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
 * A box has its own consumer names and its own inbox, and may answer only to the primary's inbox for it. (`allow_responses`
 * would make nats-server remember each record for a minute and search them all at each one.) The filter is part of the
 * consumer's create subject, so that a box reads only its scope.
 */
function formatUser(node: KnownNode): string {
  if (node.isOld) return formatOldUser(node);
  const { name, nkey, scope } = node;
  const consumers = scopeFilters(scope).flatMap((filter, index) => {
    const consumer = `${STREAM}.${consumerName(name, index)}`;
    return [
      `$JS.API.CONSUMER.CREATE.${consumer}.$KV.${BUCKET}.${filter}`,
      `$JS.API.CONSUMER.INFO.${consumer}`,
      `$JS.API.CONSUMER.DELETE.${consumer}`,
      `$JS.FC.${consumer}.>`,
    ];
  });
  const publish = listed([...consumers, homeSubject(name), reportSubject(name), `${answersSubject(name)}.>`]);
  const subscribe = listed([`${nodeInbox(name)}.>`, askSubject(name)]);
  return `    { nkey: ${nkey}  # ${name}
      permissions: { publish: ${publish}, subscribe: ${subscribe} } }`;
}

/** A box of 0.2.0 uses the shared inbox, and random consumer names. */
function formatOldUser({ name, nkey, scope }: KnownNode): string {
  const reads = scopeFilters(scope).map(
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
    homeSubject(name),
    reportSubject(name),
    "_INBOX.>",
  ];
  return `    # of 0.2.0: it may hear what others are answered. Upgrade it, then print this file anew
    { nkey: ${nkey}  # ${name}
      permissions: { publish: ${listed(publish)}, subscribe: ${listed(["_INBOX.>", askSubject(name)])} } }`;
}

/**
 * A user that may read the backups in the object store and nothing else, for a machine that is to become the primary. It learns
 * the backups' subjects only from their list.
 */
export function readerUser(nkey: string): string {
  const calls = ["STREAM.INFO", "STREAM.MSG.GET", "CONSUMER.CREATE", "CONSUMER.INFO", "CONSUMER.DELETE"];
  const of = (stream: string) =>
    calls.flatMap((call) => [`$JS.API.${call}.${stream}`, `$JS.API.${call}.${stream}.>`]);
  const allow = listed(["$JS.API.INFO", "$JS.API.STREAM.NAMES", ...of("*"), "$JS.FC.>"]);
  const deny = listed([STREAM, PRIMARY_STREAM].flatMap(of));
  return `{ nkey: ${nkey}, permissions: { publish: { allow: ${allow}, deny: ${deny} }, subscribe: ["${RESTORE_INBOX}.>"] } }`;
}

const listed = (subjects: readonly string[]) => `[${subjects.map((one) => JSON.stringify(one)).join(", ")}]`;
