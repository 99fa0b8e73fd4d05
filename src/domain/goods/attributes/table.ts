/**
 * Attributes of one document or vendor (0: the RFCs' own numbers), each as `number name [kind] [tag] [secret]`, with a comma between.
 * Without a kind it is text; `int` is 32 bits, `ifid` eight bytes. `tag`: RFC 2868's. `secret`: encrypted on the wire.
 */
export interface AttributeTable {
  readonly source: string;
  readonly vendor: number;
  readonly attributes: string;
}
