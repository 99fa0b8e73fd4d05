import type { Seconds } from "../../core/time/time.ts";

/** What a faulty certificate does not tell is null. */
export interface ApplianceCertificate {
  readonly file: string;
  readonly keyFile: string;
  readonly subject: string | null;
  readonly issuer: string | null;
  readonly endsAt: Seconds | null;
  readonly fingerprint: string | null;
  /** Why it is unusable, in one sentence. */
  readonly fault: string | null;
}

export type ListenerName = "lan" | "public" | "walled" | "radius_auth" | "radius_acct";

export interface ApplianceProcess {
  readonly version: string;
  readonly commit: string;
  readonly bun: string;
  readonly startedAt: Seconds;
  /** Resident bytes. */
  readonly memory: number;
  /** Without an address: not open. */
  readonly listeners: readonly {
    readonly name: ListenerName;
    readonly address: string | null;
    readonly tls: boolean;
  }[];
  /** Seconds since each thread's last sign of life. */
  readonly threads: readonly {
    readonly role: "auth" | "acct";
    readonly isListening: boolean;
    readonly silence: number;
  }[];
  /** null: none. */
  readonly certificate: ApplianceCertificate | null;
  /** Notices of third-party software. */
  readonly notices: () => Promise<string>;
}
