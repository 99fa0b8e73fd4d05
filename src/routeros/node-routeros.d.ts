// The package's own types hide the connector; these are the parts that client.ts uses.
declare module "node-routeros/dist/RouterOSAPI" {
  export interface Connector {
    read(tag: string, callback: (packet: string[]) => void): void;
    stopRead(tag: string): void;
    write(words: readonly string[]): unknown;
  }

  export class RouterOSAPI {
    constructor(options: { host: string });
    connector: Connector;
    write(path: string, ...words: string[]): Promise<Record<string, string>[]>;
  }
}
