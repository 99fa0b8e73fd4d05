import { type Command, Option } from "commander";
import { dualStacks, nasKinds, shapers } from "../domain/goods/nas/kinds.ts";
import type { Input } from "../domain/core/fields/fields.ts";

/** An option of `nas add` and `nas set`, and the field of the NAS or of its RouterOS API that it sets. */
interface NasOption {
  readonly field: string;
  readonly api?: true;
  readonly flags: string;
  readonly description: string;
  readonly choices?: readonly string[];
  readonly off?: { readonly description: string; readonly value: false | null };
}

const options: readonly NasOption[] = [
  {
    field: "require_message_authenticator",
    flags: "--require-message-authenticator <when>",
    description: "of Access-Requests; auto: of each address from its first one on",
    choices: ["auto", "yes", "no"],
  },
  {
    field: "swap_octets",
    flags: "--swap-octets",
    description: "its input is what the subscriber downloads",
    off: { description: "its input is what the subscriber uploads", value: false },
  },
  {
    field: "kind",
    flags: "--kind <kind>",
    description: "by which attributes it is told a rate, and asked to end a session",
    choices: nasKinds,
  },
  {
    field: "mppe",
    flags: "--mppe <what>",
    description:
      "what an Accept with MPPE keys says of encryption: nothing beside them (RouterOS), or allowed or required (pppd, accel-ppp)",
    choices: ["keys", "allowed", "required"],
  },
  {
    field: "dhcp",
    flags: "--dhcp",
    description: "its DHCP servers may ask, which send no password (IPoE, DHCPv6)",
    off: { description: "no login without a password from its DHCP servers", value: false },
  },
  {
    field: "shaper",
    flags: "--shaper <shaper>",
    description:
      "how its next set-up keeps queues of lines short at full rate, from RouterOS 7.1 on: fq_codel costs its processor less than cake",
    choices: shapers,
  },
  {
    field: "shaper_leases",
    flags: "--shaper-leases",
    description: "its leases of DHCP, too: every queue of the kind default-small becomes so",
    off: { description: "its leases of DHCP keep the queues that they have", value: false },
  },
  {
    field: "dual_stack",
    flags: "--dual-stack <what>",
    description:
      "what lines of DHCP get that have a queue for IPv4 and another for IPv6: the whole rate in each, half of it in each, or IPv4 alone",
    choices: dualStacks,
  },
  {
    field: "coa_port",
    flags: "--coa-port <port>",
    description: "where it takes Disconnect-Requests (3799)",
  },
  {
    field: "coa_event_timestamp",
    flags: "--coa-event-timestamp",
    description: "send it Event-Timestamp in them, where it requires that",
    off: { description: "send it no Event-Timestamp, which RouterOS may not know", value: false },
  },
  {
    field: "disconnect_method",
    flags: "--disconnect-method <method>",
    description: "how sessions are ended",
    choices: ["auto", "coa", "routeros"],
  },
  {
    field: "radsec",
    flags: "--radsec",
    description: "it asks by RadSec, for which it gets its certificate by: gatehouse nas radsec",
    off: { description: "it asks over UDP, and its certificates do not count", value: false },
  },
  { field: "host", api: true, flags: "--routeros-host <host>", description: "address of its RouterOS API" },
  { field: "port", api: true, flags: "--routeros-port <port>", description: "8728, with TLS 8729" },
  {
    field: "username",
    api: true,
    flags: "--routeros-username <username>",
    description: "of the account that we log in to its API with",
  },
  {
    field: "tls",
    api: true,
    flags: "--routeros-tls",
    description: "speak TLS with its API",
    off: { description: "speak with its API in clear", value: false },
  },
  {
    field: "tls_fingerprint",
    api: true,
    flags: "--routeros-tls-fingerprint <sha256>",
    description: "accept this certificate only",
    off: { description: "accept any certificate", value: null },
  },
];

export type Options = Readonly<Record<string, unknown>>;

/** The options that both commands have; `canTakeBack` adds the --no- forms. */
export function addNasOptions(
  command: Command,
  { canTakeBack = false }: { canTakeBack?: boolean } = {},
): Command {
  for (const { flags, description, choices, off } of options) {
    const option = new Option(flags, description);
    command.addOption(choices ? option.choices(choices) : option);
    if (canTakeBack && off) command.addOption(new Option(`--no-${optionName(flags)}`, off.description));
  }
  return command;
}

/** `routeros` is present where any of the options belongs to the API. */
export function nasInput(entered: Options, { password }: { password: string | undefined }): Input {
  const nas: Record<string, unknown> = {};
  const routeros: Record<string, unknown> = password === undefined ? {} : { password };
  for (const { field, api, flags, off } of options) {
    const value = entered[new Option(flags).attributeName()];
    if (value === undefined) continue;
    (api ? routeros : nas)[field] = value === false && off ? off.value : value;
  }
  return Object.keys(routeros).length > 0 ? { ...nas, routeros } : nas;
}

function optionName(flags: string): string {
  return flags.replace(/^--/, "").replace(/ .*$/, "");
}
