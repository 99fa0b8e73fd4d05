import type { Seconds } from "../../core/time/time.ts";

/** The certificate that is configured; what cannot be known of one with a fault is null. */
export interface ApplianceCertificate {
  readonly file: string;
  readonly keyFile: string;
  readonly subject: string | null;
  readonly issuer: string | null;
  readonly endsAt: Seconds | null;
  /** SHA-256. */
  readonly fingerprint: string | null;
  /** Why it cannot be used, in one sentence. */
  readonly fault: string | null;
}

export type ListenerName = "lan" | "public" | "walled" | "radius_auth" | "radius_acct";

export interface ApplianceProcess {
  readonly version: string;
  readonly commit: string;
  readonly bun: string;
  readonly startedAt: Seconds;
  /** Bytes that are resident. */
  readonly memory: number;
  /** Those that are configured; without an address: not open. */
  readonly listeners: readonly {
    readonly name: ListenerName;
    readonly address: string | null;
    readonly tls: boolean;
  }[];
  /** The RADIUS threads, and seconds since each gave a sign of life. */
  readonly threads: readonly {
    readonly role: "auth" | "acct";
    readonly isListening: boolean;
    readonly silence: number;
  }[];
  /** null: none is configured. */
  readonly certificate: ApplianceCertificate | null;
  /** The notices of what is by others in the program. */
  readonly notices: () => Promise<string>;
}
